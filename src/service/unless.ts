// Failures that are an answer: "there is none".

import { ServiceError } from "../errors.ts";

/** What `read` gives, or null where the service refuses it like this. */
export async function unless<Result>(
  like: (error: ServiceError) => boolean,
  read: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ServiceError && like(cause)) return null;
    throw cause;
  }
}

/** The service itself, in JSON, says that there is no such row. */
export function isGone(error: ServiceError): boolean {
  return error.code === "not-found";
}
