import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

/** The load of the machine over 1, 5 and 15 minutes. */
export const loadWords = (): string =>
  os
    .loadavg()
    .map((one) => one.toFixed(1))
    .join(", ");

/**
 * Replaces what stands between the marks of a measurement in a page, e.g. `<!-- bench:cpu -->`: what it was made on, and
 * the table. What people wrote around it stays.
 */
export function writeTable(
  file: string,
  { bench, made, table }: { readonly bench: string; readonly made: string; readonly table: string },
): void {
  const [begin, end] = [`<!-- bench:${bench} -->`, `<!-- /bench:${bench} -->`];
  const [before, rest] = readFileSync(file, "utf8").split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${file} has no place for bench:${bench}`);
  const machine = `${os.cpus().length} processors, Node.js ${process.version}, Linux ${os.release()}, ${made}.`;
  writeFileSync(file, `${before}${begin}\n\n${machine}\n\n${table}\n\n${end}${after}`);
}
