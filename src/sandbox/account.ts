// The account, its domains and spaces, which are undocumented, and its pixels (docs/service.md, "Endpoints").
import { isDeepStrictEqual } from "node:util";
import { PIXEL_TYPES } from "./codes.ts";
import { type Form, textAt } from "./forms.ts";
import { list } from "./list.ts";
import { deleted, found, notUpdatable, refuseIfAny, type Reply, stored } from "./reply.ts";
import { atMost, below, type Check, dashed, known, validate } from "./rules.ts";
import {
  type ApiRequest,
  type Dialect,
  isSince,
  type Service,
  shownPixelType,
  storedPixelType,
  USER_ID,
} from "./service.ts";
import type { Pixel } from "./state.ts";
import { datesOf, isoTime } from "./zone.ts";

/** Plan features with another name than in 4.1. */
const NAMES_SINCE_4_9: Readonly<Record<string, string>> = {
  stats: "link_stats",
  targeting: "link_targeting",
  expiration: "link_expiration",
  password: "link_password",
  disabled: "link_disabling",
  utm: "link_utm",
  deep_links: "link_deep",
};

export function showAccount({ service }: ApiRequest): Reply {
  const { store, software } = service;
  const { account, domains } = store;
  const own = [...domains.values()].find((domain) => !domain.shared);
  const features = Object.entries(account.features)
    .filter(([name]) => name !== "disabled" || !isSince(software, "49"))
    .map(([name, value]) => [software === "4.1" ? name : (NAMES_SINCE_4_9[name] ?? name), value]);
  return found({
    id: USER_ID,
    name: "User",
    email: "user@example.test",
    avatar_url: "https://example.com/avatar.png",
    locale: "en",
    timezone: account.timezone,
    plan: { id: 1, name: "Default", features: Object.fromEntries(features) },
    default_domain: own?.id ?? null,
    default_space: null,
    default_stats: 1,
    created_at: isoTime(own?.created_at ?? service.now()),
  });
}

export function listDomains(request: ApiRequest): Reply {
  return list(request, {
    rows: [...request.service.store.domains.values()].filter((domain) => !domain.shared),
    view: (domain) => {
      const { shared: _, ...own } = domain;
      return { ...own, url: `http://${domain.name}`, ...datesOf(domain) };
    },
  });
}

export function listSpaces(request: ApiRequest): Reply {
  return list(request, {
    rows: [...request.service.store.spaces.values()],
    view: (space) => ({ ...space, ...datesOf(space) }),
  });
}

export function listPixels(request: ApiRequest): Reply {
  const { query, service } = request;
  const { dialect, software, store } = service;
  // 4.1 ignores the documented filter (docs/service.md, "Search and filters").
  const type = software === "4.1" ? null : textAt(query, "type");
  return list(request, {
    rows: [...store.pixels.values()].filter((pixel) => type === null || shownPixelType(pixel.type, dialect) === type),
    view: (pixel) => pixelView(pixel, dialect),
    kept: type === null ? [] : ["type"],
  });
}

export function showPixel({ service, id }: ApiRequest): Reply {
  return found(pixelView(service.store.pixels.find(id), service.dialect));
}

export function storePixel({ service, form }: ApiRequest): Reply {
  checkPixel(form, undefined, service);
  const now = service.now();
  const blank = { id: service.store.newId("pixel"), name: "", type: "", value: "", created_at: now, updated_at: now };
  return stored(save(assign(blank, form, service), service));
}

/** Links keep a pixel that is renamed. */
export function updatePixel({ service, id, form }: ApiRequest): Reply {
  const pixel = service.store.pixels.find(id, () => notUpdatable("Pixel", service.software));
  checkPixel(form, pixel, service);
  return found(save(assign(pixel, form, service), service));
}

export function removePixel({ service: { store }, id }: ApiRequest): Reply {
  const pixel = store.pixels.find(id);
  store.removePixel(pixel);
  store.commit();
  return deleted(pixel.id, "pixel");
}

/** @param pixel the pixel to be updated; undefined for a store */
function checkPixel(form: Form, pixel: Pixel | undefined, { store, dialect }: Service): void {
  const { features } = store.account;
  const types = PIXEL_TYPES.map((type) => shownPixelType(type, dialect));
  const required = pixel === undefined ? "always" : "ifSent";
  const withinPlan = below(store.pixels.size, "You added too many pixels.", features["pixels"]);
  const free: Check = (name) => {
    const holder = store.pixelNamed(name);
    return holder === undefined || holder.id === pixel?.id ? undefined : "The name has already been taken.";
  };
  // Only a store checks this (docs/service.md, "Text and numbers").
  const adroll: Check = (value) =>
    pixel === undefined && textAt(form, "type") === "adroll" && !value.includes("-") ? { phrase: "format" } : undefined;
  const rules = [
    { field: "name", required, checks: [atMost(32), free, ...(pixel ? [] : [withinPlan])] },
    { field: "type", required, checks: [known(types, "The selected type is invalid.")] },
    { field: "value", required, checks: [atMost(255), dashed, adroll] },
  ] as const;
  refuseIfAny(validate(form, rules, features, { ...dialect, sent: {}, labels: {} }));
}

function assign(pixel: Pixel, form: Form, service: Service): Pixel {
  const type = textAt(form, "type");
  const changed = {
    ...pixel,
    name: textAt(form, "name") ?? pixel.name,
    type: type === null ? pixel.type : storedPixelType(type, service.dialect),
    value: textAt(form, "value") ?? pixel.value,
  };
  return isDeepStrictEqual(changed, pixel) ? pixel : { ...changed, updated_at: service.now() };
}

function save(pixel: Pixel, { store, dialect }: Service): object {
  store.pixels.put(pixel);
  store.commit();
  return pixelView(pixel, dialect);
}

export function pixelView(pixel: Pixel, dialect: Dialect): object {
  return { ...pixel, type: shownPixelType(pixel.type, dialect), ...datesOf(pixel) };
}
