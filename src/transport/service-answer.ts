import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { firstValue } from "#network/http/headers";
import { unpackedBody } from "#transport/answer-encodings";
import { callFailure } from "#transport/call-failure";
import { ServiceError } from "#transport/control-plane";
import type { LineAnswer } from "#transport/service-lines";
import type { EpochMillis } from "#base/units";
import { messageExcess, unreadable } from "#wire/message-bounds";

/** How much of an answer is taken: its bytes, packed and unpacked, and how many elements are decoded. */
export interface AnswerBounds {
  readonly bytesMax: number;
  readonly elementsMax: number;
}

/**
 * The bytes of the message that the service answered with, by the Connect protocol. Throws a ServiceError for every other
 * answer.
 */
export async function answeredMessage(
  answer: LineAnswer,
  { bytesMax }: AnswerBounds,
  now: EpochMillis,
): Promise<Uint8Array> {
  if (answer.statusCode !== 200) throw await callFailure(answer, now);
  refuseOtherContent(answer);
  return unpackedBody(answer, bytesMax);
}

/** Throws a ServiceError for what is no such message, or a larger one than may be decoded. */
export function decodedAnswer<O extends DescMessage>(
  output: O,
  message: Uint8Array,
  { elementsMax }: AnswerBounds,
): MessageShape<O> {
  const excess = messageExcess(output, "binary", message, elementsMax);
  if (excess !== null)
    throw new ServiceError(
      excess === unreadable ? "garbage" : "oversized",
      `the service's answer ${excess}`,
    );
  try {
    return fromBinary(output, message);
  } catch {
    throw new ServiceError("garbage", `the service's answer ${unreadable}`);
  }
}

/** A page of what stands before the service says that the service is away. Connect in another form is no answer to us. */
function refuseOtherContent({ headers }: LineAnswer): void {
  const type = firstValue(headers, "content-type") ?? "none";
  if (/^application\/proto$/i.test(type)) return;
  const isConnect = /^application\/(connect\+|json\b)/i.test(type);
  throw new ServiceError(
    isConnect ? "garbage" : "unavailable",
    `the service's answer is not a message: its content type is ${type}`,
  );
}
