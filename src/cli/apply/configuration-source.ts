import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import * as limits from "#limits/cli-limits";

/** A file of configuration, or standard input, before anything of it is understood. */
export interface Source {
  /** As a person named it. */
  readonly name: string;
  /** From where relative paths in it are meant. */
  readonly folder: string;
  /** Null if it is longer than a file may be. */
  readonly bytes: Uint8Array | null;
}

/** Why a source cannot be read. */
export class UnreadableSource extends Error {
  override readonly name = "UnreadableSource";
}

/**
 * The sources that were named: files, folders with their .yaml and .yml files, and `-`. Throws an UnreadableSource that
 * says which cannot be read.
 */
export async function readSources(
  named: readonly string[],
  stdin: Io["stdin"],
): Promise<readonly Source[]> {
  if (named.filter((one) => one === "-").length > 1)
    throw new UsageError("standard input (-) can be read only once");
  const files = (await Promise.all(named.map(filesOf))).flat();
  if (files.length > limits.configurationFilesMax)
    throw new UnreadableSource(
      `there are ${files.length} files, more than ${limits.configurationFilesMax}`,
    );
  const sources: Source[] = [];
  for (const file of files) sources.push(await readSource(file, stdin));
  return sources;
}

async function filesOf(named: string): Promise<readonly string[]> {
  if (named === "-") return [named];
  const found = await stat(named).catch((error: unknown) => {
    throw unreadable(named, error);
  });
  if (!found.isDirectory()) return [named];
  const names = (await readdir(named)).filter(
    (one) => /\.ya?ml$/i.test(one) && !one.startsWith("."),
  );
  if (names.length === 0)
    throw new UnreadableSource(`${named}: the folder holds no .yaml or .yml file`);
  return names.toSorted().map((one) => path.join(named, one));
}

async function readSource(name: string, stdin: Io["stdin"]): Promise<Source> {
  if (name === "-")
    return { name: "standard input", folder: ".", bytes: await bytesOfStream(stdin) };
  try {
    const bytes = await bytesOfStream(createReadStream(name));
    return { name, folder: path.dirname(name), bytes };
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function bytesOfStream(stream: Io["stdin"]): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > limits.monitorsFileBytesMax) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function unreadable(name: string, error: unknown): UnreadableSource {
  if (!Error.isError(error) || !("code" in error)) throw error;
  return new UnreadableSource(`${name}: ${sentenceOf(error.code)}`);
}

function sentenceOf(code: unknown): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "the file may not be read by this user";
  return `the file cannot be read (${String(code)})`;
}
