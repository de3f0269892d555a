// A link as the service shows it, and the echo that answers a write (observed.md, "Bodies").
import { type Form, text } from "./forms.ts";
import { type Service, USER_ID } from "./service.ts";
import type { Link } from "./state.ts";
import { isSet } from "./visit/link-state.ts";
import { isoTime, sqlTime } from "./zone.ts";

/** What a GET tells, for show and list alike. Passwords show only as whether there is one. */
export function linkView(link: Link, { store, software }: Service): object {
  const nestedTime = software === "4.1" ? sqlTime : isoTime;
  const dates = (row: Pick<Link, "created_at" | "updated_at">): object => ({
    created_at: nestedTime(row.created_at),
    updated_at: nestedTime(row.updated_at),
  });
  const domain = store.domains.get(link.domain);
  const space = link.space === null ? undefined : store.spaces.get(link.space);
  return {
    id: link.id,
    alias: link.alias,
    url: link.url,
    short_url: `${software === "4.1" ? "" : "http://"}${domain?.name ?? ""}/${link.alias}`,
    title: link.title,
    target_type: link.target_type,
    country_target: link.country,
    platform_target: link.platform,
    language_target: link.language,
    rotation_target: link.rotation,
    last_rotation: link.last_rotation,
    disabled: link.disabled,
    privacy: link.privacy,
    privacy_password: isSet(link.privacy_password),
    password: isSet(link.password),
    expiration_url: link.expiration_url,
    expiration_clicks: link.expiration_clicks,
    clicks: link.clicks,
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
      return [{ id, name: pixel.name, type: pixel.type, value: pixel.value, user_id: USER_ID, ...dates(pixel), pivot }];
    }),
    ends_at: link.ends_at && isoTime(link.ends_at),
    created_at: isoTime(link.created_at),
    updated_at: isoTime(link.updated_at),
  };
}

/** The numbers of a link that can be sent: an answer repeats them as text. */
const ECHOED = ["target_type", "disabled", "privacy", "expiration_clicks"] as const;

/** The answer to an update: as stored, but numbers just sent are texts. */
export function updateEcho(link: Link, form: Form, service: Service): object {
  const sent = ECHOED.filter((field) => form.has(field)).map((field) => [field, text(form, field)]);
  return { ...linkView(link, service), ...Object.fromEntries(sent) };
}

/** The answer to a store: numbers that were not sent are null, whatever is stored. */
export function storeEcho(link: Link, form: Form, service: Service): object {
  const numbers = ECHOED.map((field) => [field, text(form, field)]);
  return { ...linkView(link, service), ...Object.fromEntries(numbers), last_rotation: null, clicks: null };
}
