import { open } from "node:fs/promises";
import { LineCounter, type Node, parseDocument, visit, type YAMLError } from "yaml";
import type { Mistake } from "#cli/apply/mistake";
import { YamlReading, YamlSection, YamlTooMuch } from "#cli/apply/yaml-section";
import {
  type DnsDefinition,
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
  type MonitorDefinition,
  type TcpDefinition,
  tcpDefaults,
} from "#check/definition";
import * as limits from "#limits";
import type { OtelConfig } from "#check/monitor";
import { violationsOf } from "#check/violations";

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
    if (error instanceof YamlTooMuch)
      return refused(`says more than ${limits.monitorsFileValuesMax} values; too many aliases?`);
    // The YAML parser descends by recursion; nesting that deep is no monitors file.
    if (error instanceof RangeError) return refused("is nested too deeply");
    throw error;
  }
}

function parseText(text: string, activeDefault: boolean): MonitorsFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = [...document.errors, ...document.warnings];
  const mistakes = syntax.map((error) => syntaxMistake(error, lines));
  // What follows a broken line is guesswork, and mistakes found in it would mislead.
  if (syntax.some(({ code }) => !readOn.has(code))) return { ok: false, mistakes };
  const anchors = aliasTargets(document.contents, lines);
  const reading = new YamlReading(lines, anchors.targets, limits.monitorsFileValuesMax);
  const monitors = monitorsOf(reading, document.contents, activeDefault);
  const all = [...mistakes, ...anchors.mistakes, ...reading.mistakes];
  return all.length === 0 ? { ok: true, monitors } : { ok: false, mistakes: all };
}

const whatToWrite = "list monitors under http_monitors, tcp_monitors or dns_monitors";
const lists = ["http_monitors", "tcp_monitors", "dns_monitors"];
const commonKeys = [
  "periodicity",
  "timeout",
  "degraded_at",
  "retry",
  "active",
  "public",
  "description",
  "regions",
  "otlp_endpoint",
  "otlp_headers",
];
const httpKeys = [
  "name",
  "url",
  "method",
  "body",
  "follow_redirects",
  "headers",
  "status_code_assertions",
  "body_assertions",
  "header_assertions",
  ...commonKeys,
];
const tcpKeys = ["name", "uri", ...commonKeys];
const dnsKeys = ["name", "uri", "record_assertions", ...commonKeys];

function monitorsOf(
  reading: YamlReading,
  contents: Node | null,
  activeDefault: boolean,
): readonly MonitorDefinition[] {
  const file = new YamlSection(reading, contents, "", lists);
  const mistakesBefore = reading.mistakes.length;
  const read = [
    ...readEach(file.sections("http_monitors", httpKeys), readHttp, reading, activeDefault),
    ...readEach(file.sections("tcp_monitors", tcpKeys), readTcp, reading, activeDefault),
    ...readEach(file.sections("dns_monitors", dnsKeys), readDns, reading, activeDefault),
  ];
  if (read.length === 0 && mistakesBefore === 0 && reading.mistakes.length === 0)
    reading.report(contents, "", `holds no monitors; ${whatToWrite}`);
  if (read.length > limits.monitorsPerAgentMax)
    reading.report(
      contents,
      "",
      `holds ${read.length} monitors, more than ${limits.monitorsPerAgentMax}`,
    );
  return read;
}

/** Reads the monitors of one list, and says of each what the specification forbids and whether its name is taken. */
function readEach(
  sections: readonly YamlSection[],
  read: (section: YamlSection, activeDefault: boolean) => MonitorDefinition,
  reading: YamlReading,
  activeDefault: boolean,
): readonly MonitorDefinition[] {
  const named = new Map<string, string>();
  return sections.map((section) => {
    const definition = read(section, activeDefault);
    for (const { field, message } of violationsOf(definition, "management"))
      reportViolation(section, reading, field, message);
    const first = named.get(definition.name);
    if (definition.name !== "" && first !== undefined)
      section.report("name", `is already the name of ${first}`);
    else named.set(definition.name, section.path);
    return definition;
  });
}

/** Puts a violation at the place of its field: `headers[2].key` lies in the third mapping under headers. */
function reportViolation(
  section: YamlSection,
  reading: YamlReading,
  field: string,
  message: string,
): void {
  const [, list, index, key] = /^(\w+)(?:\[(\d+)\](?:\.(\w+))?)?$/.exec(field) ?? [];
  // Nothing more is said of a field that could not be read.
  if (reading.isMistaken(`${section.path}.${field}`)) return;
  if (list === undefined || index === undefined) section.report(list ?? null, message);
  else section.reportItem(list, Number(index), key ?? null, message);
}

function readHttp(section: YamlSection, activeDefault: boolean): HttpDefinition {
  return {
    ...httpDefaults,
    ...readCommon(section, activeDefault),
    url: section.requiredText("url"),
    method: section.text("method", httpDefaults.method),
    body: section.text("body", httpDefaults.body),
    followRedirects: section.flag("follow_redirects", httpDefaults.followRedirects),
    headers: section.sections("headers", ["key", "value"]).map((header) => ({
      key: header.requiredText("key"),
      value: header.requiredText("value"),
    })),
    statusCodeAssertions: section
      .sections("status_code_assertions", ["target", "comparator"])
      .map((assertion) => ({
        target: assertion.requiredNumber("target"),
        comparator: assertion.requiredText("comparator"),
      })),
    bodyAssertions: section
      .sections("body_assertions", ["target", "comparator"])
      .map(readTextAssertion),
    headerAssertions: section
      .sections("header_assertions", ["key", "target", "comparator"])
      .map((assertion) => {
        const { target, comparator } = readTextAssertion(assertion);
        return { key: assertion.requiredText("key"), target, comparator };
      }),
  };
}

function readTcp(section: YamlSection, activeDefault: boolean): TcpDefinition {
  return {
    ...tcpDefaults,
    ...readCommon(section, activeDefault),
    uri: section.requiredText("uri"),
  };
}

function readDns(section: YamlSection, activeDefault: boolean): DnsDefinition {
  return {
    ...dnsDefaults,
    ...readCommon(section, activeDefault),
    uri: section.requiredText("uri"),
    recordAssertions: section
      .sections("record_assertions", ["record", "target", "comparator"])
      .map((assertion) => ({
        record: assertion.requiredText("record"),
        target: assertion.requiredText("target"),
        comparator: assertion.requiredText("comparator"),
      })),
  };
}

/** The comparators that ask whether something is there at all compare with nothing, so they need no target. */
function readTextAssertion(section: YamlSection): { target: string; comparator: string } {
  const comparator = section.requiredText("comparator");
  const alone = comparator === "empty" || comparator === "not_empty";
  const target = alone ? section.text("target", "") : section.requiredText("target");
  return { target, comparator };
}

function readCommon(section: YamlSection, activeDefault: boolean) {
  return {
    name: section.requiredText("name"),
    periodicity: section.requiredText("periodicity"),
    timeout: section.number("timeout", tcpDefaults.timeout),
    degradedAt: section.number("degraded_at", tcpDefaults.degradedAt),
    retry: section.number("retry", tcpDefaults.retry),
    active: section.flag("active", activeDefault),
    public: section.flag("public", tcpDefaults.public),
    description: section.text("description", tcpDefaults.description),
    regions: section.texts("regions"),
    otel: readOtel(section),
  };
}

function readOtel(section: YamlSection): OtelConfig | null {
  const headers = section.pairs("otlp_headers");
  if (section.has("otlp_endpoint")) return { endpoint: section.text("otlp_endpoint", ""), headers };
  if (section.has("otlp_headers")) section.report("otlp_headers", "needs an otlp_endpoint");
  return null;
}

/** Syntax errors after which the rest of the file still says what its author meant. */
const readOn: ReadonlySet<string> = new Set(["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"]);

function syntaxMistake(error: YAMLError, lines: LineCounter): Mistake {
  const { line, col } = lines.linePos(error.pos[0]);
  return {
    line: Math.max(1, line),
    column: Math.max(1, col),
    path: "",
    message: syntaxMessage(error),
  };
}

function syntaxMessage(error: YAMLError): string {
  if (error.code === "DUPLICATE_KEY") return "this key stands twice in one mapping";
  if (error.code === "MULTIPLE_DOCS")
    return "a second YAML document begins here; keep all monitors in one";
  if (error.code === "TAG_RESOLVE_FAILED")
    return "this tag is not known; text that begins with ! needs quotes";
  // The parser quotes what it stumbled over, which may be a secret.
  return `this is not valid YAML: ${error.message.replace(/: ".*$/s, "").replace(/\.$/, "")}`;
}

/**
 * Finds what each alias stands for in one pass: yaml's own Alias.resolve walks the whole document for each, which a
 * file of many aliases would make take for ever.
 */
function aliasTargets(
  contents: Node | null,
  lines: LineCounter,
): { readonly targets: ReadonlyMap<Node, Node>; readonly mistakes: readonly Mistake[] } {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  const mistakes: Mistake[] = [];
  visit(contents, {
    Node: (_key, node) => {
      if ("anchor" in node && typeof node.anchor === "string") anchors.set(node.anchor, node);
    },
    Alias: (_key, alias) => {
      const target = anchors.get(alias.source);
      if (target !== undefined) return void targets.set(alias, target);
      const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
      // Its name may be a password that begins with *.
      const message =
        "an alias stands here that has no anchor before it; text that begins with * needs quotes";
      mistakes.push({ line, column: col, path: "", message });
    },
  });
  return { targets, mistakes };
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
