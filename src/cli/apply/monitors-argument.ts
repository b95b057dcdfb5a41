import type { Io } from "#cli/io";
import { showMistakes } from "#cli/apply/mistake";
import { readMonitorsFile } from "#cli/apply/monitors-file";
import type { MonitorDefinition } from "#check/definition";
import { showText } from "#text";

/** Reads a monitors file; what is wrong with it goes to stderr, ending in what was `undone`, and null is the answer. */
export async function readMonitorsArgument(
  file: string,
  activeDefault: boolean,
  undone: string,
  io: Io,
): Promise<readonly MonitorDefinition[] | null> {
  try {
    const read = await readMonitorsFile(file, activeDefault);
    if (read.ok) return read.monitors;
    io.stderr.write(showMistakes(file, read.mistakes, undone));
  } catch (error) {
    if (!Error.isError(error) || !("code" in error)) throw error;
    io.stderr.write(`${showText(file)}: ${unreadable(error.code)}. ${undone}\n`);
  }
  return null;
}

function unreadable(code: unknown): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "the file may not be read by this user";
  if (code === "EISDIR") return "this is a directory, not a file";
  return `the file cannot be read (${String(code)})`;
}
