import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { MessageName } from "#check/field-names";

/**
 * The fields of a message, with a value for each of these names, which are those of files: a name that is left out does not
 * compile, and neither does one that the message does not have.
 */
export type MessageWith<S extends DescMessage, N extends string> = Init<S> & {
  readonly [F in MessageName<N>]: F extends keyof Init<S> ? Exclude<Init<S>[F], undefined> : never;
};

type Init<S extends DescMessage> = Exclude<MessageInitShape<S>, { readonly $typeName: string }>;
