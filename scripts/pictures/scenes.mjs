// The runs whose comments are drawn: each scene is files, an account and a command.
//
//   folders   of the repository, copied into the project
//   files     written there, by path
//   base      a folder that is what `origin/main` has
//   seed      of the sandbox: a file of the repository, or the state
//   args      of the command

const HEAD = "version: 1\nservice: { base_url: https://short.example.com }\n";
const FIXTURE = "test/fixtures/plans/readme-first";

/** The first plan of the README. */
export const README_PLAN = {
  folders: [`${FIXTURE}/now`],
  base: `${FIXTURE}/base`,
  seed: `${FIXTURE}/live.json`,
  args: ["plan", "--base", "origin/main"],
};

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
