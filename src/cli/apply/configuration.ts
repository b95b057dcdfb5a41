import type { MonitorDefinition } from "#check/definition";
import {
  type ConfigurationFile,
  readFile,
  type ReadingOptions,
} from "#cli/apply/configuration-file";
import type { Source } from "#cli/apply/configuration-source";
import { judgeTogether } from "#cli/apply/judge-together";
import { type MonitorName, namedByIds } from "#cli/apply/monitor-name";
import type { Mistake } from "#cli/apply/mistake";
import { chosenMonitors, type WantedChannel } from "#cli/apply/written-channels";
import type { WantedMaintenance } from "#cli/apply/written-maintenances";
import type { WrittenMonitor } from "#cli/apply/written-monitors";
import type { WrittenPage } from "#cli/apply/written-pages";

/** What all files together want a service to have. The order of files, and of what stands in them, means nothing. */
export interface Configuration {
  /** Empty if no file says it. */
  readonly owner: string;
  readonly monitors: readonly MonitorDefinition[];
  /** The same with what refers to others. */
  readonly written: readonly WrittenMonitor[];
  readonly locations: readonly WantedLocation[];
  readonly channels: readonly WantedChannel[];
  readonly pages: readonly WrittenPage[];
  readonly maintenances: readonly WantedMaintenance[];
  /** Monitors that name a location which stands in no file: it has to be one of the service. */
  readonly elsewhere: readonly { readonly monitor: MonitorDefinition; readonly location: string }[];
}

export interface WantedLocation {
  readonly name: string;
  readonly renamedFrom: string;
  /** Those that it names, and those that name it. */
  readonly monitors: readonly MonitorName[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** Either everything, or every mistake of every file, by the file's name. */
export type ConfigurationReading =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly mistakes: ReadonlyMap<string, readonly Mistake[]> };

/** Reads all sources as a whole. */
export function readConfiguration(
  sources: readonly Source[],
  options: ReadingOptions,
): ConfigurationReading {
  const files = sources.map((source) => readFile(source, options));
  judgeTogether(files);
  const mistakes = new Map(
    files.map(({ name, syntax, reading }) => [name, [...syntax, ...(reading?.mistakes ?? [])]]),
  );
  if ([...mistakes.values()].some((all) => all.length > 0)) return { ok: false, mistakes };
  return { ok: true, configuration: configurationOf(files) };
}

function configurationOf(files: readonly ConfigurationFile[]): Configuration {
  const written = files.flatMap(({ monitors }) => monitors);
  const locations = files.flatMap((file) => file.locations);
  const known = new Set(locations.map(({ name }) => name));
  return {
    owner: files.find(({ owner }) => owner !== "")?.owner ?? "",
    written,
    pages: files.flatMap(({ pages }) => pages),
    maintenances: files.flatMap(({ maintenances }) => maintenances),
    monitors: written.map(({ definition }) => definition),
    locations: locations.map(({ name, renamed_from: renamedFrom, monitors, metadata }) => ({
      name,
      renamedFrom,
      monitors: runBy(name, monitors, written),
      metadata: Object.fromEntries(metadata.map(({ key, value }) => [key, value])),
    })),
    channels: files
      .flatMap((file) => file.channels)
      .map(({ path: _path, choice, ...channel }) => {
        const { name } = channel;
        return { ...channel, monitors: chosenMonitors({ name, choice }, written) };
      }),
    elsewhere: written.flatMap(({ definition: monitor, locations: named }) =>
      named.filter((name) => !known.has(name)).map((location) => ({ monitor, location })),
    ),
  };
}

/** Those that a location names, and those that name it. */
function runBy(
  location: string,
  monitors: readonly string[],
  written: readonly WrittenMonitor[],
): readonly MonitorName[] {
  const named = new Set(monitors);
  return [
    ...written
      .filter((one) => named.has(one.definition.name) || one.locations.includes(location))
      .map(({ definition }) => definition),
    ...namedByIds(monitors),
  ];
}
