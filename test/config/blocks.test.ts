// The outline of each document. Fails if a new block would be written for other defaults than those that apply when it is read,
// or into a document without these defaults.

import { expect, it } from "vitest";
import type { Loaded } from "../../src/config/load.ts";
import { showPlace } from "../../src/domain/place.ts";
import { load } from "./loading.ts";

const shown = ({ documents }: Loaded): unknown =>
  documents.map(({ place, linkDefaults }) => ({
    at: showPlace(place),
    defaults: Object.fromEntries([...linkDefaults].map(([path, { value }]) => [path, value])),
  }));

const PROJECT = `domains: { go: { id: 2, name: go.example.com } }
defaults:
  link:
    domain: GO.example.com
    space: Marketing
    expiration: { time: "18:00", clicks: 5 }
files: ["links/*.yaml", more.yaml]
pixels:
`;

it("each document has the defaults that apply to it", async () => {
  const loaded = await load(PROJECT, {
    "links/a.yaml": `---
# nothing in the first document
---
links: {}
---
unspecified: keep
defaults: { link: { space: null, password: { env: LINKFORM_SECRET_A }, targeting: { country: { DE: https://example.com/ } } } }
absent: { links: [x] }
`,
    "more.yaml":
      "defaults: { link: { expiration: none, disabled: true } }\nlinks:\n  b: { url: https://example.com/ }\n",
  });
  expect(loaded.diagnostics).toEqual([]);
  const fromProject = { domain: "go", space: "Marketing", "expiration.clicks": 5, "expiration.time": "18:00" };
  expect(shown(loaded)).toEqual([
    {
      at: "linkform.yaml:1:1",
      defaults: fromProject,
    },
    { at: "links/a.yaml:4:1", defaults: fromProject },
    {
      at: "links/a.yaml:6:1",
      defaults: {
        ...fromProject,
        space: null,
        password: true,
        "targeting.active": "country",
        "targeting.country": [["DE", "https://example.com/"]],
        "targeting.platform": [],
        "targeting.language": [],
        "targeting.continent": [],
        "targeting.browser": [],
        "targeting.device": [],
        "targeting.rotation": [],
      },
    },
    {
      at: "more.yaml:1:1",
      defaults: {
        domain: "go",
        space: "Marketing",
        disabled: true,
        "expiration.date": null,
        "expiration.start": null,
        "expiration.clicks": null,
        "expiration.url": null,
      },
    },
  ]);
  expect([...loaded.linkDefaults].map(([path, { value }]) => [path, value])).toEqual(
    expect.arrayContaining(Object.entries(fromProject)),
  );
  expect(loaded.globs).toEqual(["links/*.yaml", "more.yaml"]);
});

it("the defaults of the project file's own document are read once", async () => {
  const loaded = await load("defaults: { link: { privacy: private } }\n");
  expect(shown(loaded)).toMatchObject([{ defaults: { privacy: "private" } }]);
  expect(loaded.globs).toEqual(["links/**/*.yaml"]);
});
