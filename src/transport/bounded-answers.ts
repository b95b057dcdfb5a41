import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createTransport } from "@connectrpc/connect/protocol-connect";
import type {
  Compression,
  UniversalClientFn,
  UniversalClientResponse,
} from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import {
  type MonitorsResponse,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import { ServiceError } from "#transport/control-plane";
import type { Millis } from "#units";
import { messageExcess, unreadable } from "#wire/message-bounds";

/** Speaks Connect with the service, in binary, over whatever `call` calls it by. */
export const boundedTransport = ({
  baseUrl,
  call,
  interceptors,
  callTimeout,
}: {
  readonly baseUrl: string;
  readonly call: UniversalClientFn;
  readonly interceptors: readonly Interceptor[];
  /** None, where the caller has its own. */
  readonly callTimeout?: Millis;
}): Transport =>
  createTransport({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    httpClient: boundedAnswers(call),
    useBinaryFormat: true,
    interceptors: [...interceptors],
    acceptCompression: [...answerCompressions],
    sendCompression: null,
    compressMinBytes: 0,
    readMaxBytes: limits.serviceAnswerBytesMax,
    writeMaxBytes: limits.serviceRequestBytesMax,
    ...(callTimeout === undefined ? {} : { defaultTimeoutMs: callTimeout }),
  });

/** The packings of answers that are asked for. */
const answerCompressions: readonly Compression[] = [compressionGzip, compressionBrotli];

/**
 * Calls the service and takes no more of an answer than it may have: its bytes, packed and unpacked, and how many
 * elements are decoded. An error that is longer than a sentence is known by its status alone.
 */
const boundedAnswers =
  (call: UniversalClientFn): UniversalClientFn =>
  async (request) => {
    const answer = await call(request);
    if (answer.status !== 200) return { ...answer, body: shortError(answer.body) };
    const header = new Headers(answer.header);
    header.delete("content-encoding");
    header.delete("content-length");
    const isMessage = /^application\/proto\b/i.test(header.get("content-type") ?? "");
    return isMessage ? { ...answer, header, body: messageOf(request.url, answer) } : answer;
  };

async function* messageOf(
  url: string,
  { header, body }: UniversalClientResponse,
): AsyncGenerator<Uint8Array> {
  const method = PrivateLocationService.methods.find(({ name }) => url.endsWith(`/${name}`));
  if (method === undefined) throw new Error(`there is no call at ${url}`);
  const isAssignment = method.name === "Monitors";
  const most = isAssignment ? limits.serviceAnswerBytesMax : limits.serviceWordBytesMax;
  const packed = await wholeOf(body, most);
  if (packed === null) throw oversized(`has more than ${most} bytes`);
  const encoding = header.get("content-encoding") ?? "identity";
  const message = await unpacked(encoding, packed, most);
  const excess = messageExcess(
    method.output,
    "binary",
    message,
    isAssignment ? limits.assignmentElementsMax : limits.serviceWordElementsMax,
  );
  if (excess === unreadable) throw new ServiceError("garbage", `the service's answer ${excess}`);
  if (excess !== null) throw oversized(excess);
  yield message;
}

async function unpacked(encoding: string, packed: Uint8Array, most: number): Promise<Uint8Array> {
  if (encoding === "identity") return packed;
  const compression = answerCompressions.find(({ name }) => name === encoding);
  if (compression === undefined)
    throw new ServiceError(
      "garbage",
      "the service's answer is packed in a way that was not asked for",
    );
  try {
    return await compression.decompress(packed, most);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.ResourceExhausted)
      throw oversized(`has more than ${most} bytes`);
    throw new ServiceError("garbage", "the service's answer cannot be unpacked");
  }
}

async function* shortError(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const whole = await wholeOf(body, limits.serviceErrorBytesMax);
  if (whole !== null) yield whole;
}

/** Null where there is more than `most`; the rest is not read. */
async function wholeOf(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const oversized = (what: string): ServiceError =>
  new ServiceError("oversized", `the service's answer ${what}`);

/** An assignment is refused as a whole: which of its monitors to leave out would be a guess. */
export function refuseOversized({
  httpMonitors,
  tcpMonitors,
  dnsMonitors,
}: MonitorsResponse): void {
  const assigned = httpMonitors.length + tcpMonitors.length + dnsMonitors.length;
  if (assigned > checkLimits.monitorsPerAgentMax)
    throw new ServiceError(
      "oversized",
      `the service assigned ${assigned} monitors, more than the ${checkLimits.monitorsPerAgentMax} that one agent runs`,
    );
}
