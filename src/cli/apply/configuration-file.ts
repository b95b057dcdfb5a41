import { readMapping, shownPath } from "#check/argument";
import { isMapping } from "#base/json";
import { listOf } from "#check/monitor-arguments";
import { kinds } from "#check/monitor";
import type { Source } from "#cli/apply/configuration-source";
import { FileReading } from "#cli/apply/file-reading";
import { TooManyValues } from "#cli/apply/too-many-values";
import { foreignProgram, foreignSentences } from "#cli/apply/foreign-file";
import type { Mistake } from "#cli/apply/mistake";
import { type SecretSource, secretsFrom } from "#cli/apply/secret-reference";
import { judgeMonitors, type WrittenMonitor, writtenMonitors } from "#cli/apply/written-monitors";
import { type WrittenChannel, writtenChannels } from "#cli/apply/written-channels";
import { type WantedMaintenance, writtenMaintenances } from "#cli/apply/written-maintenances";
import { type WrittenPage, writtenPages } from "#cli/apply/written-pages";
import { readYaml, type YamlText } from "#cli/apply/yaml-text";
import type { Io } from "#cli/edge/io";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/cli-limits";
import {
  configurationArguments,
  defaultLists,
  type LocationValues,
} from "#service/resources/configuration-arguments";
import { locationViolations } from "#service/agents/location-rules";

export interface ReadingOptions {
  /** What a monitor is that does not say `active`. */
  readonly activeDefault: boolean;
  readonly env: Io["env"];
}

/** One file, as far as it could be read. */
export interface ConfigurationFile {
  readonly name: string;
  readonly syntax: readonly Mistake[];
  /** Null if nothing of it can be trusted. */
  readonly reading: FileReading | null;
  readonly monitors: readonly WrittenMonitor[];
  readonly locations: readonly LocationValues[];
  readonly channels: readonly WrittenChannel[];
  readonly pages: readonly WrittenPage[];
  readonly maintenances: readonly WantedMaintenance[];
  readonly owner: string;
}

/** Reads a file, and reports what is wrong with it alone. */
export function readFile(
  source: Source,
  { activeDefault, env }: ReadingOptions,
): ConfigurationFile {
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
        `has more than ${limits.monitorsFileValuesMax} values; too many aliases?`,
      );
    // The YAML parser descends by recursion; nesting that deep is no monitors file.
    if (error instanceof RangeError) return refused(name, "is nested too deeply");
    if (error instanceof TypeError) return refused(name, "is not text in UTF-8");
    throw error;
  }
}

const refused = (name: string, message: string): ConfigurationFile => ({
  ...unread(name),
  syntax: [{ line: 1, column: 1, path: "", message: `the file ${message}` }],
});

const unread = (name: string): ConfigurationFile => ({
  name,
  syntax: [],
  reading: null,
  monitors: [],
  locations: [],
  channels: [],
  pages: [],
  maintenances: [],
  owner: "",
});

const whatToWrite = `list monitors under ${kinds
  .map(listOf)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ")}`;

function readText(
  name: string,
  text: string,
  secrets: SecretSource,
  activeDefault: boolean,
): ConfigurationFile {
  const yaml: YamlText = readYaml(text);
  // What follows a broken line is guesswork, and mistakes found in it would mislead.
  if (!yaml.readable) return { ...unread(name), syntax: yaml.mistakes };
  const foreign = foreignProgram(yaml.value);
  if (foreign !== null) return refused(name, foreignSentences[foreign]);
  const { value, defaulted } = withDefaults(withoutExtensions(yaml.value));
  const reading = new FileReading(yaml, secrets, defaulted);
  const file = readMapping(configurationArguments, value, [], reading);
  const monitors = writtenMonitors(file, activeDefault, reading);
  const locations = file.private_locations;
  const channels = writtenChannels(file.notifications, reading);
  const pages = writtenPages(file.status_pages, reading);
  const maintenances = writtenMaintenances(file.maintenances, reading);
  const entries = [monitors, locations, channels, pages, maintenances].flat().length;
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
    pages,
    maintenances,
    owner: file.owner,
  };
}

/** Keys that begin with x- are their author's own, e.g. for anchors. */
const withoutExtensions = (value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith("x-")))
    : value;

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

/** By the rules of the service. */
function judgeLocations(locations: readonly LocationValues[], reading: FileReading): void {
  locations.forEach(({ name, metadata: labels }, index) => {
    const metadata = Object.fromEntries(labels.map(({ key, value }) => [key, value]));
    reading.judge(["private_locations", index], locationViolations({ name, metadata }));
  });
}
