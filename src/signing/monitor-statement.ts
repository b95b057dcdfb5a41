import { type JsonValue, toJson } from "@bufbuild/protobuf";
import type { DefinitionOf, MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import { codecOf } from "#wire/kinds/codec-table";
import type { AssignedMessages } from "#wire/kinds/kind-codec";

/** What is signed with a monitor: for which locations, and when. */
export interface SignedFor {
  readonly locations: readonly string[];
  /** Epoch milliseconds. */
  readonly signedAt: number;
}

/**
 * The bytes that are signed: what an agent receives of a monitor, as protobuf writes it in JSON, with keys in order and
 * without what is empty. docs/signing.md has them. The id is the service's own, and the signature cannot sign itself.
 */
export function statementOf(
  kind: Kind,
  assigned: AssignedMessages[Kind],
  { locations, signedAt }: SignedFor,
): Buffer {
  const whole = toJson(codecOf(kind).assignment.schema, assigned);
  const { id: _id, signature: _signature, ...monitor } = isObject(whole) ? whole : {};
  return Buffer.from(
    canonicalJson({ kind, locations: locations.toSorted(), monitor, signedAt: String(signedAt) }),
  );
}

/** The same of a monitor as it is written, which the service will assign so. */
export const statementOfDefinition = (definition: MonitorDefinition, signed: SignedFor): Buffer =>
  ofKind(definition.kind, definition, signed);

const ofKind = <K extends Kind>(kind: K, definition: DefinitionOf<K>, signed: SignedFor): Buffer =>
  statementOf(kind, codecOf(kind).assignment.write("", definition), signed);

const isObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 8785: keys in the order of their UTF-16 units, no space, and texts as JSON.stringify writes them. */
function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}
