import { type Path, readMapping } from "#check/argument";
import type { MonitorDefinition } from "#check/definition";
import {
  configurationArguments,
  defaultLists,
  type LocationValues,
} from "#resources/configuration-arguments";
import { listOf } from "#check/monitor-arguments";
import { kinds } from "#check/monitor";
import type { Source } from "#cli/apply/configuration-source";
import { FileReading, shownPath, TooManyValues } from "#cli/apply/file-reading";
import type { Mistake } from "#cli/apply/mistake";
import { type SecretSource, secretsFrom } from "#cli/apply/secret-reference";
import { judgeMonitors, type WrittenMonitor, writtenMonitors } from "#cli/apply/written-monitors";
import {
  chosenMonitors,
  type WantedChannel,
  type WrittenChannel,
  writtenChannels,
} from "#cli/apply/written-channels";
import { type WantedMaintenance, writtenMaintenances } from "#cli/apply/written-maintenances";
import { readYaml, type YamlText } from "#cli/apply/yaml-text";
import type { Io } from "#cli/io";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/cli-limits";
import { nearest } from "#nearest";

/** What all files together want a service to have. The order of files, and of what stands in them, means nothing. */
export interface Configuration {
  /** Empty where no file says it. */
  readonly owner: string;
  readonly monitors: readonly MonitorDefinition[];
  /** The same with what refers to others. */
  readonly written: readonly WrittenMonitor[];
  readonly locations: readonly WantedLocation[];
  readonly channels: readonly WantedChannel[];
  readonly maintenances: readonly WantedMaintenance[];
  /** Monitors that name a location which stands in no file: it has to be one of the service. */
  readonly elsewhere: readonly { readonly monitor: MonitorDefinition; readonly location: string }[];
}

export interface WantedLocation {
  readonly name: string;
  readonly renamedFrom: string;
  /** Those that it names, and those that name it. */
  readonly monitors: readonly MonitorDefinition[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** Either everything, or every mistake of every file, by the file's name. */
export type ConfigurationReading =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly mistakes: ReadonlyMap<string, readonly Mistake[]> };

export interface ReadingOptions {
  /** What a monitor is that does not say `active`. */
  readonly activeDefault: boolean;
  readonly env: Io["env"];
}

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

/** One file, as far as it could be read. */
interface File {
  readonly name: string;
  readonly syntax: readonly Mistake[];
  /** Null where nothing of it can be trusted. */
  readonly reading: FileReading | null;
  readonly monitors: readonly WrittenMonitor[];
  readonly locations: readonly LocationValues[];
  readonly channels: readonly WrittenChannel[];
  readonly maintenances: readonly WantedMaintenance[];
  readonly owner: string;
}

function readFile(source: Source, { activeDefault, env }: ReadingOptions): File {
  const { name, folder, bytes } = source;
  if (bytes === null)
    return refused(name, `is larger than ${limits.monitorsFileBytesMax / 1024 / 1024} MiB`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return refused(name, `is empty; ${whatToWrite}`);
    return readText(name, text, secretsFrom(env, folder), activeDefault);
  } catch (error) {
    if (error instanceof TooManyValues)
      return refused(
        name,
        `says more than ${limits.monitorsFileValuesMax} values; too many aliases?`,
      );
    // The YAML parser descends by recursion; nesting that deep is no monitors file.
    if (error instanceof RangeError) return refused(name, "is nested too deeply");
    if (error instanceof TypeError) return refused(name, "is not text in UTF-8");
    throw error;
  }
}

const refused = (name: string, message: string): File => ({
  ...unread(name),
  syntax: [{ line: 1, column: 1, path: "", message: `the file ${message}` }],
});

const unread = (name: string): File => ({
  name,
  syntax: [],
  reading: null,
  monitors: [],
  locations: [],
  channels: [],
  maintenances: [],
  owner: "",
});

const whatToWrite = `list monitors under ${kinds
  .map(listOf)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ")}`;

function readText(name: string, text: string, secrets: SecretSource, activeDefault: boolean): File {
  const yaml: YamlText = readYaml(text);
  // What follows a broken line is guesswork, and mistakes found in it would mislead.
  if (!yaml.readable) return { ...unread(name), syntax: yaml.mistakes };
  const { value, defaulted } = withDefaults(yaml.value);
  const reading = new FileReading(yaml, secrets, defaulted);
  const file = readMapping(configurationArguments, value, [], reading);
  const monitors = writtenMonitors(file, activeDefault, reading);
  const locations = file.private_locations;
  const channels = writtenChannels(file.notifications, reading);
  const maintenances = writtenMaintenances(file.maintenances, reading);
  const entries = monitors.length + locations.length + channels.length + maintenances.length;
  if (entries === 0 && reading.mistakes.length === 0)
    reading.report([], `holds no monitors; ${whatToWrite}`);
  if (monitors.length > checkLimits.monitorsPerAgentMax)
    reading.report(
      [],
      `holds ${monitors.length} monitors, more than ${checkLimits.monitorsPerAgentMax}`,
    );
  judgeMonitors(monitors, reading);
  judgeLocations(locations, reading);
  return {
    name,
    syntax: yaml.mistakes,
    reading,
    monitors,
    locations,
    channels,
    maintenances,
    owner: file.owner,
  };
}

/** What a file says with its defaults in the monitors that do not say it themselves, and where those came in. */
function withDefaults(value: unknown): {
  readonly value: unknown;
  readonly defaulted: ReadonlySet<string>;
} {
  const defaulted = new Set<string>();
  if (!isMapping(value) || !isMapping(value["defaults"])) return { value, defaulted };
  const defaults = value["defaults"];
  const merged = defaultLists.flatMap((list) => {
    const [usual, all] = [defaults[list], value[list]];
    if (!isMapping(usual) || !Array.isArray(all)) return [];
    const items = all.map((one: unknown, index) => {
      if (!isMapping(one)) return one;
      for (const key of Object.keys(usual))
        if (!Object.hasOwn(one, key)) defaulted.add(shownPath([list, index, key]));
      return { ...usual, ...one };
    });
    return [[list, items]];
  });
  return { value: { ...value, ...Object.fromEntries(merged) }, defaulted };
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The service has the same rules. */
function judgeLocations(locations: readonly LocationValues[], reading: FileReading): void {
  locations.forEach(({ name, metadata }, index) => {
    const say = (key: string, message: string): void => {
      const at: Path = ["private_locations", index, key];
      if (!reading.isMistaken(at)) reading.report(at, message);
    };
    if (name === "") say("name", "is required");
    if (name.length > checkLimits.nameCharsMax)
      say("name", `is longer than ${checkLimits.nameCharsMax} characters`);
    if (metadata.length > checkLimits.locationLabelsMax)
      say("metadata", `has ${metadata.length} labels, more than ${checkLimits.locationLabelsMax}`);
    for (const { key, value } of metadata) {
      if (key === "" || key.length > checkLimits.locationLabelCharsMax)
        say("metadata", `has a label without 1 to ${checkLimits.locationLabelCharsMax} characters`);
      if (value.length > checkLimits.locationValueCharsMax)
        say("metadata", `has a value longer than ${checkLimits.locationValueCharsMax} characters`);
    }
  });
}

/** What no file shows alone: a name that is there twice, and a reference to one that is not there. */
function judgeTogether(files: readonly File[]): void {
  const named = new Map<string, string>();
  const take = (key: string, file: File, path: Path): void => {
    const first = named.get(key);
    if (first !== undefined)
      file.reading?.report([...path, "name"], `is already the name of ${first}`);
    else
      named.set(key, files.length === 1 ? shownPath(path) : `${shownPath(path)} in ${file.name}`);
  };
  for (const file of files) {
    for (const { path, definition } of file.monitors)
      if (definition.name !== "") take(`${definition.kind} ${definition.name}`, file, path);
    file.locations.forEach(({ name }, index) => {
      if (name !== "") take(`location ${name}`, file, ["private_locations", index]);
    });
    for (const { path, name } of file.channels) take(`channel ${name}`, file, path);
    for (const { path, title } of file.maintenances) take(`maintenance ${title}`, file, path);
  }
  judgeOwners(files);
  judgeReferences(files);
}

/** Files that are applied together belong to one. */
function judgeOwners(files: readonly File[]): void {
  const [first, ...others] = files.filter(({ owner }) => owner !== "");
  for (const { owner, reading } of others)
    if (owner !== first?.owner)
      reading?.report(["owner"], `is not "${first?.owner ?? ""}", as ${first?.name ?? ""} says`);
}

/** A name that stands in a list of names has to be that of an entry. */
function judgeReferences(files: readonly File[]): void {
  const monitors = new Set(
    files.flatMap((file) => file.monitors.map(({ definition }) => definition.name)),
  );
  const channels = new Set(files.flatMap((file) => file.channels.map(({ name }) => name)));
  for (const { reading, locations, channels: own, monitors: watched } of files) {
    const look = (what: string, path: Path, named: readonly string[], known: Set<string>): void =>
      named.forEach((name, entry) => {
        if (known.has(name)) return;
        const meant = nearest(name, known);
        const hint = meant === null ? "" : `; did you mean ${meant}?`;
        reading?.report([...path, entry], `is the name of no ${what} of these files${hint}`);
      });
    locations.forEach((location, index) =>
      look("monitor", ["private_locations", index, "monitors"], location.monitors, monitors),
    );
    for (const { path, choice } of own)
      if (choice.is === "named") look("monitor", [...path, "monitors"], choice.names, monitors);
    for (const { path, notifications } of watched)
      look("notification channel", [...path, "notifications"], notifications, channels);
  }
}

function configurationOf(files: readonly File[]): Configuration {
  const written = files.flatMap(({ monitors }) => monitors);
  const locations = files.flatMap((file) => file.locations);
  const known = new Set(locations.map(({ name }) => name));
  return {
    owner: files.find(({ owner }) => owner !== "")?.owner ?? "",
    written,
    maintenances: files.flatMap(({ maintenances }) => maintenances),
    monitors: written.map(({ definition }) => definition),
    locations: locations.map(({ name, renamed_from: renamedFrom, monitors, metadata }) => ({
      name,
      renamedFrom,
      monitors: written
        .filter((one) => monitors.includes(one.definition.name) || one.locations.includes(name))
        .map(({ definition }) => definition),
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
