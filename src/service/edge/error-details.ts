import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "#contract/google/rpc/error_details_pb";
import type { Refusal } from "#service/edge/call-refusal";

type ErrorDetails = NonNullable<ConstructorParameters<typeof ConnectError>[3]>;

/** The facts of a refusal as programs of the public contract read them: the same that its headers have. */
export function errorDetails({ headers, mistakes }: Refusal): ErrorDetails {
  const { "error-domain": domain = "", "error-reason": reason = "", ...rest } = headers;
  const facts = Object.entries(rest).filter(([name]) => name.startsWith("error-"));
  const metadata = {
    ...Object.fromEntries(facts.map(([name, value]) => [camelCase(name.slice(6)), value])),
    requestId: randomUUID(),
  };
  const seconds = Number(headers["retry-after"]);
  const fieldViolations = mistakes.map(({ field, message }) => ({ field, description: message }));
  return [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { domain, reason, metadata }) },
    ...(seconds > 0
      ? [
          {
            desc: RetryInfoSchema,
            value: create(RetryInfoSchema, {
              retryDelay: { seconds: BigInt(Math.ceil(seconds)), nanos: 0 },
            }),
          },
        ]
      : []),
    ...(fieldViolations.length === 0
      ? []
      : [{ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) }]),
  ];
}

const camelCase = (name: string): string =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
