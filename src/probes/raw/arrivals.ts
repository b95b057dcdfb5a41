import * as limits from "#limits/probes-limits";
import type { Mark, Marker } from "#probes/socket/marker";
import type { RawLoop } from "#probes/raw/raw-loop";
import { type MessageLength, type WaitingPiece, waitingPieces } from "#probes/raw/waiting-pieces";
import { type Bytes, bytes, nanos, type Nanos } from "#base/units";

/** Of what these are the arrivals. */
interface ArrivalsEnd {
  readonly loop: RawLoop;
  readonly marker: Marker;
  readonly descriptor: number;
  readonly connected: Mark;
}

/** Messages that are read at once: how long they are in all, and when they came. */
interface ReadPart {
  readonly bytes: Bytes;
  readonly came: Mark;
}

/** Knows when that came which is read of a connection. The kernel's stamp is that of the newest packet that was read. */
export class Arrivals {
  readonly #end: ArrivalsEnd;
  /** What is read next came after this. */
  #after: Nanos;
  /** The first packet of it had come by this instant, if that is later, and most likely at the other. */
  #by: Nanos = nanos(0);
  #likely: Nanos = nanos(0);
  /** How many segments with data had come when it was read last. */
  #segments = 0;

  constructor(end: ArrivalsEnd) {
    this.#end = end;
    this.#after = end.connected.at;
  }

  /** A look found that there is something to read. */
  heard(): void {
    const { loop } = this.#end;
    this.#after = nanos(Math.max(this.#after, loop.heardSince));
    this.#by = loop.heardUntil;
    this.#likely = loop.heardAt;
  }

  /** It was read. The kernel queues in the order of the wire: the rest came later. */
  read(came: Mark): void {
    this.#after = came.at;
    this.#by = nanos(0);
  }

  /**
   * The stamp is that of the newest packet that was read: what the others brought came between two looks. The peer's end
   * is such a packet, and often right behind the data: then it is the end's, and the data came before. Where only that end
   * is behind, the data had come by the look that found something to read, and soon before a sleep that it ended was over.
   */
  ofAll(): Mark {
    const { loop, connected, marker, descriptor } = this.#end;
    const stamped = loop.placed(loop.calls.arrivedAt(), connected.at);
    if (stamped === null) return marker.observed();
    const came = loop.calls.segments(descriptor);
    const before = this.#segments;
    const isAlone = came !== null && !came.isOver && came.withData === before + 1;
    if (came !== null) this.#segments = came.withData;
    if (isAlone) {
      loop.cameAlone(stamped.at);
      return stamped;
    }
    const isOne = came?.withData === before + 1 && this.#by > this.#after;
    if (!isOne) return { ...stamped, errorBar: this.#since(stamped.at, stamped.errorBar) };
    const latest = nanos(Math.min(stamped.at, this.#by));
    const at = nanos(Math.max(this.#after, Math.min(latest, this.#likely)));
    return { at, errorBar: this.#since(at, nanos(Math.max(stamped.errorBar, latest - at))) };
  }

  /** How far an instant may be off that lies after the last one. */
  #since(at: Nanos, atLeast: Nanos): Nanos {
    return nanos(Math.max(atLeast, at - this.#after));
  }

  /**
   * What is to be read one by one, because several packets came while the thread did not look: a server's tickets would
   * otherwise blur when the answer came that is behind them. Null if that gains nothing. Where the peer's end may be joined
   * with the last piece, all that is known of that is that it came after the piece before it.
   */
  parts(bytesMax: Bytes, lengthOf: MessageLength): readonly ReadPart[] | null {
    const { loop, descriptor, connected } = this.#end;
    if (loop.now() - this.#after < limits.rawBlurMin) return null;
    const came = loop.calls.segments(descriptor);
    if (came === null || came.withData < this.#segments + 2) return null;
    const pieces = waitingPieces(loop.calls, descriptor, bytesMax, lengthOf);
    if (pieces === null) return null;
    const isApart = pieces.length >= came.withData - this.#segments;
    const parts: ReadPart[] = [];
    let after = this.#after;
    for (const [index, piece] of pieces.entries()) {
      const stamped = loop.placed(piece.stamp, connected.at);
      if (stamped === null) return null;
      const { at } = stamped;
      const blurred = { at, errorBar: nanos(Math.max(stamped.errorBar, at - after)) };
      const mayBeEnd = came.isOver && index === pieces.length - 1;
      for (const { length, isStamped } of isApart ? [whole(piece)] : runsOf(piece, came.longest))
        parts.push({ bytes: bytes(length), came: isStamped && !mayBeEnd ? stamped : blurred });
      after = at;
    }
    this.#segments = came.withData;
    return parts;
  }
}

/** Messages of a piece that are read at once, and whether they came when the piece is stamped. */
interface MessageRun {
  readonly length: number;
  readonly isStamped: boolean;
}

const whole = ({ messages }: WaitingPiece): MessageRun => ({
  length: messages.reduce((sum, length) => sum + length, 0),
  isStamped: true,
});

/**
 * The last message of a piece came with its last packet, unless the peer cut it. It does not if a packet as long as all of
 * the piece came, and where the longest packet that came is that message alone.
 */
function runsOf(piece: WaitingPiece, longest: number): readonly MessageRun[] {
  const all = whole(piece).length;
  const last = piece.messages.at(-1) ?? 0;
  const isStamped = all <= longest || last === longest;
  if (!isStamped || last === all) return [{ length: all, isStamped }];
  return [
    { length: all - last, isStamped: false },
    { length: last, isStamped },
  ];
}
