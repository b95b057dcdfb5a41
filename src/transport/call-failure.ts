import { Code, ConnectError } from "@connectrpc/connect";
import { retryAfterOf } from "#network/retry-after";
import { ServiceError, type ServiceReason } from "#transport/control-plane";
import { wayFailure } from "#transport/service-failure";
import type { EpochMillis } from "#units";

/** What a call that failed says of the service, in the words by which the agent decides. */
export function callFailure(error: unknown, now: EpochMillis): ServiceError {
  const failed = ConnectError.from(error);
  const onTheWay = wayFailure(failed.cause);
  if (onTheWay !== null) return onTheWay;
  const retryAfter = retryAfterOf(failed.metadata.get("retry-after"), now);
  return new ServiceError(reasonOf(failed), failed.rawMessage || String(failed.code), retryAfter);
}

/** Connect gives a code also to answers that are not of its protocol, by their HTTP status. */
function reasonOf(failed: ConnectError): ServiceReason {
  const status = /^HTTP (\d{3})$/.exec(failed.rawMessage)?.[1];
  if (status !== undefined) return plainReasons[status] ?? codeReasons[failed.code];
  // What comes without headers was not said by a server: it is our own reading of an answer that failed.
  const isOurs = [...failed.metadata].length === 0;
  if (isOurs && readingFailures.has(failed.code)) return "garbage";
  if (failed.code === Code.Internal && failed.rawMessage.startsWith("unsupported "))
    return "garbage";
  // A handler that gives no code fails as this, with HTTP 500. A foreign HTML page does as well.
  if (failed.code === Code.Unknown && !isOurs && !failed.rawMessage.startsWith("unsupported "))
    return "internal";
  return codeReasons[failed.code];
}

/** Statuses of servers and proxies that do not speak the protocol. */
const plainReasons: Readonly<Partial<Record<string, ServiceReason>>> = {
  "400": "garbage",
  // A proxy's limit: a smaller request may pass, and one result that does not never will.
  "413": "rejected",
  "429": "rate_limited",
  "500": "internal",
};

/** An answer that is no message, is too large, or cannot be unpacked. */
const readingFailures: ReadonlySet<Code> = new Set([
  Code.Internal,
  Code.InvalidArgument,
  Code.ResourceExhausted,
  Code.DataLoss,
]);

const codeReasons: { readonly [C in Code]: ServiceReason } = {
  [Code.Unauthenticated]: "unauthenticated",
  [Code.PermissionDenied]: "forbidden",
  [Code.InvalidArgument]: "rejected",
  [Code.FailedPrecondition]: "rejected",
  [Code.OutOfRange]: "rejected",
  [Code.AlreadyExists]: "rejected",
  [Code.NotFound]: "not_found",
  [Code.Unimplemented]: "unsupported",
  [Code.ResourceExhausted]: "rate_limited",
  [Code.DeadlineExceeded]: "timeout",
  [Code.Canceled]: "cancelled",
  [Code.DataLoss]: "garbage",
  [Code.Internal]: "internal",
  [Code.Unavailable]: "unavailable",
  [Code.Unknown]: "unavailable",
  [Code.Aborted]: "unavailable",
};
