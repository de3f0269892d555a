// What is worth looking at: each scene is files, an account and a command. To look at another one, add a row; the fixtures
// of plans and of broken files are scenes too, as plans/NAME and invalid/NAME.
//
//   folders   of the repository, copied one over the other into the project
//   files     written there, by path
//   base      a folder that is what `origin/main` has
//   seed      of the sandbox: a file of the repository, or the state
//   before    commands that come first and are not shown; `edits`: files that are written after them
//   args      of the command that is shown; `typed`: what a person answers when it asks
//   env, url  in place of what the scene would have

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../processes.mjs";
import { BROKEN } from "./broken.mjs";

const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";
const ONE_LINK = { "linkform.yaml": `${HEAD}links:\n  go.example.com/hello: { url: https://www.example.com/ }\n` };

/** A fixture of test/plans.test.ts. */
function planned(name) {
  const folder = `test/fixtures/plans/${name}`;
  const [, command] = readFileSync(path.join(ROOT, folder, "command.txt"), "utf8").split("\n");
  return {
    name: `plans/${name}`,
    folders: [`${folder}/now`],
    ...(existsSync(path.join(ROOT, folder, "base")) && { base: `${folder}/base` }),
    seed: `${folder}/live.json`,
    args: command.split(" "),
  };
}

/** A fixture of broken files. */
const broken = (name) => ({
  name: `invalid/${name}`,
  folders: [`test/fixtures/config/invalid/${name}`],
  args: ["validate"],
});

/** The first plan of an example. */
const example = (name, file = "linkform.yaml", seed = "") => ({
  name: ["example", name, ...(file === "linkform.yaml" ? [] : [file.split(".")[1]])].join("-"),
  folders: [`examples/${name}`],
  ...(seed !== "" && { seed: `examples/${name}/${seed}` }),
  args: file === "linkform.yaml" ? ["plan"] : ["plan", "--config", file],
});

const campaign = { folders: ["examples/campaign"] };
const team = { folders: ["examples/team"], seed: "examples/team/sandbox.json" };

/** 100 links, of which 60 get another destination. */
const numbers = Array.from({ length: 100 }, (_, at) => `${at + 1}`.padStart(3, "0"));
const many = {
  seed: {
    links: numbers.map((number) => ({
      alias: `shop-${number}`,
      domain: 2,
      url: `https://shop.example.com/articles/${number}?utm_source=newsletter&utm_campaign=autumn`,
      clicks: Number(number) * 7,
    })),
  },
  files: {
    "linkform.yaml": [
      `${HEAD}brake: { updates: 100% }\ndefaults: { link: { domain: go.example.com } }\nlinks:`,
      ...numbers.map(
        (number, at) =>
          `  shop-${number}: { url: "https://shop.example.com/articles/${number}?utm_source=newsletter&utm_campaign=${at < 60 ? "winter" : "autumn"}" }`,
      ),
      "",
    ].join("\n"),
  },
};

/** All that can become of a link: made, renamed, moved, changed, disabled, deleted; and one whose password is kept. */
const everything = {
  seed: {
    pixels: [{ name: "Meta", type: "facebook", value: "1234567890123456" }],
    links: [
      { alias: "jobs", domain: 2, url: "https://www.example.com/careers", clicks: 412 },
      { alias: "fair", domain: 2, url: "https://www.example.com/fair?year=2026", clicks: 96 },
      { alias: "old-sale", domain: 2, url: "https://shop.example.com/sale", clicks: 8240 },
      { alias: "spring", domain: 2, url: "https://shop.example.com/spring?utm_source=flyer", space: 1, clicks: 15 },
      { alias: "team-lunch", domain: 2, url: "https://www.example.com/lunch", clicks: 9 },
      { alias: "press", domain: 2, url: "https://www.example.com/press", password: "secret", clicks: 58 },
    ],
  },
  files: {
    "linkform.yaml": `${HEAD}brake: { deletes: 100% }
defaults: { link: { domain: go.example.com } }
pixels:
  Meta main: { type: facebook, value: "1234567890123456", renamed_from: Meta }
  Ads: { type: google-ads, value: AW-123456789 }
links:
  careers: { url: https://www.example.com/careers, renamed_from: jobs }
  promo.example.com/fair: { url: https://www.example.com/fair?year=2027, renamed_from: go.example.com/fair }
  spring:
    url: https://shop.example.com/spring?utm_source=poster
    space: Sales
    pixels: [Meta main, Ads]
    expiration: { date: 2027-04-15, time: "18:00", clicks: 5000, url: https://shop.example.com/over }
    targeting: { country: { AT: https://shop.example.com/at, CH: https://shop.example.com/ch } }
  team-lunch: { url: https://www.example.com/lunch, disabled: true }
  press: { url: https://www.example.com/press/2027 }
absent:
  links: [old-sale]
`,
  },
};

/** An alias that is taken by a link which can't be found where only a few are read. */
const takenMeanwhile = {
  seed: {
    links: Array.from({ length: 1000 }, (_, at) => (at === 500 ? "chapter-ⅳ" : `other-${at}`)).map((alias) => ({
      alias,
      domain: 2,
      url: "https://www.example.com/somebody-elses",
    })),
  },
  files: {
    "linkform.yaml": [
      `${HEAD}links:`,
      "  go.example.com/chapter-iv: { url: https://www.example.com/four }",
      "  go.example.com/chapter-v: { url: https://www.example.com/five }",
      "",
    ].join("\n"),
  },
};

export const README_PLAN = planned("readme-first");

/** `count` changes to the campaign links of a shop: new destinations, deleted links and new links. */
function campaigns(count) {
  const names = ["spring-sale-2027", "newsletter-march", "partner-week", "store-opening-vienna", "loyalty-program"];
  const all = Array.from({ length: count }, (_, at) => {
    const topic = names[Math.floor((at * names.length) / count)] ?? names[0];
    const alias = `${topic.split("-")[0]}-${["instagram", "poster", "email", "flyer"][at % 4]}-${at + 1}`;
    const url = (year) =>
      `https://shop.example.com/collections/${year}/women/outerwear/${topic}/article-${at + 1}?utm_source=newsletter&utm_medium=email&utm_campaign=${topic}`;
    const what = at % 10 === 9 ? "deleted" : at % 3 === 1 ? "new" : "changed";
    return { alias, url, topic, what, clicks: ((at * 37) % 500) + 4 };
  });
  return {
    name: `comment-${count}`,
    args: ["plan"],
    seed: {
      links: all
        .filter(({ what }) => what !== "new")
        .map(({ alias, url, clicks }) => ({ alias, domain: 2, url: url(2026), clicks })),
    },
    files: {
      "linkform.yaml": `${HEAD}brake: { updates: 100%, deletes: 100% }\ndefaults: { link: { domain: go.example.com } }\n`,
      ...Object.fromEntries(
        [...new Set(all.map(({ topic }) => topic))].map((name) => {
          const links = all.filter((link) => link.topic === name);
          const kept = links.filter(({ what }) => what !== "deleted");
          const gone = links.filter(({ what }) => what === "deleted").map(({ alias }) => alias);
          const lines = kept.map(({ alias, url }) => `  ${alias}: { url: "${url(2027)}" }`);
          return [`links/${name}.yaml`, `links:\n${lines.join("\n")}\nabsent: { links: [${gone.join(", ")}] }\n`];
        }),
      ),
    },
  };
}

/** Comments of every length that approvers get. */
export const COMMENTS = [1, 10, 70, 400].map(campaigns);

const SCENES = [
  example("first-link"),
  example("campaign"),
  example("team", "linkform.yaml", "sandbox.json"),
  example("shared-account", "linkform.marketing.yaml", "sandbox.json"),
  example("shared-account", "linkform.sales.yaml", "sandbox.json"),
  example("environments"),
  example("environments", "linkform.staging.yaml", "sandbox.staging.json"),
  { ...README_PLAN, name: "plan-base" },
  { ...everything, name: "plan-everything", args: ["plan"] },
  { ...many, name: "plan-60-changes", args: ["plan"] },
  { ...planned("differences"), name: "plan-differences" },
  { ...planned("brake-deletes"), name: "plan-braked" },
  { ...planned("readme-orphan"), name: "plan-orphan" },
  { ...planned("readme-unmanaged"), name: "plan-unmanaged" },
  { ...planned("readme-protected"), name: "plan-protected" },
  { ...campaign, name: "plan-nothing", before: [["apply", "--yes"]], args: ["plan"] },
  { ...campaign, name: "plan-no-key", env: { LINKFORM_API_KEY: "" }, args: ["plan"] },
  { ...campaign, name: "plan-unreachable", url: "http://127.0.0.1:1", args: ["plan"] },
  { ...team, name: "apply", args: ["apply"], typed: "yes\n" },
  { ...team, name: "apply-no", args: ["apply"], typed: "no\n" },
  {
    ...campaign,
    name: "apply-fails-halfway",
    seed: { account: { features: { links: 2 } } },
    args: ["apply", "--yes", "--concurrency", "1"],
  },
  { ...takenMeanwhile, name: "apply-taken", args: ["apply", "--yes"] },
  { ...campaign, name: "apply-without-secrets", args: ["apply", "--yes"], env: { LINKFORM_SECRET_STATS: "" } },
  {
    ...everything,
    name: "apply-saved-moved",
    before: [["plan", "--out", "plan.json"]],
    edits: { "linkform.yaml": everything.files["linkform.yaml"].replace("utm_source=poster", "utm_source=radio") },
    args: ["apply", "plan.json"],
  },
  { ...planned("drift"), name: "drift" },
  { ...planned("drift-base"), name: "drift-base" },
  { files: ONE_LINK, name: "doctor", args: ["doctor"] },
  { files: ONE_LINK, name: "doctor-wrong-key", args: ["doctor"], env: { LINKFORM_API_KEY: "wrong" } },
  { files: BROKEN, name: "validate-ten-broken-files", args: ["validate"] },
  { ...campaign, name: "validate-valid", args: ["validate"] },
  ...COMMENTS,
  { name: "validate-no-project", args: ["validate"] },
  { name: "help", args: ["--help"] },
  { name: "help-plan", args: ["plan", "--help"] },
  { name: "wrong-flag", args: ["plan", "--bsae", "main"] },
  { name: "wrong-command", args: ["aply"] },
];

/** The scenes with these names; without any, all of the table. Throws for a name that is none. */
export function scenesCalled(names) {
  if (names.length === 0) return SCENES;
  return names.map((name) => {
    const [kind, fixture] = name.split("/");
    const found = SCENES.find((scene) => scene.name === name);
    if (found !== undefined) return found;
    if (kind === "plans" && fixture !== undefined) return planned(fixture);
    if (kind === "invalid" && fixture !== undefined) return broken(fixture);
    throw new Error(`No scene is called ${name}. There are: ${SCENES.map((scene) => scene.name).join(", ")}.`);
  });
}
