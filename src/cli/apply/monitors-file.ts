import { open } from "node:fs/promises";
import { type Path, type Reading, readMapping, type ValuesOf } from "#check/argument";
import type { DefinitionOf, MonitorDefinition } from "#check/definition";
import type { WrittenPolicy } from "#check/alert-policy";
import { fileArguments, listOf, type MonitorValues } from "#check/monitor-arguments";
import { type Kind, kinds, type OtelConfig } from "#check/monitor";
import { violationsOf } from "#check/read-monitor";
import type { Mistake } from "#cli/apply/mistake";
import { readYaml, type YamlText } from "#cli/apply/yaml-text";
import * as limits from "#limits";

/**
 * A monitors file: YAML with lists of monitors under http_monitors, tcp_monitors and dns_monitors, each with the
 * argument names of the service's specification. It is read as a whole: either every monitor or every mistake.
 */
export type MonitorsFile =
  | { readonly ok: true; readonly monitors: readonly MonitorDefinition[] }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** Reads a file; `activeDefault` is what a monitor is that does not say `active`. Rejects where the file cannot be read. */
export async function readMonitorsFile(
  path: string,
  activeDefault: boolean,
): Promise<MonitorsFile> {
  const bytes = await readBounded(path, limits.monitorsFileBytesMax);
  if (bytes === null)
    return refused(`is larger than ${limits.monitorsFileBytesMax / 1024 / 1024} MiB`);
  try {
    return parseMonitors(new TextDecoder("utf-8", { fatal: true }).decode(bytes), activeDefault);
  } catch (error) {
    if (error instanceof TypeError) return refused("is not text in UTF-8");
    throw error;
  }
}

/** Parses the text of a monitors file. */
export function parseMonitors(text: string, activeDefault: boolean): MonitorsFile {
  if (text.trim() === "") return refused(`is empty; ${whatToWrite}`);
  try {
    return parseText(text, activeDefault);
  } catch (error) {
    if (error instanceof TooManyValues)
      return refused(`says more than ${limits.monitorsFileValuesMax} values; too many aliases?`);
    // The YAML parser descends by recursion; nesting that deep is no monitors file.
    if (error instanceof RangeError) return refused("is nested too deeply");
    throw error;
  }
}

const whatToWrite = `list monitors under ${kinds
  .map(listOf)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ")}`;

function parseText(text: string, activeDefault: boolean): MonitorsFile {
  const yaml = readYaml(text);
  // What follows a broken line is guesswork, and mistakes found in it would mislead.
  if (!yaml.readable) return { ok: false, mistakes: yaml.mistakes };
  const reading = new FileReading(yaml);
  const file = readMapping(fileArguments, yaml.value, [], reading);
  const written = writtenMonitors(file, activeDefault, reading);
  if (written.length === 0 && reading.mistakes.length === 0)
    reading.report([], `holds no monitors; ${whatToWrite}`);
  if (written.length > limits.monitorsPerAgentMax)
    reading.report([], `holds ${written.length} monitors, more than ${limits.monitorsPerAgentMax}`);
  judge(written, reading);
  const mistakes = [...yaml.mistakes, ...reading.mistakes];
  return mistakes.length === 0
    ? { ok: true, monitors: written.map(({ definition }) => definition) }
    : { ok: false, mistakes };
}

/** A monitor and where it stands in the file. */
interface Written {
  readonly path: Path;
  readonly definition: MonitorDefinition;
}

function writtenMonitors(
  file: ValuesOf<typeof fileArguments>,
  activeDefault: boolean,
  reading: Reading,
): readonly Written[] {
  return kinds.flatMap((kind) => {
    const list: readonly MonitorValues<Kind>[] = file[listOf(kind)];
    return list.map((one, index): Written => {
      const path = [listOf(kind), index];
      const active = one.active ?? activeDefault;
      const common = { ...commonOf(one, otelOf(one, path, reading)), active };
      return { path, definition: definitionOf(kind, one, common) };
    });
  });
}

const definitionOf = <K extends Kind>(
  kind: K,
  one: MonitorValues<K>,
  common: Common,
): DefinitionOf<K> => definitions[kind](one, common);

/** What a definition of each kind has beside what all have. */
const definitions: {
  readonly [K in Kind]: (one: MonitorValues<K>, common: Common) => DefinitionOf<K>;
} = {
  http: (one, common) => ({
    kind: "http",
    url: one.url,
    method: one.method,
    body: one.body,
    followRedirects: one.follow_redirects,
    headers: one.headers,
    statusCodeAssertions: one.status_code_assertions,
    bodyAssertions: one.body_assertions,
    headerAssertions: one.header_assertions,
    ...common,
  }),
  tcp: ({ uri }, common) => ({ kind: "tcp", uri, ...common }),
  dns: ({ uri, record_assertions: recordAssertions }, common) => ({
    kind: "dns",
    uri,
    recordAssertions,
    ...common,
  }),
};

type Common = Omit<DefinitionOf<"tcp">, "kind" | "uri">;
/** What the arguments that all kinds have read as. */
type CommonValues = Omit<MonitorValues<"tcp">, "uri">;

const commonOf = (one: CommonValues, otel: OtelConfig | null) => ({
  name: one.name,
  periodicity: one.periodicity,
  timeout: one.timeout,
  degradedAt: one.degraded_at,
  retry: one.retry,
  public: one.public,
  description: one.description,
  regions: one.regions,
  otel,
  alerting: policyOf(one),
  labels: Object.fromEntries(one.labels.map(({ key, value }) => [key, value])),
});

const policyOf = ({ alerting }: CommonValues): WrittenPolicy | null => {
  if (alerting === null) return null;
  const { depends_on: dependsOn, ...policy } = alerting;
  return { ...policy, dependsOn };
};

function otelOf(
  { otlp_endpoint: endpoint, otlp_headers: headers }: CommonValues,
  path: Path,
  reading: Reading,
): OtelConfig | null {
  if (endpoint !== "") return { endpoint, headers };
  if (headers.length > 0) reading.report([...path, "otlp_headers"], "needs an otlp_endpoint");
  return null;
}

/** Says of each monitor what the specification forbids, and whether its name is taken. */
function judge(written: readonly Written[], reading: FileReading): void {
  const named = new Map<string, string>();
  for (const { path, definition } of written) {
    for (const { field, message } of violationsOf(definition, "management")) {
      const at = [...path, ...fieldPath(field)];
      const header = otlpHeader(field, definition);
      if (header !== null) reading.reportKey([...path, "otlp_headers", header], message);
      // Nothing more is said of a field that could not be read.
      else if (!reading.isMistaken(at)) reading.report(at, message);
    }
    const key = `${definition.kind} ${definition.name}`;
    const first = named.get(key);
    if (definition.name !== "" && first !== undefined)
      reading.report([...path, "name"], `is already the name of ${first}`);
    else named.set(key, shownPath(path));
  }
}

/** `headers[2].key` as a path. */
const fieldPath = (field: string): Path =>
  [...field.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

/** In a file these headers are a mapping: the name of the one that a violation speaks of, null for other violations. */
function otlpHeader(field: string, { otel }: MonitorDefinition): string | null {
  const [, index] = /^otlp_headers\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? null : (otel?.headers[Number(index)]?.key ?? null);
}

/** A path as a person reads it: `http_monitors[0].headers[2].key`. */
const shownPath = (path: Path): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);

/** What was found wrong while a file is read, and how much was read. */
class FileReading implements Reading {
  readonly mistakes: Mistake[] = [];
  readonly #yaml: YamlText;
  readonly #mistaken = new Set<string>();
  #valuesLeft: number = limits.monitorsFileValuesMax;

  constructor(yaml: YamlText) {
    this.#yaml = yaml;
  }

  report(path: Path, message: string, part: "key" | "value" = "value"): void {
    const shown = shownPath(path);
    this.#mistaken.add(shown);
    this.mistakes.push({ ...this.#yaml.placeOf(path, part), path: shown, message });
  }

  reportKey(path: Path, message: string): void {
    this.report(path, message, "key");
  }

  count(): void {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new TooManyValues();
  }

  isMistaken(path: Path): boolean {
    return this.#mistaken.has(shownPath(path));
  }
}

/** Aliases can make a small file say an endless lot; reading ends there. */
class TooManyValues extends Error {
  override readonly name = "TooManyValues";
}

const refused = (message: string): MonitorsFile => ({
  ok: false,
  mistakes: [{ line: 1, column: 1, path: "", message: `the file ${message}` }],
});

/** The whole file, or null where it is longer; a pipe has no size to ask for beforehand. */
async function readBounded(path: string, bytesMax: number): Promise<Uint8Array | null> {
  await using file = await open(path, "r");
  const buffer = new Uint8Array(bytesMax + 1);
  let length = 0;
  while (length <= bytesMax) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return null;
}
