import { parsedJson } from "#json";
import { formatOf, isByteStream } from "#service/calls/call-body";
import type { DescMessage } from "@bufbuild/protobuf";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { unknownFields } from "#wire/unknown-fields";

/** A request whose JSON is looked at once it was read, and the fields in it that the contract does not have. */
interface WatchedRequest {
  readonly request: UniversalServerRequest;
  readonly unknown: () => readonly string[];
}

/** Looks at what a call is asked in JSON; a binary message names no fields. */
export function watchFields(request: UniversalServerRequest, schema: DescMessage): WatchedRequest {
  const parts: Uint8Array[] = [];
  const unknown = (): readonly string[] =>
    unknownFields(schema, parsedJson(Buffer.concat(parts).toString()));
  if (request.method === "GET") {
    const { searchParams } = new URL(request.url);
    const isJson = searchParams.get("encoding") === "json";
    if (isJson) parts.push(queryMessage(searchParams));
    return { request, unknown };
  }
  const { body } = request;
  if (formatOf(request.header.get("content-type") ?? "") !== "json" || !isByteStream(body))
    return { request, unknown };
  return { request: { ...request, body: keeping(body, parts) }, unknown };
}

async function* keeping(
  body: AsyncIterable<Uint8Array>,
  parts: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for await (const part of body) {
    parts.push(part);
    yield part;
  }
}

const queryMessage = (query: URLSearchParams): Uint8Array =>
  Buffer.from(query.get("message") ?? "", query.get("base64") === "1" ? "base64url" : "utf8");
