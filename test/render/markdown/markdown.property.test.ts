// Whole reports in markdown of texts that want to be obeyed. Fails when a reader meets anything in one that is not ours: an element,
// a link, a comment, a mention or reference outside of code; or when a report goes over its limit or is cut in two.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../../src/domain/change.ts";
import { error, warning, type Diagnostic } from "../../../src/domain/diagnostic.ts";
import { SourceText } from "../../../src/domain/place.ts";
import { heldByBrake } from "../../../src/apply/outcome.ts";
import type { Ended, Report } from "../../../src/view/report.ts";
import type { ChangeResult } from "../../../src/view/change-document.ts";
import { changeResults } from "../../../src/view/document.ts";
import type { RenderContext } from "../../../src/render/format.ts";
import { markdown } from "../../../src/render/markdown/index.ts";
import { markerOf } from "../../../src/render/markdown/fit.ts";
import { PLAIN } from "../../../src/render/text/screen.ts";
import { hostileText } from "../../support/hostile.ts";
import { Rendered } from "../../support/rendered.ts";
import { create, liveLink, livePixel, place, planOf, remove, replace, update } from "../plans.ts";

const BLOB = "https://github.example.com/octo/links/blob/5d1c2a7/";
const RUN = "https://github.example.com/octo/links/actions/runs/42";

/** Every element that a report may have. */
const OURS = "a blockquote br code details em h2 h3 li ol p pre strong summary ul".split(" ");

/** What GitHub, GitLab or a mail program would make something of, in a text that is no code. */
const SPEAKS = /[@#~$%^&*_<>[\]{}|\\/=+`]|\d{7}|\b[0-9a-f]{7,}\b|\p{L}-\d|www\.|:\w+:|\w\.\w/iu;

const text = hostileText;
const url = fc.oneof(
  text.map((path) => `https://www.example.com/${path}`),
  text,
);

const changeArbitrary: fc.Arbitrary<Change> = fc
  .record({
    form: fc.constantFrom("create", "update", "rename", "replace", "delete", "pixel"),
    name: text,
    other: text,
    before: url,
    after: url,
    file: text,
  })
  .map(({ form, name, other, before, after, file }): Change => {
    const source = place(3, file === "" ? "a.yaml" : file);
    const fields = [
      { path: "url", before, after },
      { path: "pixels", before: [name], after: [other, after] },
      { path: "targeting.country", before: [[name, before] as const], after: [[name, after] as const] },
    ];
    const live = liveLink(name, { values: { url: before } });
    switch (form) {
      case "create":
        return create(`go.example.com/${name}`, { source, fields: [{ path: "url", before: undefined, after }] });
      case "update":
        return update(live, { source, fields });
      case "rename":
        return update(live, {
          source,
          key: `go.example.com/${other}x`,
          previousKey: live.key,
          reason: "renamed",
          breaksUrl: true,
        });
      case "replace":
        return { ...replace(live, `promo/${other}`), source };
      case "delete":
        return remove(live, { source, reason: "removed" });
      case "pixel":
        return remove(livePixel(name), { source });
      default:
        return form satisfies never;
    }
  });

const diagnosticArbitrary: fc.Arbitrary<Diagnostic> = fc
  .record({
    code: text,
    message: text,
    hint: fc.option(text),
    file: text,
    line: text,
    isError: fc.boolean(),
    ref: fc.option(text),
  })
  .map(({ code, message, hint, file, line, isError, ref }) => {
    const source = new SourceText(`first\n${line}\nlast`, file, ref);
    const at = source.place("first\n".length, "first\n".length + 3);
    return (isError ? error : warning)(code, message, file === "" ? null : at, hint);
  });

const ended: Ended = {
  isVerified: true,
  clicksLost: 3,
  cost: { requests: 12, seconds: 20, waited: 4 },
  exit: 4,
  stopped: ["max-wait"],
  again: "linkform apply",
  look: "linkform plan",
};

const reportArbitrary: fc.Arbitrary<Report> = fc
  .record({
    of: fc.constantFrom("validate", "plan", "drift", "apply", "held", "failure"),
    changes: fc.array(changeArbitrary, { maxLength: 12 }),
    diagnostics: fc.array(diagnosticArbitrary, { maxLength: 4 }),
    ref: text,
    said: text,
    variable: text,
  })
  .map(({ of, changes, diagnostics, ref, said, variable }): Report => {
    const brake = {
      limits: "deletes",
      kind: "link",
      count: 3,
      limit: 1,
      atStake: 9,
      setting: said,
      flag: 3,
      key: said,
      changes,
    } as const;
    const plan = planOf(changes, {
      base: { ref, commit: "1a2b3c4d5e6f" },
      diagnostics,
      brakes: of === "held" ? [brake] : [],
      orphans: changes.flatMap((change) =>
        change.action === "delete" ? [{ live: change.live, place: change.source, successor: null }] : [],
      ),
      withheld: changes.slice(0, 2).map((change) => ({ change, because: "target" as const })),
      secretsNeeded: [{ from: "env" as const, name: variable, place: place() }],
    });
    const problems = diagnostics.slice(0, 1);
    const results = changeResults(plan, heldByBrake(changes)).map((one, at): ChangeResult => {
      if (at % 3 === 0) return { ...one, outcome: "applied", error: null };
      const failed = {
        code: said,
        message: `The service rejected url: ${said} ${one.key}`,
        hint: said,
        path: null,
        ...one.source,
      };
      return { ...one, outcome: at % 3 === 1 ? "failed" : "skipped", error: failed };
    });
    const planned = { plan, problems, baseUrl: said };
    switch (of) {
      case "validate":
        return { of, isValid: diagnostics.length === 0, files: 2, diagnostics };
      case "plan":
        return { of, ...planned, flagFor: "this run", unmanaged: null, pace: null };
      case "drift":
        return { of, ...planned };
      case "apply":
        return { of, ...planned, results, saved: null, ended };
      case "held":
        return { of, ...planned, results, saved: null, flagFor: "this run", pace: null };
      case "failure":
        return { of, command: "plan", diagnostics, baseUrl: null };
      default:
        return of satisfies never;
    }
  });

/** A live short URL. */
const SHORT_URL = /^https:\/\/go\.example\.com\/[\w.%~-]+$/;

const contextArbitrary: fc.Arbitrary<RenderContext> = fc
  .record({
    project: text,
    file: text,
    maxLength: fc.oneof(fc.constant(65_536), fc.integer({ min: 1000, max: 9000 })),
    isCi: fc.boolean(),
  })
  .map(({ project, file, maxLength, isCi }) => ({
    screen: PLAIN,
    maxLength,
    project: `${project}/linkform.yaml`,
    otherReports: file === "" ? [] : [{ format: "html", file }],
    runUrl: isCi ? RUN : null,
    blobUrl: isCi ? BLOB : null,
  }));

test("a reader sees texts as texts, and nothing but what is ours", () => {
  fc.assert(
    fc.property(reportArbitrary, contextArbitrary, (report, setting) => {
      const written = markdown.render(report, setting);
      const page = new Rendered(written);
      const command = report.of === "failure" ? report.command : report.of === "held" ? "apply" : report.of;
      const marker = markerOf(command, setting.project);

      expect(written.startsWith(`${marker}\n`)).toBe(true);
      expect(written.length).toBeLessThanOrEqual(setting.maxLength);
      expect(page.comments().map((comment) => `<!--${comment}-->`)).toEqual([marker]);
      expect(page.names().filter((name) => !OURS.includes(name))).toEqual([]);
      expect(page.attributes().filter((attribute) => !/^code class=language-(yaml|text)$/.test(attribute))).toEqual([]);
      expect(page.links().filter((to) => to !== RUN && !to.startsWith(BLOB) && !SHORT_URL.test(to))).toEqual([]);
      expect(written.match(/^<details>/gm)?.length ?? 0).toBe(written.match(/^<\/details>/gm)?.length ?? 0);
      // GitLab does what a line says that begins with a slash.
      expect(written.split("\n").filter((line) => line.startsWith("/"))).toEqual([]);
      const outside = page.text("code", "pre").replaceAll("[!CAUTION]", "").replaceAll(/\d%/g, "");
      expect(outside).not.toMatch(SPEAKS);
    }),
    { numRuns: Number(process.env["LINKFORM_PROPERTY_RUNS"] ?? 200) },
  );
}, 60_000);
