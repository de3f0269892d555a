// The creates that the report of one part of an account holds for `merge`, as text: JSON in gzip and base64.

import { gunzipSync, gzipSync } from "node:zlib";
import type { Create, Plan } from "../../domain/change.ts";
import { viewDifference, withReportKeys } from "../../view/change.ts";
import { changeDocument, type MissingDocument, type ShardDocument } from "../../view/document.ts";
import { missingSchema } from "./schema.ts";

/** A batch takes a few megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Packs creates of a plan. */
export function packCreates(creates: readonly Create[], plan: Plan): string {
  const changes = withReportKeys(
    creates.map((change) => changeDocument(change, plan)),
    creates.map((change) => viewDifference(change, plan)),
  );
  const documents = creates.map(({ desired }, at) => ({
    change: changes[at],
    secrets_needed: [...desired.secrets.values()].map(({ name }) => name),
  }));
  return gzipSync(JSON.stringify(documents)).toString("base64");
}

/** The creates for these keys; null if `packCreates` did not write them. */
export function unpackCreates({ keys, creates }: ShardDocument["missing"][number]): readonly MissingDocument[] | null {
  try {
    const text = gunzipSync(Buffer.from(creates, "base64"), { maxOutputLength: MAX_BYTES }).toString("utf8");
    const read = missingSchema.array().length(keys.length).safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
