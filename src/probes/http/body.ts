import type { Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import type { Bytes } from "#units";

/** A decoded body; `cut` when it is only the beginning. */
export type Decoded =
  | { readonly ok: true; readonly body: Uint8Array; readonly cut: boolean }
  | { readonly ok: false; readonly message: string };

/** RFC 9110 §8.4 sets no limit; nobody honest encodes a body more often. */
const codingsMax = 3;

/**
 * Undoes the Content-Encoding of a body. Stops at `max` decoded bytes, so a bomb costs no more than a body of that
 * size. `cut` says that `raw` is itself only a beginning, whose sudden end is then no fault.
 */
export async function decodeBody(
  raw: Uint8Array,
  contentEncoding: string,
  max: Bytes,
  cut: boolean,
): Promise<Decoded> {
  const codings = contentEncoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > codingsMax)
    return { ok: false, message: `the body has ${codings.length} encodings one over another` };
  let decoded: Decoded = { ok: true, body: raw, cut };
  for (const coding of codings.toReversed()) {
    if (!decoded.ok || decoded.body.length === 0) break;
    decoded = await decodeOne(decoded.body, coding, max, decoded.cut);
  }
  return decoded;
}

async function decodeOne(
  raw: Uint8Array,
  coding: string,
  max: Bytes,
  cut: boolean,
): Promise<Decoded> {
  const decoder = decoderOf(coding, raw);
  if (decoder === null)
    return { ok: false, message: `the body has an unknown encoding "${coding.slice(0, 32)}"` };
  const chunks: Uint8Array[] = [];
  let size = 0;
  decoder.end(raw);
  try {
    for await (const chunk of decoder) {
      if (!(chunk instanceof Uint8Array)) continue;
      const fits = chunk.subarray(0, max - size);
      chunks.push(fits);
      size += fits.length;
      if (fits.length < chunk.length) return { ok: true, body: Buffer.concat(chunks), cut: true };
    }
  } catch (error) {
    if (cut) return { ok: true, body: Buffer.concat(chunks), cut };
    const why = Error.isError(error) ? error.message : String(error);
    return { ok: false, message: `the body is not valid ${coding}: ${why}` };
  }
  return { ok: true, body: Buffer.concat(chunks), cut };
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
      return createZstdDecompress();
    default:
      return null;
  }
}

/** RFC 9110 §8.4.1.2: "deflate" is the zlib format (RFC 1950), but some servers send it bare. */
function hasZlibHeader(raw: Uint8Array): boolean {
  const [method = 0, flags = 0] = raw;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}
