import type { Socket } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Client, type Dispatcher } from "undici";
import type { Deadline } from "#base/deadline";
import * as limits from "#limits/metrics-limits";
import type { Collector } from "#metrics/otlp-protocol";
import { basicAuth } from "#network/basic-auth";
import { errorCode } from "#network/system-errors";
import { dial } from "#probes/connection/dial";
import { startRuntimeTls } from "#probes/socket/runtime-tls";
import type { ProbeContext } from "#probes/connection/probe";
import { Stopwatch } from "#probes/socket/stopwatch";
import type { EpochMillis, Millis } from "#base/units";
import { hostPortOf } from "#network/host-port";
import { retryAfterOf } from "#network/retry-after";

/** What became of one export; reasons are sentences without a secret. */
export type PostOutcome =
  | { readonly outcome: "taken"; readonly answer: Uint8Array }
  /** Worth another try, after `wait` where the collector named one. */
  | { readonly outcome: "failed"; readonly reason: string; readonly wait: Millis | null }
  /** The same would be refused again. */
  | { readonly outcome: "refused"; readonly reason: string };

const compressed = promisify(gzip);

/**
 * Posts one export over its own connection, which is dialled as a check's is: resolved once, screened by the
 * target guard, trusted by the same authorities. Redirects are not followed: headers would go where the operator did not send them.
 */
export async function postMetrics(
  body: Uint8Array,
  collector: Collector,
  deadline: Deadline,
  context: ProbeContext,
): Promise<PostOutcome> {
  const content = collector.gzip ? await compressed(body) : Buffer.from(body);
  const url = new URL(collector.url);
  const stopwatch = new Stopwatch(context.clock, context.marker);
  const secure = url.protocol === "https:";
  const endpoint = {
    kind: "http" as const,
    ...hostPortOf(url),
    tls: secure ? { alpn: ["http/1.1"] } : null,
  };
  const dialled = await dial(endpoint, { deadline, stopwatch, context }, startRuntimeTls);
  if (!dialled.ok) {
    const { message: reason, phase } = dialled.failure;
    return phase === "policy"
      ? { outcome: "refused", reason }
      : { outcome: "failed", reason, wait: null };
  }
  try {
    return await exchange(content, url, collector, dialled.line.socket(), deadline, context);
  } catch (error) {
    const reason =
      deadline.ended === null ? `the connection broke (${errorCode(error)})` : "no answer in time";
    return { outcome: "failed", reason, wait: null };
  } finally {
    dialled.line.destroy();
  }
}

async function exchange(
  content: Buffer,
  url: URL,
  collector: Collector,
  socket: Socket,
  deadline: Deadline,
  { clock, userAgent }: ProbeContext,
): Promise<PostOutcome> {
  // Only to frame and parse: the connection is dialled already, and the one deadline is ours.
  const client = new Client(url.origin, {
    // Handed over in the turn that asks for it, undici would never send.
    connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const response = await client.request({
      method: "POST",
      path: `${url.pathname}${url.search}`,
      headers: headersOf(url, collector, userAgent),
      body: content,
      reset: true,
      signal: deadline.signal,
    });
    return posted(response, await answerOf(response.body), clock.wall());
  } finally {
    await client.destroy();
  }
}

function headersOf(
  url: URL,
  { headers, protocol, gzip }: Collector,
  userAgent: string,
): Record<string, string> {
  const authorization = basicAuth(url);
  return {
    host: url.host,
    "user-agent": userAgent,
    ...(authorization === null ? {} : { authorization }),
    ...Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), asUtf8(value)])),
    "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
    ...(gzip ? { "content-encoding": "gzip" } : {}),
  };
}

/** A value is written as Latin-1: these characters are the bytes of UTF-8. */
const asUtf8 = (value: string): string => Buffer.from(value).toString("latin1");

/** An answer is a few bytes; what is longer is not read, its status has said enough. */
async function answerOf(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.byteLength;
    if (size > limits.metricsAnswerBytesMax) return Buffer.alloc(0);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The OTLP specification, "OTLP/HTTP Response": these and no others are worth another try. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function posted(
  { statusCode, headers }: Dispatcher.ResponseData,
  answer: Buffer,
  now: EpochMillis,
): PostOutcome {
  if (statusCode >= 200 && statusCode < 300) return { outcome: "taken", answer };
  const reason = `status ${statusCode}${hints[statusCode] ?? ""}`;
  if (statusCode >= 300 && statusCode < 400)
    return {
      outcome: "refused",
      reason: `${reason}: redirects are not followed, name the address itself`,
    };
  if (!transient.has(statusCode)) return { outcome: "refused", reason };
  return { outcome: "failed", reason, wait: retryAfterOf(first(headers["retry-after"]), now) };
}

/** A header that a collector repeats counts once. */
const first = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null;

const hints: Readonly<Record<number, string>> = {
  401: ": check the headers that prove who sends",
  403: ": check the headers that prove who sends",
  404: ": check the path",
};
