import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";
import { serviceValuesSchema, type ValueSchema, valuesSchema } from "./values-schema.ts";

/** Files below this folder that are made from others, by their path, with what they have to hold. */
export type Generated = Readonly<Record<string, string>>;

const folder = import.meta.dirname;
const read = (file: string): string => readFileSync(path.join(folder, file), "utf8");
const charts = { "helm/picket": valuesSchema, "helm/picket-service": serviceValuesSchema };

/** What needs no program: of each chart the schema, and the table of the values. */
export const generatedTexts = (): Generated =>
  Object.assign({}, ...Object.entries(charts).map(([chart, schema]) => textsOf(chart, schema)));

function textsOf(chart: string, values: ValueSchema): Generated {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", ...values };
  return {
    [`${chart}/values.schema.json`]: `${JSON.stringify(schema, null, 2)}\n`,
    [`${chart}/README.md`]: withTable(chart, values),
  };
}

/** The manifests for kustomize, which are the charts' with few values. `helm` is the program's path. */
export function generatedManifests(helm: string): Generated {
  return {
    "kustomize/base/manifests.yaml": manifests(helm, "picket", ["kind=DaemonSet", someService]),
    "kustomize/shared/manifests.yaml": manifests(helm, "picket", ["kind=StatefulSet", someService]),
    "kustomize/service/manifests.yaml": manifests(helm, "picket-service", [
      "tls.existingSecret=picket-service-tls",
    ]),
  };
}

const someService = "serviceUrl=https://service.example.com";

const begin = "<!-- values: made by npm run generate:kubernetes -->\n\n";
const end = "\n<!-- end of values -->";

function withTable(chart: string, schema: ValueSchema): string {
  const [before, rest] = read(`${chart}/README.md`).split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error("the README has lost its marks");
  const values: unknown = parse(read(`${chart}/values.yaml`));
  const rows = [["value", "default", "what it is"], ...rowsOf(schema, values, [])];
  return before + begin + table(rows) + end + after;
}

/** A row for each value that is set by itself; of `settings` only the whole. */
function rowsOf(schema: ValueSchema, value: unknown, at: readonly string[]): string[][] {
  const isOpen = schema.patternProperties !== undefined;
  if (at.join() === "global") return [];
  if (schema.properties === undefined || isOpen)
    return [[`\`${at.join(".")}\``, `\`${JSON.stringify(value)}\``, schema.description]];
  return Object.entries(schema.properties).flatMap(([name, one]) =>
    rowsOf(one, isRecord(value) ? value[name] : undefined, [...at, name]),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The first row is the head. */
function table(rows: readonly string[][]): string {
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  return [...lines.slice(0, 1), "| --- | --- | --- |", ...lines.slice(1)].join("\n") + "\n";
}

/** Kubernetes and helm read YAML 1.1, where 0440 is octal. */
const kubernetesYaml = { version: "1.1" } as const;

/** kustomize makes the settings and their hash by itself, so the chart's ConfigMap and checksum are left out. */
function manifests(helm: string, chart: string, values: readonly string[]): string {
  const args = ["template", chart, path.join(folder, "helm", chart)];
  const made = spawnSync(helm, [...args, ...values.flatMap((value) => ["--set", value])], {
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`helm template failed: ${made.stderr}`);
  const documents = parseAllDocuments(made.stdout, kubernetesYaml)
    .filter((document) => document.get("kind") !== "ConfigMap")
    .map((document): unknown => JSON.parse(JSON.stringify(document.toJS(), withoutHelm)));
  const text = documents.map((document) => stringify(document, kubernetesYaml)).join("---\n");
  return `# Made from the chart by npm run generate:kubernetes.\n${text}`;
}

const helmOnly = new Set([
  "helm.sh/chart",
  "app.kubernetes.io/managed-by",
  "picket/settings-checksum",
]);
function withoutHelm(this: unknown, key: string, value: unknown): unknown {
  if (helmOnly.has(key)) return undefined;
  return key === "annotations" &&
    isRecord(value) &&
    Object.keys(value).every((one) => helmOnly.has(one))
    ? undefined
    : value;
}
