import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { errorCode } from "#network/system-errors";
import { firstValue } from "#network/http/headers";
import { ServiceError } from "#transport/control-plane";
import type { LineAnswer } from "#transport/service-lines";

type Unpack = (
  packed: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Promise<Uint8Array>;

/** How an answer may be packed. */
const unpackers: ReadonlyMap<string, Unpack> = new Map([
  ["gzip", promisify<Uint8Array, object, Uint8Array>(gunzip)],
  ["br", promisify<Uint8Array, object, Uint8Array>(brotliDecompress)],
]);

/** The value of Accept-Encoding. */
export const acceptedEncodings: string = [...unpackers.keys()].join(",");

/** The body of an answer as it was before it was packed. Throws a ServiceError if it has more than `bytesMax`. */
export async function unpackedBody(
  { headers, body }: LineAnswer,
  bytesMax: number,
): Promise<Uint8Array> {
  if (body.length > bytesMax) throw tooLong(bytesMax);
  const encoding = firstValue(headers, "content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity") return body;
  const unpack = unpackers.get(encoding);
  if (unpack === undefined) throw garbage("is packed in a way that was not asked for");
  try {
    return await unpack(body, { maxOutputLength: bytesMax });
  } catch (error) {
    throw errorCode(error) === "ERR_BUFFER_TOO_LARGE"
      ? tooLong(bytesMax)
      : garbage("cannot be unpacked");
  }
}

const garbage = (what: string): ServiceError =>
  new ServiceError("garbage", `the service's answer ${what}`);

const tooLong = (bytesMax: number): ServiceError =>
  new ServiceError("oversized", `the service's answer has more than ${bytesMax} bytes`);
