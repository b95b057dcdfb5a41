import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Deadline } from "#deadline";
import * as limits from "#limits";
import type { Collector } from "#metrics/otlp-protocol";
import { basicAuth } from "#network/basic-auth";
import { errorCode } from "#network/system-errors";
import { dial } from "#probes/connection/dial";
import type { ProbeContext } from "#probes/probe";
import { Stopwatch } from "#probes/connection/stopwatch";
import type { EpochMillis, Millis } from "#units";
import { hostPortOf } from "#network/host-port";
import { retryAfterOf } from "#network/retry-after";

/** What became of one export; reasons are sentences without a secret. */
export type Posted =
  | { readonly outcome: "taken"; readonly answer: Uint8Array }
  /** Worth another try, after `wait` where the collector named one. */
  | { readonly outcome: "failed"; readonly reason: string; readonly wait: Millis | null }
  /** The same would be refused again. */
  | { readonly outcome: "refused"; readonly reason: string };

const compressed = promisify(gzip);

/**
 * Posts one export over a connection of its own, which is dialled as a check's is: resolved once, screened by the
 * target guard, trusted by the same authorities. Redirects are not followed: headers would go where nobody sent them.
 */
export async function postMetrics(
  body: Uint8Array,
  collector: Collector,
  deadline: Deadline,
  context: ProbeContext,
): Promise<Posted> {
  const content = collector.gzip ? await compressed(body) : Buffer.from(body);
  const url = new URL(collector.url);
  const stopwatch = new Stopwatch(context.clock, context.marker);
  const secure = url.protocol === "https:";
  const endpoint = {
    ...hostPortOf(url),
    tls: secure ? { alpn: ["http/1.1"] } : null,
  };
  const dialled = await dial(endpoint, { deadline, stopwatch, context });
  if (!dialled.ok) {
    const { message: reason, phase } = dialled.failure;
    return phase === "policy"
      ? { outcome: "refused", reason }
      : { outcome: "failed", reason, wait: null };
  }
  try {
    return await exchange(content, url, collector, dialled.socket, deadline, context);
  } catch (error) {
    const reason =
      deadline.ended === null ? `the connection broke (${errorCode(error)})` : "no answer in time";
    return { outcome: "failed", reason, wait: null };
  } finally {
    dialled.socket.destroy();
  }
}

async function exchange(
  content: Buffer,
  url: URL,
  collector: Collector,
  socket: Socket,
  deadline: Deadline,
  { clock, userAgent }: ProbeContext,
): Promise<Posted> {
  const abort = (): void => void socket.destroy(new Error("deadline"));
  deadline.signal.addEventListener("abort", abort, { once: true });
  if (deadline.signal.aborted) abort();
  try {
    const outgoing = request({
      createConnection: () => socket,
      method: "POST",
      path: `${url.pathname}${url.search}`,
      headers: headersOf(url, collector, content.byteLength, userAgent),
    });
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    outgoing.once("response", resolve);
    outgoing.on("error", reject);
    outgoing.end(content);
    const response = await answered;
    return posted(response, await answerOf(response), clock.wall());
  } finally {
    deadline.signal.removeEventListener("abort", abort);
  }
}

function headersOf(
  url: URL,
  { headers, protocol, gzip }: Collector,
  length: number,
  userAgent: string,
): Record<string, string | number> {
  const authorization = basicAuth(url);
  return {
    host: url.host,
    "user-agent": userAgent,
    ...(authorization === null ? {} : { authorization }),
    ...Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), asUtf8(value)])),
    connection: "close",
    "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
    ...(gzip ? { "content-encoding": "gzip" } : {}),
    "content-length": length,
  };
}

/** node:http writes a value as Latin-1: these characters are the bytes of UTF-8. */
const asUtf8 = (value: string): string => Buffer.from(value).toString("latin1");

/** An answer is a few bytes; what is longer is not read, its status has said enough. */
async function answerOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes: Buffer = chunk;
    size += bytes.byteLength;
    if (size > limits.metricsAnswerBytesMax) return Buffer.alloc(0);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** The OTLP specification, "OTLP/HTTP Response": these and no others are worth another try. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function posted(
  { statusCode = 0, headers }: IncomingMessage,
  answer: Buffer,
  now: EpochMillis,
): Posted {
  if (statusCode >= 200 && statusCode < 300) return { outcome: "taken", answer };
  const reason = `status ${statusCode}${hints[statusCode] ?? ""}`;
  if (statusCode >= 300 && statusCode < 400)
    return {
      outcome: "refused",
      reason: `${reason}: redirects are not followed, name the address itself`,
    };
  if (!transient.has(statusCode)) return { outcome: "refused", reason };
  return { outcome: "failed", reason, wait: retryAfterOf(headers["retry-after"] ?? null, now) };
}

const hints: Readonly<Record<number, string>> = {
  401: ": check the headers that prove who sends",
  403: ": check the headers that prove who sends",
  404: ": check the path",
};
