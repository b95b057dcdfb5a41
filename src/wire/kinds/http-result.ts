import { IngestHTTPRequestSchema } from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import { bodyBeginning } from "#check/body-beginning";
import type { HttpOutcome } from "#check/outcome";
import type { Result } from "#check/result";
import { httpTiming } from "#wire/http-timing";
import { errorOf, messageOf, writeNames } from "#wire/kinds/result-fields";
import type { MessageWriter } from "#wire/message-writer";

/** A result of an HTTP check as a plain call carries it. */
export function writeHttp(writer: MessageWriter, result: Result): void {
  const fields = IngestHTTPRequestSchema.field;
  const outcome = result.outcome?.kind === "http" ? result.outcome : null;
  const response = outcome?.response ?? null;
  writeNames(writer, fields, result);
  writer.text(fields.url, result.uri);
  writer.text(fields.requestStatus, result.status);
  writer.text(fields.message, messageOf(result));
  writer.text(fields.body, result.status === "degraded" ? reportedBody(outcome) : "");
  writer.text(fields.headers, response === null ? "null" : firstValues(response.headers));
  writer.text(fields.timing, httpTiming(outcome));
  writer.integer(fields.statusCode, response?.statusCode ?? 0);
  writer.integer(fields.error, errorOf(result));
}

const reportedBody = (outcome: HttpOutcome | null): string =>
  bodyBeginning(outcome?.response?.body ?? new Uint8Array(), checkLimits.reportedBodyBytesMax);

/** A JSON object: canonical name → first value, as Go's http.Header spells it, which is what readers of this field know. */
function firstValues(headers: readonly (readonly [string, string])[]): string {
  const seen = new Set<string>();
  let json = "";
  for (const [name, value] of headers) {
    const key = canonicalKey(name);
    if (seen.has(key)) continue;
    seen.add(key);
    json += `${json === "" ? "{" : ","}${key}:${JSON.stringify(value)}`;
  }
  return json === "" ? "{}" : `${json}}`;
}

/** In quotes. Targets use the same few names forever, and spelling one costs as much as the rest of its report. */
const canonicalKeys = new Map<string, string>();

function canonicalKey(name: string): string {
  const known = canonicalKeys.get(name);
  if (known !== undefined) return known;
  const canonical = name.toLowerCase().replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
  const key = JSON.stringify(canonical);
  if (canonicalKeys.size < limits.headerNamesKeptMax) canonicalKeys.set(name, key);
  return key;
}
