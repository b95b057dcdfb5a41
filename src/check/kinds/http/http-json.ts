import type { HttpOutcome } from "#check/outcome";
import { phasesJson } from "#check/phases-json";

/** What a program reads of an HTTP check. */
export function httpJson({ response, hops }: HttpOutcome): object {
  return {
    status_code: response?.statusCode ?? null,
    version: response?.version ?? null,
    headers: response === null ? null : joinedHeaders(response.headers),
    body_bytes: response?.bodyBytes ?? null,
    body_bytes_received: response?.bodyBytesReceived ?? null,
    body_cut: response?.bodyCut ?? false,
    informational: response?.informational ?? [],
    hops: hops.map(({ url, statusCode, startedAt, phases, leftBehind }) => ({
      url,
      status_code: statusCode,
      started_at: new Date(startedAt).toISOString(),
      phases_ns: phasesJson(phases),
      headers_left_behind: leftBehind,
    })),
  };
}

/** RFC 9110 §5.3 joins the values of one name; Set-Cookie cannot be joined, so it stays a list. */
function joinedHeaders(
  headers: readonly (readonly [string, string])[],
): Readonly<Record<string, string | readonly string[]>> {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) values.getOrInsert(name.toLowerCase(), []).push(value);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, name === "set-cookie" ? all : all.join(", ")]),
  );
}
