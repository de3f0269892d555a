// The pixels resource: list, show, store, update, delete (interface.md 4.2).
import { PIXEL_TYPES } from "./codes.ts";
import { type Form, text } from "./forms.ts";
import { list } from "./list.ts";
import { deleted, type Errors, found, FrameworkError, invalid, notFound, type Reply, stored } from "./reply.ts";
import { atMost, type Check, dashed, known, validate } from "./rules.ts";
import { type ApiRequest, rowOf, type Service } from "./service.ts";
import type { Pixel } from "./state.ts";
import { isoTime } from "./zone.ts";

export function listPixels(request: ApiRequest): Reply {
  const { query, service } = request;
  // 4.1 ignores the documented filter (observed.md, "Lists").
  const type = service.software === "4.1" ? null : text(query, "type");
  const rows = [...service.store.pixels.values()].filter((pixel) => type === null || pixel.type === type);
  return list(request, {
    rows,
    view: pixelView,
    searchable: { name: (pixel) => pixel.name },
    kept: type === null ? [] : ["type"],
  });
}

export function showPixel({ service, id }: ApiRequest): Reply {
  const pixel = rowOf(service.store.pixels, id);
  return pixel === undefined ? notFound() : found(pixelView(pixel));
}

export function storePixel({ service, form }: ApiRequest): Reply {
  const errors = pixelErrors(form, undefined, service);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const now = service.now();
  const blank = { id: service.store.newId("pixel"), name: "", type: "", value: "", created_at: now, updated_at: now };
  return stored(save(assign(blank, form, now), service));
}

/** PUT and PATCH alike; links keep a pixel that is renamed. */
export function updatePixel({ service, id, form }: ApiRequest): Reply {
  const pixel = rowOf(service.store.pixels, id);
  if (pixel === undefined) {
    const model = service.software === "4.1" ? "App\\Pixel" : "App\\Models\\Pixel";
    throw new FrameworkError(404, `No query results for model [${model}].`);
  }
  const errors = pixelErrors(form, pixel, service);
  return Object.keys(errors).length > 0 ? invalid(errors) : found(save(assign(pixel, form, service.now()), service));
}

/** Also where links use it: they lose it silently. */
export function removePixel({ service, id }: ApiRequest): Reply {
  const pixel = rowOf(service.store.pixels, id);
  if (pixel === undefined) return notFound();
  service.store.removePixel(pixel);
  service.store.commit();
  return deleted(pixel.id, "pixel");
}

/** @param pixel the pixel to be updated; undefined for a store */
function pixelErrors(form: Form, pixel: Pixel | undefined, { store }: Service): Errors {
  const { features } = store.account;
  const required = pixel === undefined ? "always" : "ifSent";
  const limit = features["pixels"] ?? -1;
  const withinPlan: Check = () =>
    pixel === undefined && limit >= 0 && store.pixels.size >= limit ? "You added too many pixels." : undefined;
  const free: Check = (name) => {
    const holder = store.pixelNamed(name);
    return holder === undefined || holder === pixel?.id ? undefined : "The name has already been taken.";
  };
  // Asked of a store only (observed.md, "Writing").
  const adroll: Check = (value) =>
    pixel === undefined && text(form, "type") === "adroll" && !value.includes("-")
      ? "The value format is invalid."
      : undefined;
  const rules = [
    { field: "name", required, checks: [atMost(32), free, withinPlan] },
    { field: "type", required, checks: [known(PIXEL_TYPES, "The selected type is invalid.")] },
    { field: "value", required, checks: [atMost(255), dashed, adroll] },
  ] as const;
  return validate(form, rules, features);
}

function assign(pixel: Pixel, form: Form, now: string): Pixel {
  const set = (field: "name" | "type" | "value"): string => text(form, field) ?? pixel[field];
  const changed = { ...pixel, name: set("name"), type: set("type"), value: set("value") };
  return JSON.stringify(changed) === JSON.stringify(pixel) ? pixel : { ...changed, updated_at: now };
}

function save(pixel: Pixel, { store }: Service): object {
  store.putPixel(pixel);
  store.commit();
  return pixelView(pixel);
}

function pixelView({ id, name, type, value, created_at, updated_at }: Pixel): object {
  return { id, name, type, value, created_at: isoTime(created_at), updated_at: isoTime(updated_at) };
}
