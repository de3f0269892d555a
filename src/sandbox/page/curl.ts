// The curl command that does what a trial shows: how a visitor is made up, for scripts and tests.
import type { ShortUrl } from "../visit/short-url.ts";
import type { TrialForm } from "./trial.ts";
import { OTHER_AGENT, SAMPLE_AGENTS } from "../visit/user-agent.ts";
import { COUNTRY_HEADER } from "../visit/visitor.ts";

/**
 * One command for a POSIX shell. With `isCrawler` curl comes as itself.
 * @param port the sandbox's
 * @param query as it goes on the wire, without `?`
 */
export function curlCommand({ domain, alias }: ShortUrl, query: string, form: TrialForm, port: number): string {
  const path = encodeURIComponent(Buffer.from(alias).toString());
  const headers = [
    ["Host", domain.name],
    [COUNTRY_HEADER, form.country],
    ["Accept-Language", form.language],
    ["User-Agent", form.isCrawler ? "" : (SAMPLE_AGENTS[form.platform] ?? OTHER_AGENT)],
  ].filter(([, value]) => value !== "");
  return [
    "curl -i",
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(form.isTrusted ? ["-d password=…"] : []),
    ...(form.consent === null ? [] : [`-d consent=${form.consent}`]),
    quoted(`http://127.0.0.1:${port}/${path}${query === "" ? "" : `?${query}`}`),
  ].join(" \\\n  ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
