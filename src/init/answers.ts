// The answers for a new project. Each comes from a flag, from the user at the terminal, or from a default.

import { CI_TEXTS, isLabel, withLabels, type CiValues } from "./new-project.ts";
import type { FoundName, LabeledName, NewProject } from "./new-project.ts";
import type { Account, InitContext } from "./service.ts";
import type { ProjectPlace } from "./files.ts";
import type { Questions } from "../session/questions.ts";
import { plural } from "../domain/words.ts";
import { usageError, type UserError } from "../errors.ts";

type QuestionContext = Pick<InitContext, "flags" | "ask">;

/** `account` is null if the service was not asked. */
export async function answerProject(
  baseUrl: string,
  account: Account | null,
  { flags, ask }: QuestionContext,
): Promise<NewProject> {
  const domains = await chooseNames("domain", flags.domain, account?.domains ?? null, ask);
  const spaces = await chooseNames("space", flags.space, account?.spaces ?? null, ask);
  const [only, ...others] = domains;
  return { baseUrl, domains, spaces, defaultDomain: others.length === 0 ? (only?.label ?? null) : null };
}

/** Null for no workflows. */
export async function answerCi(
  { baseUrl, place, secrets }: Pick<CiValues, "baseUrl" | "secrets"> & { readonly place: ProjectPlace },
  { flags, ask }: QuestionContext,
): Promise<CiValues | null> {
  const { repository, file } = place;
  const system =
    flags.ci ??
    (await ask?.choose<"github" | "gitlab" | "none">(
      "Add a workflow that plans pull requests and applies merged changes?",
      [
        { value: "github", label: "For GitHub" },
        { value: "gitlab", label: "For GitLab" },
        { value: "none", label: "None", hint: "you can add it later with linkform init --ci" },
      ],
      repository?.host ?? "none",
    ));
  if (system === undefined || system === "none") return null;
  if (!/^linkform(?:\..+)?\.yaml$/.test(file)) {
    const message = `The workflow finds files named linkform.yaml or linkform.NAME.yaml, but not \`${file}\`.`;
    throw usageError("ci-name", message, { hint: "Rename the file, or remove --ci." });
  }
  const source = answerSource(system, flags.ciSource);
  const image = await answerImage(system, { flags, ask });
  return { system, baseUrl, source, branch: repository?.branch ?? "main", image, secrets };
}

/** Null for a copy of GitLab's template. */
function answerSource(system: CiValues["system"], given: string | undefined): string | null {
  const hint =
    "Pass --ci-source OWNER/REPOSITORY@COMMIT. `git ls-remote https://github.com/OWNER/REPOSITORY` prints the commit of each version.";
  if (given !== undefined) {
    if (/^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/.test(given)) return given;
    const message = `\`--ci-source ${given}\` does not name a repository and its commit.`;
    throw usageError("wrong-ci-source", message, { hint });
  }
  if (system === "gitlab") return null;
  // Only builds of a release know their commit.
  if (CI_TEXTS.action !== null) return CI_TEXTS.action;
  const message = "`--ci-source` is missing: the workflow pins the action by its repository and commit.";
  throw usageError("no-ci-source", message, { hint });
}

async function answerImage(system: CiValues["system"], { flags, ask }: QuestionContext): Promise<string | null> {
  const hint = "Write it as REGISTRY/NAME:TAG, or with a digest.";
  const check = (text: string): string | null =>
    /^[\w./:@-]+$/.test(text) ? null : `\`${text}\` is not an image. ${hint}`;
  if (system === "github") {
    if (flags.ciImage === undefined) return null;
    throw usageError("ci-image-alone", "`--ci-image` is for GitLab.", { hint: "Remove it, or pass --ci gitlab." });
  }
  if (flags.ciImage !== undefined) {
    if (check(flags.ciImage) === null) return flags.ciImage;
    throw usageError("wrong-ci-image", `\`--ci-image ${flags.ciImage}\` is not an image.`, { hint });
  }
  if (ask === null)
    throw usageError("no-ci-image", "`--ci-image` is missing: the jobs need an image that contains linkform.", {
      hint: "Build it from the Dockerfile of linkform, push it to your registry, and pass its name: --ci-image IMAGE.",
    });
  const question = "Which image contains linkform? Build it from the Dockerfile of linkform.";
  return ask.text(question, { example: "registry.example.com/linkform:0.1.0" }, check);
}

/** Whether to pull the live state now. */
export async function answerStart(account: Account | null, { flags, ask }: QuestionContext): Promise<"pull" | "fresh"> {
  if (flags.pull === true) return "pull";
  if (ask === null || account === null || account.links === 0) return "fresh";
  const count = account.links === 1 ? "the link" : `the ${account.links} links`;
  return ask.choose<"pull" | "fresh">(
    "How do you want to start?",
    [
      { value: "pull", label: `Write ${count} of the account into files`, hint: "the account is not changed" },
      { value: "fresh", label: "Start with an example", hint: "you can add live links later" },
    ],
    "pull",
  );
}

type NameKind = "domain" | "space";

/** From flags, else from the user, else all. `found` is null if the service was not asked. Throws a user error for a wrong name. */
async function chooseNames(
  what: NameKind,
  given: readonly string[] | undefined,
  found: readonly FoundName[] | null,
  ask: Questions | null,
): Promise<LabeledName[]> {
  if (given !== undefined) {
    const named = given.map((text) => parseName(what, text, found));
    return withLabels([...new Map(named.map((row) => [`${row.id ?? ""} ${row.name.toLowerCase()}`, row])).values()]);
  }
  if (ask === null || found === null) return withLabels(found ?? []);
  const all = withLabels(found);
  if (all.length < 2) return all;
  const labels = all.map(({ label }) => label);
  const textOf = ({ label, id, name }: LabeledName): string => (label === name ? name : `${name} (${id})`);
  const options = all.map((one) => ({ value: one.label, label: textOf(one) }));
  const question = `Which ${what}s do these files cover? The account has ${all.length}.`;
  const chosen = await ask.chooseSome(question, options, labels);
  return all.filter(({ label }) => chosen.includes(label));
}

/** The domain or space in `NAME` or `NAME=ID`. */
function parseName(what: NameKind, text: string, found: readonly FoundName[] | null): FoundName {
  const [, name = "", number = ""] = /^\s*(.*?)\s*(?:=\s*(\d+)\s*)?$/s.exec(text) ?? [];
  const id = number === "" ? null : Number(number);
  const wrong = (message: string, hint: string): UserError => usageError(`wrong-${what}`, message, { hint });
  if (!isLabel(name) || (id !== null && (id < 1 || !Number.isSafeInteger(id)))) {
    const example = what === "domain" ? "go.example.com, or go.example.com=2" : "Marketing, or Marketing=1";
    throw wrong(`\`${text}\` is not a name of a ${what}.`, `Write it as ${example}.`);
  }
  const isNamed = (row: FoundName): boolean => row.name.trim().toLowerCase() === name.toLowerCase();
  const [row, ...others] = (found ?? []).filter((one) => isNamed(one) && (id === null || one.id === id));
  if (row !== undefined && others.length > 0) {
    const ids = [row, ...others].map((one) => one.id).join(", ");
    const message = `${others.length + 1} ${what}s have the name \`${name}\` (ids ${ids}).`;
    throw wrong(message, `Choose one by id: ${name}=${row.id}.`);
  }
  if (row !== undefined) return row;
  // The service may not list a domain that all accounts share.
  if (found === null || (id !== null && !found.some((one) => one.id === id || isNamed(one))))
    return { id, name, isListed: false };
  const listed = found.length === 0 ? "none" : found.map((one) => `${one.name}=${one.id}`).join(", ");
  throw wrong(
    `The service does not list the ${what} \`${text.trim()}\`. It lists ${plural(found.length, what)}: ${listed}.`,
    `Fix the name or the id. If the service does not list this ${what}, add its id: ${name}=ID.`,
  );
}
