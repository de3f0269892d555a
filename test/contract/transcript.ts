// The recorded exchanges with running instances of the service, one file for each version.

import { readFileSync } from "node:fs";

export interface Exchange {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly json?: unknown;
    readonly text?: string;
  };
}

export function recorded(software: string): readonly Exchange[] {
  const file = new URL(`transcripts/v${software}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).exchanges;
}
