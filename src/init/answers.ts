// What a new project is to be, question by question: a flag answers, else the person at the terminal, else what is usual.

import type { CiValues } from "./ci-files.ts";
import type { ProjectAnswers, NewProject, Owned } from "./new-project.ts";
import type { Account } from "./account.ts";
import type { World } from "../session/context.ts";
import { missingFlag, wrongFlag, type InitFlags } from "./flags.ts";
import { chooseNames, labelAmong } from "./names.ts";
import type { ProjectPlace } from "./place.ts";
import { PROJECT_FILE } from "../config/project-file.ts";
import type { Questions } from "../session/questions.ts";

/** Who answers what flags leave open. */
interface QuestionContext {
  readonly flags: InitFlags;
  /** Null where nobody is to be asked. */
  readonly ask: Questions | null;
}

/** What the project is about. `account` is null where the service was not asked. */
export async function answerProject(
  baseUrl: string,
  account: Account | null,
  { flags, ask }: QuestionContext,
): Promise<NewProject> {
  const domains = await chooseNames("domain", flags.domain, account?.domains ?? null, ask);
  const spaces = await chooseNames("space", flags.space, account?.spaces ?? null, ask);
  const owned = await answerOwned(domains, spaces, { flags, ask });
  const defaultDomain = await answerDefault(domains, owned, { flags, ask });
  return { baseUrl, domains, spaces, defaultDomain, owned };
}

/** Whether nobody else makes links in some of it. */
async function answerOwned(
  domains: readonly ProjectAnswers[],
  spaces: readonly ProjectAnswers[],
  { flags, ask }: QuestionContext,
): Promise<Owned | null> {
  const { ownDomain, ownSpace, ownPixels } = flags;
  const given = {
    domains: (ownDomain ?? []).map((text) => labelAmong("domain", "--own-domain", text, domains)),
    spaces: (ownSpace ?? []).map((text) => labelAmong("space", "--own-space", text, spaces)),
  };
  const isGiven = ownDomain !== undefined || ownSpace !== undefined;
  const chosen = isGiven ? given : ask === null ? null : await askOwned(domains, spaces, ask);
  if (chosen === null) return null;
  const usual = [...chosen.spaces, ...(chosen.spaces.length > 0 ? [] : chosen.domains)].map(
    // A sign that means something in a glob stands for any one; of such signs alone, every name would begin so.
    (label) => `${label.replaceAll("*", "?")}${/[^*?]/.test(label) ? "*" : ""}`,
  );
  const pixels = ownPixels ?? (ask === null ? usual : await askPixels(usual, ask));
  return { ...chosen, pixels };
}

async function askOwned(
  domains: readonly ProjectAnswers[],
  spaces: readonly ProjectAnswers[],
  ask: Questions,
): Promise<Pick<Owned, "domains" | "spaces"> | null> {
  if (domains.length + spaces.length === 0) return null;
  ask.say(
    "An account is often shared. If nobody but this repository makes links on a domain or in a space, linkform can tidy up " +
      "there: later, when all that is live stands in the files, it may delete what does not.",
  );
  const how = await ask.choose<"no" | "domains" | "spaces">(
    "Does this repository own everything somewhere?",
    [
      { value: "no", label: "No, or not yet", hint: "what no file names is left alone" },
      ...(domains.length === 0 ? [] : [{ value: "domains", label: "Yes, on some domains" } as const]),
      ...(spaces.length === 0 ? [] : [{ value: "spaces", label: "Yes, in some spaces" } as const]),
    ],
    "no",
  );
  if (how === "no") return null;
  const all = (how === "domains" ? domains : spaces).map(({ label }) => ({ value: label, label }));
  const [only] = all;
  const labels =
    all.length === 1 && only !== undefined ? [only.value] : await ask.chooseSome(`Which ${how} does it own?`, all, []);
  if (labels.length === 0) return null;
  return { domains: how === "domains" ? labels : [], spaces: how === "spaces" ? labels : [] };
}

/** Pixels lie in no domain or space: their names must tell. */
async function askPixels(usual: readonly string[], ask: Questions): Promise<readonly string[]> {
  const how = await ask.choose(
    "Pixels lie in no domain or space. Which of them are this repository's own?",
    [
      { value: "some", label: `Those with names like ${usual.join(", ")}`, hint: "others are left alone" },
      { value: "all", label: "All pixels of the account" },
    ],
    "some",
  );
  return how === "all" ? ["*"] : usual;
}

/** Of links that name no domain. Where this repository owns some domains, another one would lie outside its scope. */
async function answerDefault(
  domains: readonly ProjectAnswers[],
  owned: Owned | null,
  { flags, ask }: QuestionContext,
): Promise<string | null> {
  const isFree = owned === null || owned.domains.length === 0;
  const possible = isFree ? domains : domains.filter(({ label }) => owned.domains.includes(label));
  if (flags.defaultDomain !== undefined) {
    const label = labelAmong("domain", "--default-domain", flags.defaultDomain, domains);
    if (possible.some((one) => one.label === label)) return label;
    throw wrongFlag(
      "wrong-domain",
      `\`--default-domain ${flags.defaultDomain}\` lies outside of what this repository owns.`,
      `It can be one of: ${possible.map((one) => one.label).join(", ")}.`,
    );
  }
  const [only] = possible;
  if (possible.length < 2 || ask === null) return possible.length === 1 ? (only?.label ?? null) : null;
  const none = "";
  const chosen = await ask.choose(
    "Which domain do links get that name none?",
    [
      ...possible.map(({ label }) => ({ value: label, label })),
      { value: none, label: "None: each link names its own" },
    ],
    only?.label ?? none,
  );
  return chosen === none ? null : chosen;
}

/** The workflows; null for none. */
export async function answerCi(
  { version }: World,
  baseUrl: string,
  place: ProjectPlace,
  { flags, ask }: QuestionContext,
): Promise<CiValues | null> {
  const repository = place.repository;
  const system =
    flags.ci ??
    (ask === null
      ? "none"
      : await ask.choose<"github" | "gitlab" | "none">(
          "Workflows that plan pull requests and apply what is merged?",
          [
            { value: "github", label: "For GitHub" },
            { value: "gitlab", label: "For GitLab" },
            { value: "none", label: "None", hint: "or later: linkform init --ci" },
          ],
          repository?.host ?? "none",
        ));
  if (system === "none") return null;
  const folder = repository?.prefix ?? "";
  const config = place.file === PROJECT_FILE ? null : place.file;
  for (const name of [folder, config ?? ""])
    if (!/^[\p{L}\p{N} ._@+/-]*$/u.test(name))
      throw wrongFlag(
        "ci-name",
        `\`${name}\` has signs that mean something in a workflow.`,
        "Rename it, or leave --ci out.",
      );
  return {
    system,
    baseUrl,
    folder,
    config,
    source: await answerSource(system, { flags, ask }),
    branch: await answerBranch(system, repository?.branch ?? "main", { flags, ask }),
    package: flags.ciPackage ?? `./linkform-${version}.tgz`,
  };
}

/** Whose copy of linkform's repository is used. GitLab can do without. */
async function answerSource(system: CiValues["system"], { flags, ask }: QuestionContext): Promise<string | null> {
  const hint = "Write it as OWNER/REPOSITORY.";
  const check = (text: string): string | null =>
    /^[\w.-]+(?:\/[\w.-]+)+$/.test(text) ? null : `\`${text}\` is no repository. ${hint}`;
  if (flags.ciSource !== undefined) {
    if (check(flags.ciSource) === null) return flags.ciSource;
    throw wrongFlag("wrong-ci-source", `\`--ci-source ${flags.ciSource}\` is no repository.`, hint);
  }
  if (system === "gitlab") return null;
  if (ask === null)
    throw missingFlag(
      "no-ci-source",
      "--ci-source",
      "the workflows use an action, and nothing says whose.",
      "Name the repository on GitHub that has your copy of linkform: --ci-source OWNER/REPOSITORY.",
    );
  return ask.text(
    "Which repository on GitHub has your copy of linkform, and so its action?",
    { example: "OWNER/linkform" },
    check,
  );
}

/** GitLab knows its default branch itself. */
async function answerBranch(
  system: CiValues["system"],
  usual: string,
  { flags, ask }: QuestionContext,
): Promise<string> {
  const hint = "Name the default branch of the repository, such as main.";
  const check = (text: string): string | null =>
    /^[^\s~^:\\\p{C}-][^\s~^:\\\p{C}]*$/u.test(text) ? null : `\`${text}\` is no branch. ${hint}`;
  if (flags.branch !== undefined) {
    if (check(flags.branch) === null) return flags.branch;
    throw wrongFlag("wrong-branch", `\`--branch ${flags.branch}\` is no branch.`, hint);
  }
  if (system === "gitlab" || ask === null) return usual;
  return ask.text(
    "Which is the default branch of the repository? What is merged into it is deployed.",
    { initial: usual },
    check,
  );
}

/** Whether what is live is to be brought into files now. */
export async function answerStart(account: Account | null, { flags, ask }: QuestionContext): Promise<"pull" | "fresh"> {
  if (flags.pull === true || flags.fresh === true) return flags.pull === true ? "pull" : "fresh";
  if (ask === null || account === null || account.links === 0) return "fresh";
  const count = account.links === null ? "the links" : `the ${account.links} links`;
  return ask.choose<"pull" | "fresh">(
    "How do you want to begin?",
    [
      {
        value: "pull",
        label: `Bring ${count} that are live into files`,
        hint: "nothing live is changed",
      },
      { value: "fresh", label: "Start fresh, with an example", hint: "live links can follow later" },
    ],
    "pull",
  );
}
