import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { readConfiguration } from "#cli/apply/configuration";
import { configurationMessage } from "#cli/apply/configuration-message";
import { readSources, type Source, UnreadableSource } from "#cli/apply/configuration-source";
import { showMistakes } from "#cli/apply/mistake";
import type { Io } from "#cli/edge/io";
import {
  type ConfigurationFolder,
  folderOwner,
  type FolderReading,
} from "#service/configuration/managed-folder";

/** The files of a folder, as `picket service --config` reads them. */
export function configurationFolder(folder: string, env: Io["env"]): ConfigurationFolder {
  let known = "";
  return {
    folder,
    read: async () => {
      const first = await sourcesIn(folder);
      // A ConfigMap's link is swapped between two files: only what is read twice alike is one state.
      const second = await sourcesIn(folder);
      const digest = digestOf(second);
      if (digestOf(first) !== digest || digest === known) return null;
      known = digest;
      return typeof second === "string" ? { ok: false, mistakes: [second] } : read(second, env);
    },
  };
}

/** Or why they cannot be read, as a sentence. */
async function sourcesIn(folder: string): Promise<readonly Source[] | string> {
  try {
    return await readSources([folder], new PassThrough());
  } catch (error) {
    if (error instanceof UnreadableSource) return error.message;
    throw error;
  }
}

function digestOf(sources: readonly Source[] | string): string {
  const hash = createHash("sha256");
  if (typeof sources === "string") return hash.update(sources).digest("hex");
  for (const { name, bytes } of sources) {
    hash.update(`${name} ${bytes?.length ?? -1} `);
    if (bytes !== null) hash.update(bytes);
  }
  return hash.digest("hex");
}

function read(sources: readonly Source[], env: Io["env"]): FolderReading {
  const reading = readConfiguration(sources, { activeDefault: false, env });
  if (reading.ok)
    return {
      ok: true,
      configuration: configurationMessage(reading.configuration, folderOwner, null),
    };
  const mistakes = [...reading.mistakes].flatMap(([file, all]) =>
    all.length === 0 ? [] : showMistakes(file, all, "").trim().split("\n").slice(0, -1),
  );
  return { ok: false, mistakes };
}
