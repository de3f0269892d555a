// Files that are damaged at random, by bytes, lines and words that mean something to YAML or to linkform.

import type { Random } from "../support/random.ts";

/** Words that start, end or change something in YAML, JSON or a project. */
const WORDS = [
  ..."*a : [ ] { } , ' null ~ none true off 0x10 1e999 -0 99999999999999999999 2027-02-30 __proto__".split(" "),
  ..."constructor toString {name} {channel.medium} {} {__proto__} {constructor.prototype} ${HOME}".split(" "),
  ..."{env.LINKFORM_API_KEY} * **/**/**/* [a-z0-9-]+ (a+)+$ https://user:pass@example.com/".split(" "),
  ...'javascript:alert(1) https://例え.テスト/ go.example.com/ |\n >-\n # " \t \n \r ---\n ...\n'.split(" "),
  ..."&a ¦<<: *a¦!!binary ¦!!js/function ¦!x ¦? ¦: ¦- ¦%YAML 1.1\n¦{ env: HOME }¦{ file: ../../etc/passwd }".split("¦"),
  "__proto__: { links: {} }\n",
];

/** Lines that a file may get. */
const LINES = `links:
links: { a/b: { url: https://example.com/ } }
pixels: {}
absent: { links: [a] }
defaults: { link: { utm: { source: a } } }
families:
  spring-{channel}: { for: { channel: [a, b] }, url: https://example.com/ }
policies: { p: { require: [space] } }
utm: { source: [a], campaign: '[a-z]+' }
    utm: { source: a, medium: b }
    url: https://example.com/?utm_source=x
    waive: { p: { until: 2027-01-01, because: x } }
    owner: [a, b]
    review_by: 2027-06-30
    each: [{ when: { channel: a }, protect: true }]
files: ['**/*.yaml']
version: 1`.split("\n");

/** Characters that are invisible, change the direction, or are no valid UTF-8, as bytes. */
const BYTES =
  "00 1b5b324a 7f c285 e280a8 e280ae e2808b efbbbf fffe c0af eda080 f09f98 f4908080 cc81 f09f91a9e2808df09f91a7".split(
    " ",
  );

type Damage = (file: Buffer, random: Random, other: Buffer) => Buffer;

/** Damage to the bytes of a file. */
const bytes: readonly Damage[] = [
  (file, random) => {
    const changed = Buffer.from(file);
    if (changed.length > 0) changed[random.between(0, changed.length - 1)] = random.between(0, 255);
    return changed;
  },
  (file, random) => insert(file, offset(file, random), Buffer.from(random.pick(BYTES), "hex")),
  (file, random) => {
    const from = offset(file, random);
    return Buffer.concat([file.subarray(0, from), file.subarray(from + random.between(1, 20))]);
  },
  (file, random) => {
    const from = offset(file, random);
    return insert(file, offset(file, random), file.subarray(from, from + random.between(1, 200)));
  },
  (file, random) => file.subarray(0, offset(file, random)),
  (file, random) => insert(file, offset(file, random), Buffer.from(random.pick(WORDS))),
  (file, random, other) => {
    const from = offset(other, random);
    return insert(file, offset(file, random), other.subarray(from, from + random.between(1, 400)));
  },
];

/** Damage to the lines of a file. */
const lines: readonly Damage[] = [
  ofLines((all, random) => {
    const from = index(all, random);
    const [line = ""] = all.splice(from, 1);
    all.splice(index(all, random), 0, line);
  }),
  ofLines((all, random) => void all.splice(index(all, random), 1)),
  ofLines((all, random) => {
    const from = index(all, random);
    all.splice(index(all, random), 0, ...all.slice(from, from + random.between(1, 4)));
  }),
  ofLines((all, random) => {
    const from = index(all, random);
    const by = random.pick([" ", "  ", "\t", "    "]);
    for (let line = from; line < Math.min(all.length, from + random.between(1, 5)); line += 1)
      all[line] = random.chance(0.5) ? `${by}${all[line]}` : (all[line] ?? "").replace(/^ {1,2}/, "");
  }),
  ofLines((all, random) => void all.splice(index(all, random), 0, random.pick(LINES))),
  ofLine((line, random) => line.replace(/:.*$/, `: ${random.pick(WORDS)}`)),
  ofLine((line, random) => line.replace(/^(\s*)[^:]+:/, (_, indent) => `${indent}${random.pick(WORDS)}:`)),
  ofLine((line, random) => `${line}${random.pick([" # note", " &a", "  ", "\r", " !!str"])}`),
];

/** Changes that usually keep a file valid. */
const harmless: readonly Damage[] = [
  (file) => Buffer.from(file.toString("utf8").replaceAll("\n", "\r\n")),
  (file) => Buffer.concat([Buffer.from("\uFEFF"), file]),
  (file) => Buffer.from(file.toString("utf8").replace(/\n+$/, "")),
  ofLines((all, random) => void all.splice(index(all, random), 0, random.pick(["", "  ", "# note", "    # note  "]))),
  ofLine((line, random) =>
    line.replace(/: ([a-z][\w.-]*)$/, (_, word) =>
      random.pick([`: "${word}"`, `: '${word}'`, `:   ${word}  # note`, `: >-\n      ${word}`]),
    ),
  ),
  ofLine((line) => line.replace(/: (https:\S+)$/, (_, word) => `: &url ${word}`)),
];

/** A file with random damage. `other` is another file, parts of which may get into this one. */
export function damaged(file: Buffer, other: Buffer, random: Random): Buffer {
  const kinds = random.pick([bytes, bytes, lines, lines, lines, harmless]);
  let changed = file;
  for (let left = random.pick([1, 1, 1, 2, 3, 6]); left > 0; left -= 1)
    changed = random.pick(kinds)(changed, random, other);
  return changed;
}

function offset(file: Buffer, random: Random): number {
  return random.between(0, file.length);
}

function index(all: readonly string[], random: Random): number {
  return random.between(0, Math.max(0, all.length - 1));
}

function insert(file: Buffer, from: number, added: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, from), added, file.subarray(from)]);
}

/** Damage to lines. The file keeps bytes that are no valid UTF-8. */
function ofLines(change: (all: string[], random: Random) => void): Damage {
  return (file, random) => {
    const all = file.toString("latin1").split("\n");
    change(all, random);
    return Buffer.from(all.map((line) => latin(line)).join("\n"), "latin1");
  };
}

/** Damage to one line. */
function ofLine(change: (line: string, random: Random) => string): Damage {
  return ofLines((all, random) => {
    const at = index(all, random);
    all[at] = change(all[at] ?? "", random);
  });
}

/** Added words may have characters that Latin-1 lacks. */
function latin(line: string): string {
  return /[^\0-\xff]/.test(line) ? Buffer.from(line).toString("latin1") : line;
}
