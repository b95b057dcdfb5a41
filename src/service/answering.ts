import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { Refusal, type RefusalCode } from "#service/refusal";

const codes: { readonly [C in RefusalCode]: Code } = {
  unauthenticated: Code.Unauthenticated,
  permission_denied: Code.PermissionDenied,
  invalid_argument: Code.InvalidArgument,
  not_found: Code.NotFound,
  resource_exhausted: Code.ResourceExhausted,
};

/** A handler whose refusals become errors of the Connect protocol. What else it throws is a fault of ours. */
export function answering<I, O>(
  handle: (request: I, context: HandlerContext) => O,
): (request: I, context: HandlerContext) => O {
  return (request, context) => {
    try {
      return handle(request, context);
    } catch (error) {
      throw error instanceof Refusal ? new ConnectError(error.message, codes[error.code]) : error;
    }
  };
}
