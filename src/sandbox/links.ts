// The links resource: list, show, store, update, delete (docs/service.md, "Endpoints" and "Responses").
import { randomInt } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ownForm, textAt, type Form } from "./forms.ts";
import { pixelView } from "./account.ts";
import { assignForm, checkLink, readPixels, targetsOf } from "./link-form.ts";
import { blankLink } from "./seed.ts";
import { isExpired, isSet, type Domain, type Link, type Row } from "./state.ts";
import { list } from "./list.ts";
import { deleted, found, notFound, notUpdatable, refuseIfAny, serverError, stored, type Reply } from "./reply.ts";
import { isSince, USER_ID, type ApiRequest, type Service, type Software } from "./service.ts";
import type { Store } from "./store.ts";
import { datesOf, isoTime, sqlTime } from "./zone.ts";

export function listLinks(request: ApiRequest): Reply {
  const { service, query } = request;
  const { filters } = service.dialect;
  const asked = ownForm(query, filters);
  const status = textAt(query, "status") ?? "0";
  return list(request, {
    rows: [...service.store.links.values()].filter(
      (link) => passes(link, asked, service.software) && hasStatus(link, status, service),
    ),
    view: (link) => linkView(link, request),
    searchable: ["title", "alias", "url"],
    // `status` is missing: the links to other pages lose it (docs/service.md, "Lists").
    kept: Object.values(filters),
  });
}

/**
 * The list's filters; one that is empty does not filter. Since 44 neither does 0, but for the space. What 0 does before is not
 * known: here it finds nothing, so that no client relies on it.
 */
function passes(link: Link, query: Form, software: Software): boolean {
  const matches = (name: string, ids: readonly number[]): boolean => {
    const asked = textAt(query, name);
    const isNone = asked === null || (Number(asked) === 0 && name !== "space" && isSince(software, "44"));
    return isNone || ids.includes(Number(asked));
  };
  return matches("space", [link.space ?? 0]) && matches("domain", [link.domain]) && matches("pixel", link.pixels);
}

/**
 * 0 all, 1 active, 2 expired (disabled or not), anything else disabled. In 49 only the click limit counts, and 3 and above are
 * ignored.
 */
function hasStatus(link: Link, status: string, service: Service): boolean {
  if (status === "0") return true;
  if (isSince(service.software, "49")) {
    const limit = link.expiration_clicks ?? 0;
    const isUsedUp = limit > 0 && link.clicks >= limit;
    return status === "2" ? isUsedUp : status !== "1" || !isUsedUp;
  }
  const expired = isExpired(link, service);
  if (status === "1") return link.disabled === 0 && !expired;
  return status === "2" ? expired : link.disabled === 1;
}

export function showLink(request: ApiRequest): Reply {
  return found(linkView(request.service.store.links.find(request.id), request));
}

/** The sandbox has no statistics. It only responds as measured where the versions differ. `operating_system` is a name that 49 added. */
export function showStats({ service, query }: ApiRequest): never {
  const isKnown = isSince(service.software, "49") || textAt(query, "name") !== "operating_system";
  refuseIfAny(isKnown ? {} : { name: ["The selected name is invalid."] });
  throw notFound();
}

/** 201 with an echo, 422, or 500. After a 500 for `pixels=`, the link exists. */
export function storeLink(request: ApiRequest): Reply {
  const { service } = request;
  const { store } = service;
  const form = ownForm(request.form, service.dialect.sent);
  checkLink(form, undefined, service);
  if (textAt(form, "pixels") !== null) throw serverError();
  const domain = Number(textAt(form, "domain"));
  const blank = blankLink({ domain, alias: randomAlias(store, domain) }, service.now());
  const link = { ...assignForm(blank, form, service), id: store.newId("link") };
  return stored(linkView(save(link, form, service), request, echo(form, true)));
}

/** Omitted fields do not change. */
export function updateLink(request: ApiRequest): Reply {
  const { service, id } = request;
  const link = service.store.links.find(id, () => notUpdatable("Link", service.software));
  const form = ownForm(request.form, service.dialect.sent);
  checkLink(form, link, service);
  const changed = assignForm(link, form, service);
  const written = isDeepStrictEqual(changed, link) ? link : { ...changed, updated_at: service.now() };
  return found(linkView(save(written, form, service), request, echo(form, false)));
}

export function removeLink({ service: { store }, id }: ApiRequest): Reply {
  const link = store.links.find(id);
  store.links.remove(link);
  store.commit();
  return deleted(link.id, "link");
}

/** Saves the row, then its pixels. An error in the pixels comes after the rest is saved. */
function save(link: Link, form: Form, service: Service): Link {
  service.store.links.put(link);
  try {
    const pixels = readPixels(form, service);
    const complete = pixels === undefined ? link : { ...link, pixels };
    service.store.links.put(complete);
    return complete;
  } finally {
    service.store.commit();
  }
}

function randomAlias(store: Store, domain: number): string {
  const characters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const alias = Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join("");
  return store.linkAt(domain, alias) === undefined ? alias : randomAlias(store, domain);
}

/**
 * The response to a GET, in shows and lists: the values by their names on the wire, without those that this version does not have.
 * Passwords are only set or unset. @param echoed values in place of the stored ones
 */
function linkView(link: Link, request: ApiRequest, echoed: object = {}): object {
  const { store, software, dialect } = request.service;
  const dates = (row: Row): object => datesOf(row, software === "4.1" ? sqlTime : isoTime);
  const domainView = ({ shared, ...row }: Domain): object => ({ ...row, user_id: shared ? 0 : USER_ID, ...dates(row) });
  const domain = store.domains.get(link.domain);
  const space = link.space === null ? undefined : store.spaces.get(link.space);
  const values: Readonly<Record<string, unknown>> = {
    ...link,
    short_url: shortUrl(link, domain, request),
    target_type: dialect.targetWords === null ? link.target_type : dialect.targetWords[link.target_type ?? 0] || null,
    targets: targetsOf(link),
    privacy_password: isSet(link.privacy_password),
    password: isSet(link.password),
    space: space === undefined ? null : { ...space, user_id: USER_ID, ...dates(space) },
    domain: domain === undefined ? null : domainView(domain),
    pixels: store.pixelsOf(link).map((pixel) => {
      const pivot = { link_id: link.id, pixel_id: pixel.id };
      return { ...pixelView(pixel, dialect), user_id: USER_ID, ...dates(pixel), pivot };
    }),
    starts_at: link.starts_at && isoTime(link.starts_at),
    ends_at: link.ends_at && isoTime(link.ends_at),
    expires_at: null,
    ...datesOf(link),
    ...echoed,
  };
  return Object.fromEntries(Object.entries(dialect.returned).map(([name, wire = ""]) => [wire, values[name]]));
}

/** Without a scheme in 4.1; with the service's port on its own domain in 49. */
function shortUrl(link: Link, domain: Domain | undefined, { service: { software }, origin }: ApiRequest): string {
  const port = isSince(software, "49") && domain?.shared === true ? /:\d+$/.exec(origin)?.[0] : undefined;
  return `${software === "4.1" ? "" : "http://"}${domain?.name ?? ""}${port ?? ""}/${link.alias}`;
}

const ECHOED = ["target_type", "disabled", "privacy", "expiration_clicks", "sensitive"] as const;

/** The response to a write repeats numbers that were sent as texts. In a store, those that were not sent are null. */
function echo(form: Form, isStore: boolean): object {
  const fields = isStore ? ECHOED : ECHOED.filter((field) => form.has(field));
  const sent = fields.map((field) => [field, textAt(form, field)]);
  return { ...Object.fromEntries(sent), ...(isStore && { last_rotation: null, clicks: null }) };
}
