// How the changes of a long plan are grouped. Fails if a few changes get groups, if a division with too many groups or with
// single members wins, or if a tie is decided otherwise.

import { describe, expect, test } from "vitest";
import { campaignOf, divide, groupsOf, type Belonging } from "../../src/view/campaigns.ts";
import { viewChange, type ChangeView } from "../../src/view/change.ts";
import { create, GO, planOf } from "../render/plans.ts";

/** The labels of `count` changes, repeated in turn. */
function changesOf(count: number, belongings: readonly Partial<Belonging>[]): ChangeView[] {
  return Array.from({ length: count }, (_, at) => {
    const change = create(`${GO}/l${at}`);
    const none = { family: null, campaign: null, space: null, file: "all.yaml" };
    return { ...viewChange(change, planOf([change])), belongs: { ...none, ...belongings[at % belongings.length] } };
  });
}

const numbered = (count: number, by: keyof Belonging): Partial<Belonging>[] =>
  Array.from({ length: count }, (_, at) => ({ [by]: `${by} ${at}` }));

describe("the division of changes", () => {
  test.each([
    ["few changes", 7, numbered(2, "campaign"), null],
    ["two campaigns", 8, numbered(2, "campaign"), "campaign"],
    [
      "one campaign, but two spaces",
      8,
      [
        { campaign: "a", space: "x" },
        { campaign: "a", space: "y" },
      ],
      "space",
    ],
    ["one of everything", 8, [{ campaign: "a", space: "x" }], null],
    ["a campaign for each change", 10, numbered(10, "campaign"), null],
    ["too many campaigns", 40, numbered(13, "campaign"), null],
    [
      "as many campaigns as files",
      8,
      [
        { campaign: "a", file: "x" },
        { campaign: "b", file: "y" },
      ],
      "campaign",
    ],
    [
      "more files than campaigns",
      9,
      [
        { campaign: "a", file: "x" },
        { campaign: "b", file: "y" },
        { campaign: "a", file: "z" },
      ],
      "file",
    ],
  ])("with %s", (_, count, belongings, expected) => {
    expect(divide(changesOf(count, belongings))?.by ?? null).toBe(expected);
  });

  test("keeps every change, and those without a label are last", () => {
    const changes = changesOf(9, [{}, { campaign: "b" }, { campaign: "a" }]);
    const division = divide(changes);
    const groups = division === null ? [] : groupsOf(changes, division);
    expect(groups.map(({ label, changes: members }) => [label, members.length])).toEqual([
      ["b", 3],
      ["a", 3],
      [null, 3],
    ]);
  });
});

test.each([
  ["https://a.example/?utm_source=x&utm_campaign=spring%20sale#top", "spring sale"],
  ["https://a.example/?UTM_CAMPAIGN=a+b", "a b"],
  ["https://a.example/?utm_campaign=%zz", "%zz"],
  ["https://a.example/?utm_campaign=", null],
  ["https://a.example/utm_campaign=x", null],
  [undefined, null],
])("the campaign of %s is %s", (destination, expected) => {
  expect(campaignOf(destination)).toBe(expected);
});
