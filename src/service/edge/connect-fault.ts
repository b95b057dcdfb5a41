import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Logger } from "#base/log";
import { because, Refusal, type RefusalCode } from "#service/edge/call-refusal";
import { errorDetails } from "#service/edge/error-details";
import { publicSentences, StoreFault } from "#service/store/store-fault";

/**
 * What a call that failed answers. A refusal is for the caller; a database that cannot be written just now asks the
 * caller to come again; all else is a fault of ours, which the log shows and the answer does not.
 */
export function connectFault(error: unknown, call: string, log: Logger): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Refusal) return refused(error);
  const what = Error.isError(error) ? `${error.name}: ${error.message}` : String(error);
  if (error instanceof StoreFault && error.code !== "unsupported") {
    log.error("the database cannot be used; callers are asked to try again", {
      "rpc.method": call,
      "error.message": what,
    });
    return refused(databaseOut(error));
  }
  log.error("a call failed by a fault of the service", {
    "rpc.method": call,
    "error.message": what,
  });
  return new ConnectError("a fault of the service; its log says more", Code.Internal);
}

function refused(refusal: Refusal): ConnectError {
  const { message, code, headers } = refusal;
  return new ConnectError(message, codes[code], headers, errorDetails(refusal));
}

/** Gives every failed call its answer. */
export const answerFaults =
  (log: Logger): Interceptor =>
  (next) =>
  async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (request.signal.aborted) throw new ConnectError("the caller disconnected", Code.Canceled);
      throw connectFault(error, request.method.name, log);
    }
  };

const codes: { readonly [C in RefusalCode]: Code } = {
  unauthenticated: Code.Unauthenticated,
  permission_denied: Code.PermissionDenied,
  invalid_argument: Code.InvalidArgument,
  not_found: Code.NotFound,
  already_exists: Code.AlreadyExists,
  failed_precondition: Code.FailedPrecondition,
  aborted: Code.Aborted,
  resource_exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
};

/** Agents keep what they have, and come again. */
export const databaseOut = ({ code }: StoreFault): Refusal =>
  new Refusal(
    "unavailable",
    code === "store_part_away"
      ? publicSentences.store_part_away
      : "the service's database cannot be used just now",
    { ...because("unavailable"), "retry-after": "1" },
  );
