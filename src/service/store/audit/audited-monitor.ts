import { isDeepStrictEqual } from "node:util";
import { isCredentialHeader } from "#check/credential-header";
import type { HttpDefinition, MonitorDefinition } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { showUrl } from "#check/target";
import type { FieldDigest } from "#service/store/audit/field-digest";
import type { FieldState, ObjectState } from "#service/store/audit/field-change";
import { filled, type NamedField } from "#service/store/audit/state-fields";
import { type Row, text } from "#service/store/sql";
import { definitionIn } from "#service/store/verbs/written-definition";

/** A monitor as the log may have it. Of a thousand that are changed, nothing is made of what stays as it was. */
export function monitorState(row: Row, digest: FieldDigest): ObjectState {
  const definition = definitionIn(text(row, "definition"));
  const values: Readonly<Record<string, unknown>> = {
    ...definition,
    [owner]: text(row, "owner"),
    [fileLabels]: labelsOfFile(text(row, "labels"), definition),
  };
  return {
    name: definition.name,
    values,
    fields: (names) => {
      const fields = monitorFields(definition, digest, names);
      if (names?.has(owner) !== false) fields.push([owner, digest.json(values[owner])]);
      if (names?.has(fileLabels) !== false)
        fields.push([fileLabels, digest.written(labelsOfFile(text(row, "labels"), definition))]);
      return filled(fields);
    },
  };
}

/** What a file labels otherwise than the monitor is: labels that are the same are said once. */
const labelsOfFile = (written: string, { labels }: MonitorDefinition): string =>
  written === JSON.stringify(labels) || isDeepStrictEqual(JSON.parse(written), labels)
    ? "{}"
    : written;

const owner = "owner";
const fileLabels = "file labels";

/** The fields of a monitor as the log may have them. A field that is not known here is a secret. */
function monitorFields(
  definition: MonitorDefinition,
  digest: FieldDigest,
  names: ReadonlySet<string> | null,
): NamedField[] {
  const fields: NamedField[] = [];
  const wanted = names === null ? definition : only(definition, names);
  for (const [name, value] of Object.entries(wanted))
    if (shown.has(name)) fields.push([name, digest.json(value)]);
    else
      switch (name) {
        case "url":
        case "uri": {
          const part = shownPart(value, (uri) => kindTable[definition.kind].shownUri(uri), digest);
          fields.push([name, part]);
          break;
        }
        case "headers":
        case "metadata":
          fields.push(...secretPairs(name, value, digest));
          break;
        case "headerAssertions":
          fields.push(...headerAssertions(value, digest));
          break;
        case "otel":
          if (value === null) break;
          fields.push(
            ["otel endpoint", shownPart(value.endpoint, showUrl, digest)],
            ...secretPairs("otel headers", value.headers, digest),
          );
          break;
        default:
          fields.push([
            name,
            digest.secret(typeof value === "string" ? value : JSON.stringify(value)),
          ]);
      }
  return fields;
}

/** Of a thousand that are paused one field is looked at, and not all twenty. */
const only = (definition: MonitorDefinition, names: ReadonlySet<string>) =>
  Object.fromEntries(
    [...names]
      .filter((name) => Object.hasOwn(definition, name))
      .map((name) => [name, Reflect.get(definition, name)]),
  );

const shown: ReadonlySet<string> = new Set([
  "kind",
  "name",
  "periodicity",
  "timeout",
  "degradedAt",
  "retry",
  "active",
  "public",
  "description",
  "regions",
  "alerting",
  "labels",
  "method",
  "followRedirects",
  "statusCodeAssertions",
  "bodyAssertions",
  "jsonAssertions",
  "recordAssertions",
  "service",
  "tlsMode",
]);

/** What of an address is no secret; the digest shows whether the rest is the same. */
function shownPart(uri: string, show: (uri: string) => string, digest: FieldDigest): FieldState {
  const part = show(uri);
  return digest.text(part === uri ? uri : `${part} (digest ${digest.of(uri)})`);
}

/** Names are shown; a name that is there twice has one digest of both. */
function secretPairs(
  field: string,
  pairs: readonly { readonly key: string; readonly value: string }[],
  digest: FieldDigest,
): readonly NamedField[] {
  const byName = Map.groupBy(pairs, ({ key }) => key);
  return [...byName].map(([key, all]) => [
    `${field}: ${key}`,
    digest.secret(all.map(({ value }) => value).join("\n")),
  ]);
}

/** What is expected of a header that holds a credential is one. */
function headerAssertions(
  all: HttpDefinition["headerAssertions"],
  digest: FieldDigest,
): readonly NamedField[] {
  if (all.length === 0) return [];
  const [secret, open] = [
    all.filter(({ key }) => isCredentialHeader(key)),
    all.filter(({ key }) => !isCredentialHeader(key)),
  ];
  return [
    ["headerAssertions", digest.json(open)],
    ...secretPairs(
      "headerAssertions",
      secret.map(({ key, target, comparator }) => ({ key, value: `${comparator} ${target}` })),
      digest,
    ),
  ];
}
