import { firstValue } from "#network/http/headers";
import { retryAfterOf } from "#network/retry-after";
import * as limits from "#limits/wire-limits";
import { unpackedBody } from "#transport/answer-encodings";
import { ServiceError, type ServiceReason } from "#transport/control-plane";
import type { LineAnswer } from "#transport/service-lines";
import type { EpochMillis } from "#base/units";

/**
 * What an answer that is no success says of the service, in the words by which the agent decides. An error of the Connect
 * protocol says it by its code; any other answer, and one that cannot be read, is known by its status alone.
 */
export async function callFailure(answer: LineAnswer, now: EpochMillis): Promise<ServiceError> {
  const { statusCode, headers } = answer;
  const { code, message } = await errorIn(answer);
  return new ServiceError(
    codeReasons.get(code) ?? statusReasons.get(statusCode) ?? "unavailable",
    message || `HTTP ${statusCode}`,
    retryAfterOf(firstValue(headers, "retry-after"), now),
  );
}

/** An error as the protocol writes it, see connectrpc.com/docs/protocol; empty if there is none. */
interface WrittenError {
  readonly code: string;
  readonly message: string;
}

const none: WrittenError = { code: "", message: "" };

async function errorIn(answer: LineAnswer): Promise<WrittenError> {
  if (!/^application\/json\b/i.test(firstValue(answer.headers, "content-type") ?? "")) return none;
  try {
    const body = await unpackedBody(answer, limits.serviceErrorBytesMax);
    const written: unknown = JSON.parse(Buffer.from(body).toString());
    const word = (name: string): string => {
      const value: unknown = Reflect.get(Object(written), name);
      return typeof value === "string" ? value : "";
    };
    return { code: word("code"), message: word("message") };
  } catch {
    return none;
  }
}

const codeReasons: ReadonlyMap<string, ServiceReason> = new Map([
  ["unauthenticated", "unauthenticated"],
  ["permission_denied", "forbidden"],
  ["invalid_argument", "rejected"],
  ["failed_precondition", "rejected"],
  ["out_of_range", "rejected"],
  ["already_exists", "rejected"],
  ["not_found", "not_found"],
  ["unimplemented", "unsupported"],
  ["resource_exhausted", "rate_limited"],
  ["deadline_exceeded", "timeout"],
  ["canceled", "cancelled"],
  ["data_loss", "garbage"],
  ["internal", "internal"],
  // A handler that gives no code fails as this.
  ["unknown", "internal"],
  ["unavailable", "unavailable"],
  ["aborted", "unavailable"],
]);

/** Statuses of servers and proxies that do not speak the protocol. */
const statusReasons: ReadonlyMap<number, ServiceReason> = new Map([
  [400, "garbage"],
  [401, "unauthenticated"],
  [403, "forbidden"],
  [404, "unsupported"],
  // A proxy's limit: a smaller request may pass, and one result that does not never will.
  [413, "rejected"],
  [429, "rate_limited"],
  [500, "internal"],
]);
