// The links resource: list, show, store, update, delete (interface.md 4.1).
import { randomInt } from "node:crypto";
import { type Form, text } from "./forms.ts";
import { assignForm, linkErrors, readPixels } from "./link-form.ts";
import { linkView, storeEcho, updateEcho } from "./link-view.ts";
import { isExpired } from "./visit/link-state.ts";
import { list } from "./list.ts";
import { deleted, found, FrameworkError, invalid, notFound, type Reply, stored } from "./reply.ts";
import { type ApiRequest, rowOf, type Service } from "./service.ts";
import type { Link } from "./state.ts";
import type { Store } from "./store.ts";

/** Filters, then search, order and pages. */
export function listLinks(request: ApiRequest): Reply {
  const { service, query } = request;
  const now = service.now();
  const rows = [...service.store.links.values()].filter((link) => passes(link, query, now));
  return list(request, {
    rows,
    view: (link) => linkView(link, service),
    searchable: { title: (link) => link.title, alias: (link) => link.alias, url: (link) => link.url },
    // `status` is missing: the links to other pages lose it (observed.md, "Lists").
    kept: ["space", "domain", "pixel"],
    clicks: (link) => link.clicks,
  });
}

/** The list's filters; one that is empty does not filter. */
function passes(link: Link, query: Form, now: string): boolean {
  const asked = (name: string): number | null => {
    const value = text(query, name);
    return value === null ? null : Number(value);
  };
  const [space, domain, pixel] = [asked("space"), asked("domain"), asked("pixel")];
  if (space !== null && (link.space ?? 0) !== space) return false;
  if (domain !== null && link.domain !== domain) return false;
  if (pixel !== null && !link.pixels.includes(pixel)) return false;
  return hasStatus(link, text(query, "status") ?? "0", now);
}

/** 0 all, 1 active, 2 expired (disabled or not), anything else disabled. */
function hasStatus(link: Link, status: string, now: string): boolean {
  if (status === "0") return true;
  const expired = isExpired(link, now);
  if (status === "1") return link.disabled === 0 && !expired;
  return status === "2" ? expired : link.disabled === 1;
}

export function showLink({ service, id }: ApiRequest): Reply {
  const link = rowOf(service.store.links, id);
  return link === undefined ? notFound() : found(linkView(link, service));
}

/** 201 with an echo, 422, or 500; after a 500 over `pixels` the link is there. */
export function storeLink({ service, form }: ApiRequest): Reply {
  const { store } = service;
  const errors = linkErrors(form, undefined, service);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const domain = Number(text(form, "domain"));
  const blank = blankLink(domain, randomAlias(store, domain), service.now());
  const link = { ...assignForm(blank, form, service), id: store.newId("link") };
  return stored(storeEcho(save(link, form, service), form, service));
}

/** PUT and PATCH alike: what is left out stays. */
export function updateLink({ service, id, form }: ApiRequest): Reply {
  const link = rowOf(service.store.links, id);
  if (link === undefined) {
    const model = service.software === "4.1" ? "App\\Link" : "App\\Models\\Link";
    throw new FrameworkError(404, `No query results for model [${model}].`);
  }
  const errors = linkErrors(form, link, service);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const changed = assignForm(link, form, service);
  const isSame = JSON.stringify(changed) === JSON.stringify(link);
  return found(
    updateEcho(save(isSame ? link : { ...changed, updated_at: service.now() }, form, service), form, service),
  );
}

export function removeLink({ service, id }: ApiRequest): Reply {
  const link = rowOf(service.store.links, id);
  if (link === undefined) return notFound();
  service.store.removeLink(link);
  service.store.commit();
  return deleted(link.id, "link");
}

/** Saves the row, then its pixels: what is wrong with the latter is noticed when the rest is kept. */
function save(link: Link, form: Form, service: Service): Link {
  service.store.putLink(link);
  try {
    const pixels = readPixels(form, service);
    const complete = pixels === undefined ? link : { ...link, pixels };
    service.store.putLink(complete);
    return complete;
  } finally {
    service.store.commit();
  }
}

function randomAlias(store: Store, domain: number): string {
  const signs = "abcdefghijklmnopqrstuvwxyz0123456789";
  const alias = Array.from({ length: 5 }, () => signs[randomInt(signs.length)]).join("");
  return store.linkAt(domain, alias) === undefined ? alias : randomAlias(store, domain);
}

const blankLink = (domain: number, alias: string, now: string): Link => ({
  id: 0,
  url: "",
  domain,
  alias,
  title: null,
  password: null,
  space: null,
  pixels: [],
  disabled: 0,
  privacy: 0,
  privacy_password: null,
  expiration_url: null,
  ends_at: null,
  expiration_clicks: 0,
  clicks: 0,
  target_type: 0,
  country: null,
  platform: null,
  language: null,
  rotation: null,
  last_rotation: 0,
  created_at: now,
  updated_at: now,
});
