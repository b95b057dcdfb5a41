import { tcpStates } from "#check/evidence";
import * as limits from "#limits/probes-limits";
import { isMapped, lowestFour, writtenAddress } from "#network/address-block";
import { addressIn } from "#probes/socket/socket-address";
import {
  dataSegmentsInAt,
  longestSegmentInAt,
  inet,
  inet6,
  rttAt,
  solSocket,
  totalRetransAt,
} from "#probes/socket/linux-numbers";
import { nanos, type Nanos } from "#base/units";

/**
 * An instant of the wall clock, in nanoseconds since this arena was made: the whole count since 1970 is more than a
 * number holds exactly.
 */
export type Stamp = Nanos;

/**
 * What came over a connection so far: how many segments with data, the same ones twice where they were sent twice, and whether
 * its end. As far as the kernel knows, the peer cuts nothing that is no longer than `longest`.
 */
export interface Segments {
  readonly withData: number;
  readonly longest: number;
  readonly isOver: boolean;
}

/** A socket address that is written, its family and its length. */
export interface SocketName {
  readonly address: string;
  readonly family: number;
  readonly bytes: number;
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** Where each structure begins, and how long it is. Layouts are those of 64-bit Linux: sys/socket.h, sys/epoll.h. */
const value: Place = { at: 0, length: 4 };
const valueLength: Place = { at: 8, length: 4 };
const name: Place = { at: 16, length: 28 };
const sentHeader: Place = { at: 64, length: 56 };
const receivedHeader: Place = { at: 128, length: 56 };
const sentVector: Place = { at: 192, length: 16 };
const receivedVector: Place = { at: 208, length: 16 };
const sentControl: Place = { at: 224, length: 24 };
const receivedControl: Place = { at: 256, length: 512 };
const timespec: Place = { at: 768, length: 16 };
const info: Place = { at: 784, length: 160 };
const change: Place = { at: 960, length: 16 };
const changes: Place = { at: 1_024, length: 16 * limits.rawChangesMax };
const outbox: Place = { at: changes.at + changes.length, length: limits.rawMessageBytesMax };
const inbox: Place = { at: outbox.at + outbox.length, length: limits.rawMessageBytesMax };
const receivedName: Place = { at: inbox.at + inbox.length, length: 28 };
const arenaBytes = receivedName.at + receivedName.length;

// epoll_event is packed on x86-64; everywhere else its data is aligned.
const [changeBytes, changeIdAt] = process.arch === "x64" ? [12, 4] : [16, 8];

/** Older kernels end sooner, and do not say how many segments came. */
const handshakeInfoBytes = 104;

/** The type of a control message is also the name of the option that asks for it. */
const timestamping = 37;

/**
 * The memory that a thread's calls to the kernel read and write. It is made once and lives as long as the thread.
 * Every address that is handed to C is one of `pointers`, and every length is next to its place in the table above.
 */
export class Arena {
  readonly pointers: Readonly<
    Record<
      | "value"
      | "valueLength"
      | "name"
      | "sentHeader"
      | "receivedHeader"
      | "timespec"
      | "info"
      | "change"
      | "changes",
      bigint
    >
  >;
  readonly outbox: Buffer;
  readonly inbox: Buffer;
  readonly valueBytes: number = value.length;
  readonly changesMax: number = limits.rawChangesMax;
  readonly #view: DataView;
  /** Seconds by which all stamps are smaller. */
  #epoch = 0;

  constructor(addressOf: (memory: ArrayBuffer) => bigint) {
    const memory = new ArrayBuffer(arenaBytes);
    const base = addressOf(memory);
    const pointer = ({ at }: Place): bigint => base + BigInt(at);
    this.#view = new DataView(memory);
    this.outbox = Buffer.from(memory, outbox.at, outbox.length);
    this.inbox = Buffer.from(memory, inbox.at, inbox.length);
    this.pointers = {
      value: pointer(value),
      valueLength: pointer(valueLength),
      name: pointer(name),
      sentHeader: pointer(sentHeader),
      receivedHeader: pointer(receivedHeader),
      timespec: pointer(timespec),
      info: pointer(info),
      change: pointer(change),
      changes: pointer(changes),
    };
    // struct msghdr: name 0, its length 8, vector 16, how many 24, control 32, its length 40, flags 48.
    const lay = (header: Place, vector: Place, buffer: Place, control: Place): void => {
      this.#view.setBigUint64(header.at + 16, pointer(vector), true);
      this.#set(header.at + 24, 1);
      this.#view.setBigUint64(header.at + 32, pointer(control), true);
      this.#view.setBigUint64(vector.at, pointer(buffer), true);
      this.#set(vector.at + 8, buffer.length);
    };
    lay(sentHeader, sentVector, outbox, sentControl);
    lay(receivedHeader, receivedVector, inbox, receivedControl);
    this.#view.setBigUint64(receivedHeader.at, pointer(receivedName), true);
    // struct cmsghdr: length 0, level 8, type 12, then what it says: stamp this message when it leaves.
    this.#set(sentControl.at, 20);
    this.#set(sentControl.at + 8, solSocket);
    this.#set(sentControl.at + 12, timestamping);
    this.#set(sentControl.at + 16, 2);
  }

  setValue(number: number): void {
    this.#set(value.at, number);
    this.#set(valueLength.at, value.length);
  }

  value(): number {
    return this.#get(value.at);
  }

  /** Writes the socket address of an IP address, without its port; null for what is none. */
  setName(address: string): SocketName | null {
    const written = writtenAddress(address);
    if (written === null) return null;
    this.#set(name.at + 4, 0);
    if (written.width === 32 || isMapped(written)) {
      this.#view.setUint16(name.at, inet, true);
      this.#view.setUint32(name.at + 4, Number(lowestFour(written).value), false);
      this.#view.setBigUint64(name.at + 8, 0n);
      return { address, family: inet, bytes: 16 };
    }
    this.#view.setUint16(name.at, inet6, true);
    this.#view.setBigUint64(name.at + 8, written.value >> 64n, false);
    this.#view.setBigUint64(name.at + 16, written.value & 0xffff_ffff_ffff_ffffn, false);
    this.#set(name.at + 24, 0);
    return { address, family: inet6, bytes: 28 };
  }

  setPort(port: number): void {
    this.#view.setUint16(name.at + 2, port, false);
  }

  /** Prepares the sending of the outbox's first `length` bytes. */
  prepareSending(length: number, stamped: boolean): void {
    this.#set(sentVector.at + 8, Math.min(length, outbox.length));
    this.#set(sentHeader.at + 40, stamped ? sentControl.length : 0);
  }

  /** Prepares the receiving of `length` bytes at most. */
  prepareReceiving(length: number): void {
    this.#set(receivedHeader.at + 8, receivedName.length);
    this.#set(receivedVector.at + 8, Math.min(length, inbox.length));
    this.#set(receivedHeader.at + 40, receivedControl.length);
  }

  /** The kernel's stamp among what it says of the message that was received last. */
  receivedStamp(): Stamp | null {
    const at = this.control(solSocket, timestamping);
    return at === null ? null : this.#stamp(at);
  }

  /** Where the data of a control message of the message that was received last begins; null if it has none of this type. */
  control(level: number, type: number): number | null {
    const length = Math.min(this.#get(receivedHeader.at + 40), receivedControl.length);
    // The last one begins where a header and four bytes still fit.
    for (let at = 0; at + 20 <= length;) {
      const one = receivedControl.at + at;
      if (this.#get(one + 8) === level && this.#get(one + 12) === type) return one + 16;
      at += Math.max(16, (this.#get(one) + 7) & ~7);
    }
    return null;
  }

  /** The number of four bytes that begins here. */
  numberAt(at: number): number {
    return this.#get(at);
  }

  /** Who sent the message that was received last; null if the kernel does not say. */
  sender(): string | null {
    return this.#get(receivedHeader.at + 8) === 0 ? null : this.addressAt(receivedName.at);
  }

  /** The address in a struct sockaddr, as text in its shortest form; null if there is none. */
  addressAt(at: number): string | null {
    return addressIn(this.#view, at);
  }

  timespec(): Stamp {
    if (this.#epoch === 0) this.#epoch = this.#seconds(timespec.at);
    return this.#stamp(timespec.at);
  }

  /** A socket address is read into the place of the info. */
  prepareName(): void {
    this.#set(valueLength.at, receivedName.length);
  }

  name(): string | null {
    return this.addressAt(info.at);
  }

  prepareInfo(): void {
    this.#set(valueLength.at, info.length);
  }

  /** Null if the kernel said less than asked, is not connected, or sent a SYN again (Karn's algorithm). */
  handshake(): Nanos | null {
    const isKnown =
      this.#get(valueLength.at) >= handshakeInfoBytes &&
      this.#view.getUint8(info.at) === tcpStates.established &&
      this.#get(info.at + totalRetransAt) === 0;
    const rtt = isKnown ? this.#get(info.at + rttAt) : 0;
    return rtt === 0 ? null : nanos(rtt * 1000);
  }

  /** Null if the kernel said less than asked. */
  segments(): Segments | null {
    if (this.#get(valueLength.at) < info.length) return null;
    const isOver = this.#view.getUint8(info.at) !== tcpStates.established;
    const longest = this.#get(info.at + longestSegmentInAt);
    return { withData: this.#get(info.at + dataSegmentsInAt), longest, isOver };
  }

  setChange(events: number, id: number): void {
    this.#set(change.at, events);
    this.#set(change.at + changeIdAt, id);
    this.#set(change.at + changeIdAt + 4, 0);
  }

  eventsOf(index: number): number {
    return this.#get(changes.at + changeBytes * index);
  }

  idOf(index: number): number {
    return this.#get(changes.at + changeBytes * index + changeIdAt);
  }

  #get(at: number): number {
    return this.#view.getUint32(at, true);
  }

  #set(at: number, number: number): void {
    this.#view.setUint32(at, number, true);
  }

  #seconds(at: number): number {
    return this.#get(at) + this.#get(at + 4) * 2 ** 32;
  }

  #stamp(at: number): Stamp {
    return nanos((this.#seconds(at) - this.#epoch) * 1e9 + this.#get(at + 8));
  }
}
