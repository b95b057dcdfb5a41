import { Socket } from "node:net";
import * as limits from "#limits/probes-limits";
import type { Connection, ConnectionListener } from "#probes/socket/connection";
import type { Mark, Marker } from "#probes/socket/marker";
import { Arrivals } from "#probes/raw/arrivals";
import { isEnding, isReadable, isWritable, systemError, tryAgain } from "#probes/raw/kernel-calls";
import type { RawLoop } from "#probes/raw/raw-loop";
import type { RawWitness } from "#probes/raw/raw-witness";
import type { MessageLength } from "#probes/raw/waiting-pieces";
import { WriteQueue } from "#probes/raw/write-queue";
import { bytes, type Bytes, nanos, type Nanos } from "#base/units";

/** What a raw connection is made of, once it is connected. */
interface RawEnd {
  readonly loop: RawLoop;
  readonly marker: Marker;
  readonly descriptor: number;
  /** 0 if it is not watched yet. */
  readonly watchId: number;
  /** How an error names the peer. */
  readonly where: string;
  readonly connected: Mark;
  readonly onOwnWork: (from: Nanos, to: Nanos) => void;
  readonly witness: RawWitness;
}

/** A stamped message whose stamp the kernel has not given yet. */
interface UnstampedMessage {
  /** When the call that sent it was made. */
  readonly begun: Nanos;
  /** Since when the peer had waited for it; null when we waited for the peer to take more. */
  readonly owedSince: Nanos | null;
}

/**
 * A connected raw socket. The kernel reports changes only, so that what it reported is remembered until it was read.
 * Nothing is reported after an end, an error or `close`.
 */
export class RawConnection implements Connection {
  readonly #end: RawEnd;
  readonly #arrivals: Arrivals;
  #listener: ConnectionListener | null = null;
  #state: "open" | "ended" | "closed" = "open";
  #turnBytesMax: Bytes = limits.rawMessageBytesMax;
  #paused = false;
  /** Whether there may be something to read. */
  #readable = false;
  #willRead = false;
  /** Whether the last read got all that was there, unless it ended before urgent data. */
  #isDrained = false;
  /** How long the messages are that the peer sends; null if they do not show it. */
  #messageLength: MessageLength | null = null;
  readonly #queue = new WriteQueue();
  #failure: Error | null = null;
  #sends = 0;
  readonly #unstamped: UnstampedMessage[] = [];
  /** When what was written last had left, as far as it is known. */
  #left: Mark;
  /** When what was read last came. */
  #arrived: Mark;
  /** Since when the peer waits for us. */
  #owedSince: Nanos | null;
  /** Whether it waits whatever else it sends, as after a handshake. */
  #owing = false;
  #watchId: number;

  constructor(end: RawEnd) {
    this.#end = end;
    this.#arrivals = new Arrivals(end);
    this.#watchId = end.watchId;
    this.#left = this.#arrived = end.connected;
    this.#owedSince = end.connected.at;
    end.onOwnWork(end.connected.at, end.connected.at);
  }

  get arrived(): Mark {
    return this.#arrived;
  }

  get left(): Mark {
    return this.#left;
  }

  /** The peer said all that it had to: from here on it waits, until we send the next message but what is on its way. */
  owe(): void {
    this.#owing = true;
  }

  /** Where messages show how long they are, packets that came together are read one by one. */
  listen(
    turnBytesMax: Bytes,
    listener: ConnectionListener,
    messageLength: MessageLength | null = null,
  ): Connection {
    this.#listener = listener;
    this.#messageLength = messageLength;
    this.#turnBytesMax = bytes(Math.min(turnBytesMax, limits.rawMessageBytesMax));
    this.#end.loop.calls.stamp(this.#end.descriptor);
    this.#watch();
    if (this.#readable) this.#readSoon();
    return this;
  }

  #watch(): void {
    if (this.#watchId > 0) return;
    const { loop, descriptor } = this.#end;
    this.#watchId = loop.watch(descriptor, (events) => this.onChange(events));
    if (this.#watchId < 0) this.#failSoon(systemError(this.#watchId, "watch", this.#end.where));
  }

  onChange(events: number): void {
    const isOver = isEnding(events);
    if (isOver) this.#takeStamps();
    if (!this.#readable && (isReadable(events) || isOver)) {
      this.#readable = true;
      this.#arrivals.heard();
    }
    if (isWritable(events)) this.#flush();
    this.#read();
  }

  write(...pieces: readonly Uint8Array[]): void {
    if (this.#state !== "open" || this.#failure !== null) return;
    this.#queue.add(pieces);
    this.#flush();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#readable) this.#readSoon();
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#queue.clear();
    this.#end.witness.ends();
    this.#end.loop.unwatch(this.#watchId);
    this.#end.loop.close(this.#end.descriptor);
  }

  /** Ends it in good order: for what came and was not read, the kernel would reset the connection. */
  finish(): void {
    if (this.#state !== "closed" && (this.#readable || this.#watchId === 0))
      this.#end.loop.calls.receive(this.#end.descriptor, limits.rawMessageBytesMax);
    this.close();
  }

  /** Leaves the descriptor, which stays open, to a socket of the runtime. */
  release(): Socket {
    if (this.#state === "closed") return new Socket().destroy();
    this.#state = "closed";
    this.#end.loop.calls.sendAtOnce(this.#end.descriptor);
    this.#end.loop.release(this.#watchId, this.#end.descriptor);
    const socket = new Socket({ fd: this.#end.descriptor });
    this.#end.witness.continueWith(socket);
    return socket;
  }

  #readSoon(): void {
    if (this.#willRead) return;
    this.#willRead = true;
    this.#end.loop.soon(() => {
      this.#willRead = false;
      this.#read();
    });
  }

  /** Reads once a turn: others have theirs, and what is done after an event is done before the next. */
  #read(): void {
    if (!this.#canRead()) return;
    this.#readOnce();
    if (this.#isDrained && this.#canRead()) this.#readUpTo(this.#turnBytesMax, null);
    if (this.#canRead()) this.#readSoon();
  }

  #canRead(): boolean {
    return this.#readable && !this.#paused && this.#listener !== null && this.#state === "open";
  }

  #readOnce(): void {
    const lengthOf = this.#messageLength;
    const parts = lengthOf === null ? null : this.#arrivals.parts(this.#turnBytesMax, lengthOf);
    if (parts === null) return this.#readUpTo(this.#turnBytesMax, null);
    for (const part of parts) {
      if (!this.#canRead()) return;
      this.#readUpTo(part.bytes, part.came);
    }
  }

  /**
   * `came` is null if nothing is known beforehand. What a listener does may leave something to be read anew. Only a read
   * that finds nothing is the last: one that is short may have ended before urgent data, and no change is reported of what
   * lies behind that. It follows at once, since only what comes after it is news.
   */
  #readUpTo(length: Bytes, came: Mark | null): void {
    const { calls } = this.#end.loop;
    const count = calls.receive(this.#end.descriptor, length);
    this.#isDrained = came !== null || count < length;
    if (count <= 0) return this.#onNothing(count);
    this.#settleStamps();
    this.#arrived = came ?? this.#arrivals.ofAll();
    this.#arrivals.read(this.#arrived);
    if (this.#queue.size === 0 && !this.#owing) this.#owedSince = this.#arrived.at;
    this.#listener?.onBytes(calls.inbox.subarray(0, count), this.#arrived);
  }

  /** Whoever fails in writing may still have been answered; so what came is read first. */
  #onNothing(result: number): void {
    this.#readable = false;
    if (this.#failure !== null) return this.#over(this.#failure);
    if (result === 0) return this.#over(null);
    if (result !== tryAgain) this.#over(systemError(result, "read", this.#end.where));
  }

  #over(error: Error | null): void {
    this.#state = "ended";
    this.#settleStamps();
    if (error === null) this.#listener?.onEnd();
    else this.#listener?.onError(error);
  }

  #flush(): void {
    if (this.#queue.size === 0 || this.#state !== "open") return;
    while (this.#queue.size > 0) {
      const sent = this.#sendOnce();
      if (sent === tryAgain) return void (this.#owedSince = null);
      if (sent < 0) return this.#failSoon(systemError(sent, "write", this.#end.where));
      this.#queue.drop(sent);
    }
    this.#takeStamps();
    this.#owedSince = this.#left.at;
    this.#listener?.onSent(this.#left);
  }

  /** The first packet of what the peer waits for is stamped, and the last one. */
  #sendOnce(): number {
    const { loop, descriptor } = this.#end;
    if (this.#sends === 1) loop.calls.sendAtOnce(descriptor);
    this.#sends += 1;
    const length = this.#queue.copyTo(loop.calls.outbox);
    const isStamped = this.#owedSince !== null || length === this.#queue.size;
    const begun = loop.now();
    const sent = loop.calls.send(descriptor, length, isStamped);
    const done = loop.now();
    if (sent < 0) return sent;
    this.#left = { at: done, errorBar: nanos(done - begun) };
    if (isStamped) this.#unstamped.push({ begun, owedSince: this.#owedSince });
    this.#owedSince = null;
    return sent;
  }

  #failSoon(error: Error): void {
    this.#failure = error;
    this.#queue.clear();
    this.#readable = true;
    this.#readSoon();
  }

  /** The kernel says when the messages left, in their order: at once, or when the network's driver had them. */
  #takeStamps(): void {
    const { loop, descriptor, onOwnWork } = this.#end;
    for (let [first] = this.#unstamped; first !== undefined; [first] = this.#unstamped) {
      const stamp = loop.calls.leftAt(descriptor);
      if (stamp === null) return;
      this.#unstamped.shift();
      const left = loop.placed(stamp, first.begun);
      if (left === null) continue;
      if (first.owedSince !== null) onOwnWork(first.owedSince, left.at);
      if (this.#unstamped.length > 0 || this.#queue.size > 0) continue;
      this.#left = left;
      this.#listener?.onSent(left);
    }
  }

  /** Whatever comes now answers what has left: its stamp is known by now, or never will be. */
  #settleStamps(): void {
    if (this.#unstamped.length === 0) return;
    this.#takeStamps();
    for (const { begun, owedSince } of this.#unstamped.splice(0))
      if (owedSince !== null) this.#end.onOwnWork(owedSince, begun);
  }
}
