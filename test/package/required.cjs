// The package is ES modules. A program that is not can require them, and its files by the names that the package gives.

const { loadProject } = require("linkform");
const { startSandbox } = require("linkform/sandbox");
const schema = require("linkform/schemas/plan.schema.json");
const { version } = require("linkform/package.json");

for (const made of [loadProject, startSandbox]) if (typeof made !== "function") throw new Error("This is no function.");
if (schema.title !== "linkform plan --format json") throw new Error("This is not the schema of plans.");
console.log(`required: linkform ${version}`);
