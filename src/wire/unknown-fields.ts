import { isMapping } from "#base/json";
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Mistake } from "#check/findings";
import * as limits from "#limits/wire-limits";
import { cutText } from "#base/text";

/** What the contract does not have of a JSON message. */
export interface UnknownParts {
  /** Readers pass over them, since other clients may be newer; whoever misspelt one wants to know. */
  readonly fields: readonly string[];
  /** A word in the place of an enum's value. Passed over, it would be the unspecified value, which no one meant. */
  readonly words: readonly Mistake[];
}

export function unknownJsonParts(schema: DescMessage, json: unknown): UnknownParts {
  const found: Lists = { fields: [], words: [] };
  look(schema, json, "", found);
  return found;
}

interface Lists {
  readonly fields: string[];
  readonly words: Mistake[];
}

function look(schema: DescMessage, json: unknown, at: string, found: Lists): void {
  // The library's own messages, e.g. a field mask, have their own JSON.
  if (!isMapping(json) || schema.typeName.startsWith("google.protobuf.")) return;
  for (const [name, value] of Object.entries(json)) {
    if (found.fields.length >= limits.ignoredFieldsShownMax) return;
    const field = schema.fields.find((one) => one.jsonName === name || one.name === name);
    if (field === undefined) found.fields.push(shown(`${at}${name}`));
    else lookInto(field, value, `${at}${name}`, found);
  }
}

function lookInto(field: DescField, value: unknown, at: string, found: Lists): void {
  // An object in the place of a list is refused as a whole; its names may be secrets, e.g. headers by name.
  if (field.fieldKind === "list" && !Array.isArray(value)) return;
  const isList = Array.isArray(value);
  const values = isList ? value.map((one, index) => [one, `${at}[${index}]`]) : [[value, at]];
  for (const [one, place] of values) {
    if (field.enum) lookAtWord(field.enum, one, place, found);
    else if (field.message && field.fieldKind !== "map")
      look(field.message, one, `${place}.`, found);
  }
}

function lookAtWord({ values }: DescEnum, word: unknown, at: string, { words }: Lists): void {
  if (typeof word !== "string" || values.some(({ name }) => name === word)) return;
  if (words.length >= limits.ignoredFieldsShownMax) return;
  const known = values.flatMap(({ name, number }) => (number === 0 ? [] : [name]));
  const quoted = JSON.stringify(cutText(word, limits.ignoredFieldCharsMax));
  words.push({ field: inSnake(at), message: `must be one of ${known.join(", ")}, not ${quoted}` });
}

/** As the service names fields, whichever of its two names a request has. */
const inSnake = (path: string): string =>
  path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** As a header can carry it. */
const shown = (path: string): string =>
  path.replaceAll(/[^\w.[\]-]/g, "?").slice(0, limits.ignoredFieldCharsMax);
