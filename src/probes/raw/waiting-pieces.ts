import * as limits from "#limits/probes-limits";
import type { Stamp } from "#probes/raw/arena";
import type { KernelCalls } from "#probes/raw/kernel-calls";
import type { Bytes } from "#base/units";

/** How long the message is that begins here. */
export type MessageLength = (bytes: Uint8Array) => number;

/** Messages that the kernel keeps apart from those before them: how long each is, and when the last packet of all came. */
export interface WaitingPiece {
  readonly messages: readonly number[];
  readonly stamp: Stamp;
}

/**
 * What waits to be read, in pieces with a stamp each. The kernel joins packets as it likes, and gives the stamp of the newest
 * one of them. So this looks at the stamp of every message's first byte and last byte. What has a later stamp than the message
 * before it came after that one. Null if it is one message, or a message lies in two pieces. Nothing is read.
 */
export function waitingPieces(
  calls: Pick<KernelCalls, "peek" | "inbox" | "arrivedAt">,
  descriptor: number,
  bytesMax: Bytes,
  lengthOf: MessageLength,
): readonly WaitingPiece[] | null {
  const pieces: { messages: number[]; stamp: Stamp }[] = [];
  const stampAt = (length: number): Stamp | null =>
    calls.peek(descriptor, length) === length ? calls.arrivedAt() : null;
  let begin = 0;
  for (const end of messageEnds(calls, descriptor, bytesMax, lengthOf)) {
    const stamp = stampAt(end);
    if (stamp === null || stampAt(begin + 1) !== stamp) return null;
    const last = pieces.at(-1);
    if (last?.stamp === stamp) last.messages.push(end - begin);
    else pieces.push({ messages: [end - begin], stamp });
    begin = end;
  }
  return pieces.length > 1 || (pieces[0]?.messages.length ?? 0) > 1 ? pieces : null;
}

/** Where each message ends that is there as a whole; none if there is more than that, or too much to look at. */
function messageEnds(
  calls: Pick<KernelCalls, "peek" | "inbox">,
  descriptor: number,
  bytesMax: Bytes,
  lengthOf: MessageLength,
): readonly number[] {
  const there = calls.peek(descriptor, bytesMax);
  if (there >= bytesMax) return [];
  const ends: number[] = [];
  for (let at = 0; at < there && ends.length < limits.rawMessagesApartMax;) {
    at += lengthOf(calls.inbox.subarray(at, there));
    ends.push(at);
  }
  return ends.at(-1) === there ? ends : [];
}
