import { isMapping } from "#json";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import * as limits from "#limits/wire-limits";

/**
 * The fields of a JSON message that the contract does not have. Readers pass over them, since other clients may be
 * newer; whoever misspelt one wants to know.
 */
export function unknownFields(schema: DescMessage, json: unknown): readonly string[] {
  const found: string[] = [];
  look(schema, json, "", found);
  return found;
}

function look(schema: DescMessage, json: unknown, at: string, found: string[]): void {
  // The library's own messages, e.g. a field mask, have their own JSON.
  if (!isMapping(json) || schema.typeName.startsWith("google.protobuf.")) return;
  for (const [name, value] of Object.entries(json)) {
    if (found.length >= limits.ignoredFieldsShownMax) return;
    const field = schema.fields.find((one) => one.jsonName === name || one.name === name);
    if (field === undefined) found.push(shown(`${at}${name}`));
    else lookInto(field, value, `${at}${name}`, found);
  }
}

function lookInto(field: DescField, value: unknown, at: string, found: string[]): void {
  const { message } = field;
  if (!message) return;
  if (field.fieldKind === "list" && Array.isArray(value))
    value.forEach((one, index) => look(message, one, `${at}[${index}].`, found));
  else if (field.fieldKind === "message") look(message, value, `${at}.`, found);
}

/** As a header can carry it. */
const shown = (path: string): string =>
  path.replaceAll(/[^\w.[\]-]/g, "?").slice(0, limits.ignoredFieldCharsMax);
