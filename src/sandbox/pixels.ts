// The pixels resource: list, show, store, update, delete (docs/service.md, "Endpoints").
import { isDeepStrictEqual } from "node:util";
import { PIXEL_TYPES } from "./codes.ts";
import { type Form, textAt } from "./forms.ts";
import { type Dialect, shownPixelType, storedPixelType } from "./dialect.ts";
import { list } from "./list.ts";
import { deleted, type Errors, found, invalid, notFound, notUpdatable, type Reply, stored } from "./reply.ts";
import { atMost, below, type Check, dashed, known, validate } from "./rules.ts";
import { type ApiRequest, rowOf, type Service } from "./service.ts";
import type { Pixel } from "./state.ts";
import { datesOf } from "./zone.ts";

export function listPixels(request: ApiRequest): Reply {
  const { query, service } = request;
  // 4.1 ignores the documented filter (docs/service.md, "Search and filters").
  const type = service.software === "4.1" ? null : textAt(query, "type");
  const { dialect } = service;
  const rows = [...service.store.pixels.values()].filter(
    (pixel) => type === null || shownPixelType(pixel.type, dialect) === type,
  );
  return list(request, {
    rows,
    view: (pixel) => pixelView(pixel, dialect),
    kept: type === null ? [] : ["type"],
  });
}

export function showPixel({ service, id }: ApiRequest): Reply {
  const pixel = rowOf(service.store.pixels, id);
  return pixel === undefined ? notFound() : found(pixelView(pixel, service.dialect));
}

export function storePixel({ service, form }: ApiRequest): Reply {
  const errors = pixelErrors(form, undefined, service);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const now = service.now();
  const blank = { id: service.store.newId("pixel"), name: "", type: "", value: "", created_at: now, updated_at: now };
  return stored(save(assign(blank, form, service), service));
}

/** Links keep a pixel that is renamed. */
export function updatePixel({ service, id, form }: ApiRequest): Reply {
  const pixel = rowOf(service.store.pixels, id);
  if (pixel === undefined) return notUpdatable("Pixel", service.software);
  const errors = pixelErrors(form, pixel, service);
  return Object.keys(errors).length > 0 ? invalid(errors) : found(save(assign(pixel, form, service), service));
}

export function removePixel({ service, id }: ApiRequest): Reply {
  const pixel = rowOf(service.store.pixels, id);
  if (pixel === undefined) return notFound();
  service.store.removePixel(pixel);
  service.store.commit();
  return deleted(pixel.id, "pixel");
}

/** @param pixel the pixel to be updated; undefined for a store */
function pixelErrors(form: Form, pixel: Pixel | undefined, { store, dialect }: Service): Errors {
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
  return validate(form, rules, features, { ...dialect, sent: {}, labels: {} });
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
