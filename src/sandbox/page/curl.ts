// The curl command that does what a trial shows: how a visitor is made up, for scripts and tests.
import type { ShortUrl } from "../visit/short-url.ts";
import type { TrialForm } from "./trial.ts";
import { OTHER_AGENT, SAMPLE_AGENTS, SAMPLE_BROWSERS, SAMPLE_DEVICES } from "../visit/user-agent.ts";
import { CONTINENT_HEADER, COUNTRY_HEADER, WARNED_FIELD } from "../visit/visitor.ts";

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
    [CONTINENT_HEADER, form.continent],
    ["Accept-Language", form.language],
    ["User-Agent", form.isCrawler ? "" : agentFor(form)],
  ].filter(([, value]) => value !== "");
  return [
    "curl -i",
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(form.isTrusted ? ["-d password=…"] : []),
    ...(form.isWarned ? [`-d ${WARNED_FIELD}=1`] : []),
    ...(form.consent === null ? [] : [`-d consent=${form.consent}`]),
    quoted(`http://127.0.0.1:${port}/${path}${query === "" ? "" : `?${query}`}`),
  ].join(" \\\n  ");
}

/** One user agent shows only one of these. */
function agentFor({ platform, browser, device }: TrialForm): string {
  return SAMPLE_AGENTS[platform] ?? SAMPLE_BROWSERS[browser] ?? SAMPLE_DEVICES[device] ?? OTHER_AGENT;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
