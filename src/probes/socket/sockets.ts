import type { IcmpRefusal } from "#check/evidence";
import type { MeasuredBy } from "#check/outcome";
import type { BareLine } from "#probes/socket/line";
import type { Mark } from "#probes/socket/marker";
import type { Witness } from "#probes/socket/witness";
import type { Nanos } from "#base/units";

/** The sockets that probes use: the runtime's, or raw ones. Addresses are those that the guard let through. */
export interface Sockets {
  /** Dials one address. Nothing is reported within the call. */
  connect(address: string, port: number, listener: ConnectListener): Attempt;
  /** Opens a socket for datagrams that hears one address only. Nothing is reported within the call. */
  datagrams(address: string, port: number, listener: DatagramListener): DatagramSocket;
  /** Opens a socket for ICMP's echoes to one address. Nothing is reported within the call. */
  echoes(address: string, listener: EchoListener): EchoSocket;
}

/** One address that is being dialled. */
export interface Attempt {
  /** What the kernel knows of it, also after it ended. */
  readonly witness: Witness;
  /** Ends it; nothing more is reported. After it connected, this changes nothing. */
  abandon(): void;
}

/** An instant, and whose it is. */
export interface MeasuredMark {
  readonly mark: Mark;
  readonly measuredBy: MeasuredBy;
}

export interface ConnectListener {
  /** The SYN has left; reported again where more is known of it later. */
  onSyn(mark: Mark): void;
  onConnected(line: BareLine, connected: MeasuredMark): void;
  onFailed(error: Error, mark: Mark): void;
  /** From an instant of the wire to the next it was not the peer who was waited for, but us. */
  onOwnWork(from: Nanos, to: Nanos): void;
}

export interface DatagramSocket {
  close(): void;
}

export interface DatagramListener {
  /** The socket is ready: what this gives is sent. */
  onReady(): Uint8Array;
  /** It leaves between `mark.at - mark.errorBar` and `mark.at`, if it can be sent. */
  onSending(mark: Mark): void;
  /** It has left, between the same. */
  onSent(mark: Mark): void;
  /** A datagram came; its bytes, and what `arrived` says of it, are good until the call returns. */
  onMessage(bytes: Buffer, arrived: () => MeasuredMark): void;
  onFailed(error: Error): void;
}

/** What became of the echo requests that were sent to one address. Each is known by its number, from 0 on. */
export interface EchoListener {
  /** The socket is ready to send. */
  onReady(): void;
  onReply(reply: EchoReply): void;
  /** An ICMP error came that quotes this request. */
  onRefused(request: number, refusal: Pick<IcmpRefusal, "sender" | "type" | "code">): void;
  /** It cannot be sent, by the system's error or an EchoProhibition. */
  onFailed(error: Error): void;
}

/** A reply that proved to be the target's own, to this request. */
export interface EchoReply {
  readonly request: number;
  readonly roundTrip: Nanos;
  readonly errorBar: Nanos;
  readonly came: Mark;
  readonly hopLimit: number | null;
}

export interface EchoSocket {
  /** The address that it sends from; null if there is none. */
  readonly source: string | null;
  /** Sends the next request; the mark is of its leaving. Null if it failed, which was reported. */
  send(): Mark | null;
  /** Reads what has come and was not read yet. */
  read(): void;
  close(): void;
}

/** This process may not ping, or has nothing to ping with; the message says what to do. */
export class EchoProhibition extends Error {
  override readonly name = "EchoProhibition";
}
