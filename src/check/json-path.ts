import type { JsonPath, JsonScalar } from "#check/assertion";
import * as limits from "#limits/check-limits";
import { parsed, type ParseResult, refused } from "#network/parsed";

/**
 * Reads a singular query of RFC 9535, e.g. `$.checks[0]['up-time']`, or `length()` of one. What could lead to many values
 * (wildcards, slices, filters, `..`) is refused: which of them an assertion would mean is not clear, and finding them
 * could take long.
 */
export function parseJsonPath(text: string): ParseResult<JsonPath> {
  if (text === "") return refused("is required");
  if (text.length > limits.jsonPathCharsMax)
    return refused(`is longer than ${limits.jsonPathCharsMax} characters`);
  const [, inner] = /^length\(\s*(.*?)\s*\)$/s.exec(text) ?? [];
  const query = inner ?? text;
  if (!query.startsWith("$")) return refused("must begin with $, for example $.status");
  const steps: (string | number)[] = [];
  for (let at = 1; at < query.length;) {
    const step = stepAt(query, at);
    if (step === null)
      return refused(
        `must have .name, ['name'] or [0] at character ${at + 1}: wildcards, slices, filters and .. lead to many values`,
      );
    steps.push(step.value);
    at = step.next;
  }
  if (steps.length > limits.jsonDepthMax)
    return refused(`has more than ${limits.jsonDepthMax} steps`);
  return parsed({ text, steps, isLength: inner !== undefined });
}

interface Step {
  readonly value: string | number;
  readonly next: number;
}

const member = /\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)/y;
const index = /\[\s*(0|-?[1-9]\d{0,8})\s*\]/y;
const quoted = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\]/y;

function stepAt(query: string, at: number): Step | null {
  const found = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(query);
  };
  const named = found(member);
  if (named !== null) return { value: named[1] ?? "", next: member.lastIndex };
  const place = found(index);
  if (place !== null) return { value: Number(place[1]), next: index.lastIndex };
  const name = found(quoted);
  if (name === null) return null;
  const next = quoted.lastIndex;
  // In single quotes, a double one needs no backslash, and a single one has one.
  const written = name[1] ?? (name[2] ?? "").replaceAll("\\'", "'").replaceAll('"', '\\"');
  const value = textOf(`"${written}"`);
  return value === null ? null : { value, next };
}

function textOf(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** A number, true, false, null or a text in quotes as JSON writes them; everything else is a text. */
export function jsonScalar(text: string): JsonScalar {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    return typeof value === "number" ? value : text;
  } catch {
    return text;
  }
}
