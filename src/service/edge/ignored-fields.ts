import { parsedJson } from "#base/json";
import { formatOf, isByteStream } from "#service/edge/call-body";
import type { DescMessage } from "@bufbuild/protobuf";
import { type ContextKey, createContextKey, type Interceptor } from "@connectrpc/connect";
import { PrivateLocationService as AgentService } from "#contract/private_location/v1/private_location_pb";
import { refuseViolations } from "#service/edge/call-refusal";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import * as limits from "#limits/wire-limits";
import { unknownParts } from "#wire/unknown-parts";
import { type UnknownParts, unknownJsonParts } from "#wire/unknown-fields";

/** What a call's JSON has that the contract does not; null if no one looks. */
export const watchedParts: ContextKey<(() => UnknownParts) | null> = createContextKey<
  (() => UnknownParts) | null
>(null);

/** Fields of a binary message that the contract does not have, by their numbers. */
export const numberedFields: ContextKey<readonly string[]> = createContextKey<readonly string[]>(
  [],
);

/** Refuses words that no enum has. An agent may be newer, so what it says is passed over. */
export const refuseWords: Interceptor = (next) => (request) => {
  const watched = request.contextValues.get(watchedParts);
  if (request.service.typeName === AgentService.typeName) return next(request);
  if (watched !== null) refuseViolations(watched().words);
  if (!request.stream) {
    const parts = unknownParts(request.method.input, request.message);
    request.contextValues.set(numberedFields, parts.slice(0, limits.ignoredFieldsShownMax));
  }
  return next(request);
};

/** A request whose JSON is looked at once it was read, and the fields in it that the contract does not have. */
interface WatchedRequest {
  readonly request: UniversalServerRequest;
  readonly unknown: () => UnknownParts;
}

/** Looks at what a call is asked in JSON. */
export function watchFields(request: UniversalServerRequest, schema: DescMessage): WatchedRequest {
  const parts: Uint8Array[] = [];
  const known: { parts: UnknownParts | null } = { parts: null };
  const unknown = (): UnknownParts =>
    (known.parts ??= unknownJsonParts(schema, parsedJson(Buffer.concat(parts).toString())));
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
