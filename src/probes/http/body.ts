import { thrownText } from "#base/text";
import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import * as limits from "#limits/probes-limits";
import { freeBody } from "#probes/socket/body-memory";
import { BodyBytes } from "#probes/http/body-bytes";
import { type HeaderPairs, valuesOf } from "#network/http/headers";
import type { Bytes } from "#base/units";

/** A decoded body; `cut` when it is only the beginning. */
type DecodedBody =
  | { readonly ok: true; readonly body: Uint8Array; readonly cut: boolean }
  | { readonly ok: false; readonly message: string };

/** RFC 9110 §8.4 sets no limit; no honest server encodes a body more often. */
const codingsMax = 3;

/** What was done to the content of a response, innermost first: by its Content-Encoding, then by the transfer. */
export function codingsOf(head: EncodedContent | null): readonly string[] {
  if (head === null) return [];
  const named = [...valuesOf(head.headers, "content-encoding"), ...head.transferCodings];
  // Most bodies are as they are.
  if (named.length === 0) return named;
  return named
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

interface EncodedContent {
  readonly headers: HeaderPairs;
  readonly transferCodings: readonly string[];
}

/** The memory that it may take to decode `size` bytes, at most. */
export function decodingBytes(codings: readonly string[], size: number, max: Bytes): number {
  if (codings.length === 0) return 0;
  const isDeflate = codings.length === 1 && !["br", "zstd"].includes(codings[0] ?? "");
  return isDeflate
    ? Math.min(max, size * limits.deflateExpansionMax)
    : max + limits.brotliWindowBytesMax;
}

/**
 * Undoes what was done to a body. Stops at `max` decoded bytes, so a bomb costs no more than a body of that size. `cut`
 * says that `raw` is itself only a beginning, whose sudden end is then no fault.
 */
export async function decodeBody(
  raw: Uint8Array,
  codings: readonly string[],
  max: Bytes,
  cut: boolean,
): Promise<DecodedBody> {
  if (codings.length > codingsMax)
    return { ok: false, message: `the body has ${codings.length} encodings one over another` };
  let decoded: DecodedBody = { ok: true, body: raw, cut };
  for (const coding of codings.toReversed()) {
    if (!decoded.ok || decoded.body.length === 0) break;
    const encoded = decoded.body;
    decoded = await decodeOne(encoded, coding, max, decoded.cut);
    freeBody(encoded);
  }
  return decoded;
}

async function decodeOne(
  raw: Uint8Array,
  coding: string,
  max: Bytes,
  cut: boolean,
): Promise<DecodedBody> {
  const decoder = decoderOf(coding, raw);
  if (decoder === null)
    return { ok: false, message: `the body has an unknown encoding "${coding.slice(0, 32)}"` };
  const decoded = new BodyBytes(max);
  decoder.end(raw);
  try {
    for await (const chunk of decoder) {
      if (!(chunk instanceof Uint8Array)) continue;
      if (!decoded.add(chunk, 0, chunk.length))
        return { ok: true, body: decoded.take(), cut: true };
    }
  } catch (error) {
    if (cut) return { ok: true, body: decoded.take(), cut };
    const why = thrownText(error);
    return { ok: false, message: `the body is not valid ${coding}: ${why}` };
  }
  return { ok: true, body: decoded.take(), cut };
}

function decoderOf(coding: string, raw: Uint8Array): Transform | null {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return hasZlibHeader(raw) ? createInflate() : createInflateRaw();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress({
        params: { [constants.ZSTD_d_windowLogMax]: limits.zstdWindowBits },
      });
    default:
      return null;
  }
}

/** RFC 9110 §8.4.1.2: "deflate" is the zlib format (RFC 1950), but some servers send it bare. */
function hasZlibHeader(raw: Uint8Array): boolean {
  const [method = 0, flags = 0] = raw;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}
