// Only parses the file of a project, with the library `yaml`.

import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

parseAllDocuments(readFileSync("links/0.yaml", "utf8"), { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
