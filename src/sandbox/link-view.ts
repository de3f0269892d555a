// A link as the service shows it, and the echo that answers a write (docs/service.md, "Responses").
import { type Dialect, DIALECTS, shownPixelType } from "./dialect.ts";
import { type Form, text } from "./forms.ts";
import { type ApiRequest, USER_ID } from "./service.ts";
import type { Domain, Link } from "./state.ts";
import { targetsOf } from "./targets.ts";
import { isSet } from "./visit/link-state.ts";
import { isoTime, sqlTime } from "./zone.ts";

/** What a GET tells, for show and list alike. Passwords show only as whether there is one. */
export function linkView(link: Link, request: ApiRequest): object {
  return renamed(ownView(link, request), DIALECTS[request.service.software]);
}

/** The values under the wire's names, without those that have none in this version. */
function renamed(values: Readonly<Record<string, unknown>>, { returned }: Dialect): object {
  return Object.fromEntries(
    Object.entries(returned).flatMap(([name, wire = ""]) => (name in values ? [[wire, values[name]]] : [])),
  );
}

function ownView(link: Link, request: ApiRequest): Readonly<Record<string, unknown>> {
  const { store, software } = request.service;
  const dialect = DIALECTS[software];
  const nestedTime = software === "4.1" ? sqlTime : isoTime;
  const dates = (row: Pick<Link, "created_at" | "updated_at">): object => ({
    created_at: nestedTime(row.created_at),
    updated_at: nestedTime(row.updated_at),
  });
  const domain = store.domains.get(link.domain);
  const space = link.space === null ? undefined : store.spaces.get(link.space);
  return {
    ...link,
    short_url: shortUrl(link, domain, request),
    target_type: dialect.targetWords === null ? link.target_type : dialect.targetWords[link.target_type ?? 0] || null,
    targets: targetsOf(link),
    sensitive: link.sensitive ?? null,
    privacy_password: isSet(link.privacy_password),
    password: isSet(link.password),
    space:
      space === undefined
        ? null
        : { id: space.id, user_id: USER_ID, name: space.name, color: space.color, ...dates(space) },
    domain:
      domain === undefined
        ? null
        : {
            id: domain.id,
            name: domain.name,
            index_page: domain.index_page,
            not_found_page: domain.not_found_page,
            user_id: domain.shared ? 0 : USER_ID,
            ...dates(domain),
          },
    pixels: link.pixels.flatMap((id) => {
      const pixel = store.pixels.get(id);
      const pivot = { link_id: link.id, pixel_id: id };
      if (pixel === undefined) return [];
      const { name, value } = pixel;
      const type = shownPixelType(pixel.type, dialect);
      return [{ id, name, type, value, user_id: USER_ID, ...dates(pixel), pivot }];
    }),
    starts_at: link.starts_at === undefined ? null : isoTime(link.starts_at),
    ends_at: link.ends_at && isoTime(link.ends_at),
    expires_at: null,
    created_at: isoTime(link.created_at),
    updated_at: isoTime(link.updated_at),
  };
}

/** Without a scheme in 4.1; with the service's port on its own domain in 49. */
function shortUrl(link: Link, domain: Domain | undefined, { service: { software }, origin }: ApiRequest): string {
  const port = software === "49" && domain?.shared === true ? /:\d+$/.exec(origin)?.[0] : undefined;
  return `${software === "4.1" ? "" : "http://"}${domain?.name ?? ""}${port ?? ""}/${link.alias}`;
}

/** The fields of a link that answers repeat as they were sent. */
const ECHOED = ["target_type", "disabled", "privacy", "expiration_clicks", "sensitive"] as const;

/** The answer to an update: as stored, but numbers just sent are texts. */
export function updateEcho(link: Link, form: Form, request: ApiRequest): object {
  const sent = ECHOED.filter((field) => form.has(field)).map((field) => [field, text(form, field)]);
  return renamed({ ...ownView(link, request), ...Object.fromEntries(sent) }, DIALECTS[request.service.software]);
}

/** The answer to a store: numbers that were not sent are null, whatever is stored. */
export function storeEcho(link: Link, form: Form, request: ApiRequest): object {
  const numbers = ECHOED.map((field) => [field, text(form, field)]);
  const echo = { ...ownView(link, request), ...Object.fromEntries(numbers), last_rotation: null, clicks: null };
  return renamed(echo, DIALECTS[request.service.software]);
}
