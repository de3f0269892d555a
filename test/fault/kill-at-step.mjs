// Loaded before the program (`node --import`). Kills it directly before one of its changes to a folder, or in the middle of a write.
// KILL_AT is the number of the change; 0 for no kill. The last line on stderr has the number of changes.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const folder = path.join(fs.realpathSync(process.env.KILL_FOLDER), path.sep);
const last = Number(process.env.KILL_AT);
const handles = new Set();
let steps = 0;

function step(kill = () => {}) {
  steps += 1;
  if (steps !== last) return;
  kill();
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const real = { ...fs };
for (const name of ["mkdirSync", "renameSync", "rmSync", "rmdirSync", "chmodSync"])
  fs[name] = (target, ...rest) => {
    if (String(target).startsWith(folder)) step();
    return real[name](target, ...rest);
  };
fs.linkSync = (from, to) => {
  if (String(to).startsWith(folder)) step();
  return real.linkSync(from, to);
};
fs.openSync = (target, flags, mode) => {
  const isWritten =
    String(target).startsWith(folder) && typeof flags === "number" && (flags & fs.constants.O_CREAT) !== 0;
  if (isWritten) step();
  const handle = real.openSync(target, flags, mode);
  if (isWritten) handles.add(handle);
  return handle;
};
fs.writeFileSync = (target, content, ...rest) => {
  if (handles.has(target)) step(() => real.writeFileSync(target, content.slice(0, content.length / 2), ...rest));
  return real.writeFileSync(target, content, ...rest);
};
syncBuiltinESMExports();
process.on("exit", () => real.writeSync(2, `${steps}\n`));
