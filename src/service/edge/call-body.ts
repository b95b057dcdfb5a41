import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { ConfigurationService } from "#contract/picket/v1/configuration_pb";
import * as limits from "#limits/service-limits";
import * as wireLimits from "#limits/wire-limits";
import { errorCode } from "#network/system-errors";
import { FairTurns } from "#service/edge/turns";
import { type MessageFormat, messageExcess } from "#wire/message-bounds";
import type { Bytes } from "#base/units";

/**
 * Reads the bodies of calls so that none can stall the service: bytes by call, by caller and in all, a few unpacked at
 * a time, and no more elements than are decoded in an instant. What is refused names its limit.
 */
export class CallBodies {
  readonly #bytesOfCaller = new Map<string, number>();
  #bytesInAll = 0;
  readonly #unpacking = new FairTurns<string>(limits.callsUnpackedAtOnce);

  /**
   * The request with a body that is read, unpacked and counted as soon as the library asks for it: that is after the
   * caller was admitted. `caller` is whom the bytes are counted for.
   */
  bounded(
    request: UniversalServerRequest,
    method: DescMethod,
    caller: string,
  ): UniversalServerRequest {
    const encoding = request.header.get("content-encoding") ?? "identity";
    const unpack = unpackers[encoding];
    // The library refuses an encoding that it does not know before it reads anything.
    if (unpack === undefined || !isByteStream(request.body)) return request;
    const announced = Number(request.header.get("content-length") ?? 0);
    const header = new Headers(request.header);
    header.delete("content-encoding");
    header.delete("content-length");
    const format = formatOf(header.get("content-type") ?? "");
    const { body: bytes, signal } = request;
    const call = { bytes, announced, unpack, method, caller, format, signal };
    return { ...request, header, body: this.#read(call) };
  }

  async *#read(call: Call): AsyncGenerator<Uint8Array> {
    const most = callBytesMax(call.method);
    if (call.announced > most) throw tooLarge(most);
    let size = 0;
    try {
      const parts: Uint8Array[] = [];
      for await (const part of call.bytes) {
        size += part.length;
        if (size > most) throw tooLarge(most);
        this.#hold(call.caller, part.length);
        parts.push(part);
      }
      const message = await this.#unpacked(call, Buffer.concat(parts), most);
      const { method, format } = call;
      const excess =
        format === null
          ? null
          : messageExcess(method.input, format, message, callElementsMax(method));
      if (excess !== null) throw new ConnectError(`the body ${excess}`, Code.InvalidArgument);
      yield message;
    } finally {
      this.#letGo(call.caller, size);
    }
  }

  async #unpacked(
    { unpack, caller, signal }: Call,
    body: Uint8Array,
    most: Bytes,
  ): Promise<Uint8Array> {
    if (unpack === null) return body;
    try {
      return await this.#unpacking.take(caller, async () => {
        if (signal.aborted)
          throw new ConnectError("the caller closed the connection", Code.Canceled);
        return unpack(body, { maxOutputLength: most });
      });
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(most);
      throw new ConnectError("the body cannot be unpacked", Code.InvalidArgument);
    }
  }

  #hold(caller: string, bytes: number): void {
    const size = (this.#bytesOfCaller.get(caller) ?? 0) + bytes;
    this.#bytesOfCaller.set(caller, size);
    this.#bytesInAll += bytes;
    if (size > limits.callerBytesMax || this.#bytesInAll > limits.callsBytesMax)
      throw new ConnectError(
        "the bodies of too many calls are being read: try again in a moment",
        Code.Unavailable,
        { "retry-after": "1" },
      );
  }

  #letGo(caller: string, bytes: number): void {
    const size = this.#bytesOfCaller.get(caller) ?? 0;
    this.#bytesInAll -= Math.min(size, bytes);
    if (size <= bytes) this.#bytesOfCaller.delete(caller);
    else this.#bytesOfCaller.set(caller, size - bytes);
  }
}

interface Call {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** By its header; 0 if that says nothing. */
  readonly announced: number;
  readonly unpack: Unpack | null;
  readonly method: DescMethod;
  readonly caller: string;
  readonly format: MessageFormat | null;
  readonly signal: AbortSignal;
}

type Unpack = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** Null for what is not packed. Unpacking is done by other threads. */
const unpackers: Readonly<Partial<Record<string, Unpack | null>>> = {
  identity: null,
  gzip: promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(gunzip),
  br: promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(brotliDecompress),
};

export const isByteStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

/** Null for what the library will refuse by its content type. */
export const formatOf = (contentType: string): MessageFormat | null => {
  if (/^application\/json\b/i.test(contentType)) return "json";
  return /^application\/proto\b/i.test(contentType) ? "binary" : null;
};

/** Only a batch of results and a configuration are large. */
function callBytesMax(method: DescMethod): Bytes {
  if (method.name === "IngestBatch") return wireLimits.serviceRequestBytesMax;
  return isConfiguration(method) ? limits.configurationBytesMax : limits.callBytesMax;
}

const callElementsMax = (method: DescMethod): number =>
  isConfiguration(method) ? limits.configurationElementsMax : limits.callElementsMax;

const isConfiguration = ({ parent }: DescMethod): boolean => parent === ConfigurationService;

const tooLarge = (most: Bytes): ConnectError =>
  new ConnectError(`the body has more than ${most} bytes`, Code.InvalidArgument);
