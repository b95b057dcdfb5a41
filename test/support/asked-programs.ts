import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { programAt, programPath } from "./program-path.ts";
import { runFolder } from "./run-folder.ts";

/** The file of tests that runs now; null in a stage, whose tests have the whole PATH. */
let running: { readonly file: string; readonly folder: string; asks: boolean } | null = null;

/** What bin/picket itself needs. */
const always = ["sh", "dirname", "readlink"];

/**
 * A file of tests begins. Its PATH has Node.js, a shell, and what the file asks for; so a test that starts another program
 * fails on every machine, and not only on one without it.
 */
export function beginFile(file: string): void {
  const folder = path.join(runFolder(), `programs-${process.pid}`);
  running = { file, folder, asks: true };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  symlinkSync(process.execPath, path.join(folder, "node"));
  for (const program of always) addLink(folder, program, programAt(program));
  process.env["PATH"] = folder;
}

/** Its tests begin: what it has not asked for by now, a machine without that program would not know in time. */
export function endAsking(): void {
  if (running !== null) running.asks = false;
}

/** The file asks for a program, which is at this place; null if this machine does not have it. */
export function askFor(program: string, place: string | null): void {
  if (running === null) return;
  const { file, folder, asks } = running;
  if (!asks)
    throw new Error(`a test asks for ${program}: its file has to ask before its tests begin`);
  // Where a run is to say who asks for what: a line for each.
  const record = process.env["ASKED_PROGRAMS"];
  if (record !== undefined) appendFileSync(record, `${file}\t${program}\n`);
  addLink(folder, program, place);
}

function addLink(folder: string, program: string, place: string | null): void {
  const link = path.join(folder, program);
  if (place === null || existsSync(link)) return;
  if (isScript(place))
    writeFileSync(link, `#!/bin/sh\nPATH='${programPath}' exec '${place}' "$@"\n`, { mode: 0o755 });
  else symlinkSync(place, link);
}

/** One that starts others, as Debian's scripts and what chooses between several versions of a program do. */
function isScript(place: string): boolean {
  const file = openSync(place, "r");
  try {
    const head = Buffer.alloc(2);
    readSync(file, head);
    return head.toString() === "#!";
  } finally {
    closeSync(file);
  }
}
