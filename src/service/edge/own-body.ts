import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type ContextKey, createContextKey } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import * as limits from "#limits/wire-limits";

type Body = AsyncIterable<Uint8Array>;

/** The body of an answer that its call encodes itself, portion by portion while it is sent; null if the library does. */
export const ownBody: ContextKey<Body | null> = createContextKey<Body | null>(null);

/** The answer with that body: as it is where it is short, else packed where the caller takes it so. */
export async function withOwnBody(
  answer: UniversalServerResponse,
  body: Body,
  packings: string | null,
): Promise<UniversalServerResponse> {
  const header = new Headers(answer.header);
  const parts = body[Symbol.asyncIterator]();
  const begin: Uint8Array[] = [];
  for (let size = 0; size < limits.answerPackedFrom;) {
    const next = await parts.next();
    if (next.done === true) {
      header.set("content-length", String(size));
      return { ...answer, header, body: joined(begin, parts) };
    }
    begin.push(next.value);
    size += next.value.length;
  }
  header.delete("content-length");
  const whole = joined(begin, parts);
  const isPacked = (packings ?? "").split(",").some((one) => one.trim() === "gzip");
  if (!isPacked) return { ...answer, header, body: whole };
  header.set("content-encoding", "gzip");
  return { ...answer, header, body: packed(whole) };
}

/** What was read ahead, and the rest as it is read. */
export async function* joined(
  begin: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* begin;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** What fails in the body fails here, too; whoever reads no further ends it. */
function packed(body: Body): Body {
  const gzip = createGzip();
  void pipeline(Readable.from(body), gzip).catch(() => {});
  return gzip;
}
