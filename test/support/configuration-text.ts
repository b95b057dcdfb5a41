import { PassThrough } from "node:stream";
import type { MonitorDefinition } from "#check/definition";
import { type ConfigurationReading, readConfiguration } from "#cli/apply/configuration";
import { readSources } from "#cli/apply/configuration-source";
import type { Mistake } from "#cli/apply/mistake";

export type OneFile =
  | { readonly ok: true; readonly monitors: readonly MonitorDefinition[] }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** Several files by their texts. */
export const readTexts = (
  texts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  activeDefault = false,
): ConfigurationReading =>
  readConfiguration(
    Object.entries(texts).map(([name, text]) => ({ name, folder: ".", bytes: Buffer.from(text) })),
    { activeDefault, env },
  );

/** One file, and what it says of monitors. */
export const parseMonitors = (text: string, activeDefault: boolean): OneFile =>
  oneFile(readTexts({ file: text }, {}, activeDefault));

/** The same from the disk. */
export async function readMonitorsFile(path: string, activeDefault: boolean): Promise<OneFile> {
  const sources = await readSources([path], new PassThrough());
  return oneFile(readConfiguration(sources, { activeDefault, env: {} }));
}

const oneFile = (reading: ConfigurationReading): OneFile =>
  reading.ok
    ? { ok: true, monitors: reading.configuration.monitors }
    : { ok: false, mistakes: [...reading.mistakes.values()].flat() };
