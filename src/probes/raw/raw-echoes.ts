import { randomFillSync, randomInt } from "node:crypto";
import * as kindsLimits from "#limits/kinds-limits";
import * as limits from "#limits/probes-limits";
import { isMapped, writtenAddress } from "#network/address-block";
import { checksum, headerOf } from "#probes/socket/echo-message";
import type { KeptMessage } from "#probes/raw/echo-calls";
import { systemError, tryAgain } from "#probes/raw/kernel-calls";
import type { RawTools } from "#probes/raw/raw-connect";
import type { RawLoop } from "#probes/raw/raw-loop";
import type { Stamp } from "#probes/raw/arena";
import type { Mark, Marker } from "#probes/socket/marker";
import { EchoProhibition, type EchoListener, type EchoSocket } from "#probes/socket/sockets";
import { nanos, type Nanos } from "#base/units";

/**
 * Echo requests to one address over a socket of our own. A reply counts only if it comes from that address, with a number
 * and with every byte that were sent: 16 of them cannot be guessed. An error counts only if it quotes one of our requests.
 */
export function rawEchoes(
  address: string,
  listener: EchoListener,
  { loop, marker }: Pick<RawTools, "loop" | "marker">,
): EchoSocket {
  const socket = new RawEchoes(address, listener, loop, marker);
  socket.start();
  return socket;
}

/** One request that left: between which instants, and its stamp once the kernel has reported it. */
interface EchoRequest {
  readonly before: Nanos;
  readonly after: Nanos;
  stamp: Stamp | null;
}

// RFC 792, RFC 4443 §4.
const messages = {
  ip: { request: 8, reply: 0 },
  ipv6: { request: 128, reply: 129 },
} as const;
const headerBytes = 8;
const secretBytes = 16;

class RawEchoes implements EchoSocket {
  readonly #address: string;
  readonly #listener: EchoListener;
  readonly #loop: RawLoop;
  readonly #marker: Marker;
  readonly #types: { readonly request: number; readonly reply: number };
  readonly #payload = Buffer.alloc(kindsLimits.echoPayloadBytes, filling);
  /** Number and id of the first request; the kernel writes an id of its own over that of a datagram socket. */
  readonly #first = randomInt(0x1_0000);
  readonly #id = randomInt(0x1_0000);
  readonly #sent: EchoRequest[] = [];
  #descriptor = -1;
  /** Who the kernel connected to: it takes the unspecified address for this machine's own. */
  #peer: string | null = null;
  source: string | null = null;
  /** Whether the kernel's count of what left is that of the requests. */
  #isCounted = true;
  #watchId = 0;
  #way: "datagram" | "raw" = "datagram";
  #state: "open" | "closed" = "open";

  constructor(address: string, listener: EchoListener, loop: RawLoop, marker: Marker) {
    this.#address = address;
    this.#listener = listener;
    this.#loop = loop;
    this.#marker = marker;
    this.#types = isDialledByIpv6(address) ? messages.ipv6 : messages.ip;
    randomFillSync(this.#payload, 0, secretBytes);
  }

  start(): void {
    const error = this.#open();
    queueMicrotask(() => {
      if (this.#state === "closed") return;
      if (error === null) this.#listener.onReady();
      else this.#listener.onFailed(error);
    });
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    if (this.#watchId > 0) this.#loop.unwatch(this.#watchId);
    if (this.#descriptor >= 0) this.#loop.close(this.#descriptor);
  }

  send(): Mark | null {
    const { calls } = this.#loop;
    const length = this.#write(this.#sent.length);
    let before = this.#loop.now();
    let result = calls.send(this.#descriptor, length, false);
    if (result < 0) {
      // Older kernels have counted it all the same, so later stamps would be of other requests.
      this.#isCounted = false;
      // The first call after an ICMP error reports that error, and sends nothing.
      before = this.#loop.now();
      result = calls.send(this.#descriptor, length, false);
    }
    const after = this.#loop.now();
    if (result < 0) {
      this.#listener.onFailed(systemError(result, "send", this.#address));
      return null;
    }
    const sent: EchoRequest = { before, after, stamp: null };
    this.#sent.push(sent);
    this.#readKept();
    const placed = sent.stamp === null ? null : this.#loop.placed(sent.stamp, before);
    return placed ?? { at: after, errorBar: nanos(after - before) };
  }

  read(): void {
    const { calls } = this.#loop;
    for (let count = 0; count < limits.rawDatagramsAtOnceMax; count += 1) {
      if (this.#state === "closed") return;
      this.#readKept();
      const length = calls.receive(
        this.#descriptor,
        kindsLimits.echoPayloadBytes + ipHeaderBytesMax,
      );
      if (length === tryAgain) return;
      // An error of the socket is kept in words next to its messages, and these were read.
      if (length > 0) this.#onMessage(length);
    }
    this.#loop.soon(() => this.read());
  }

  /** Null if it is open. Whoever may not have a datagram socket may have a raw one. */
  #open(): Error | null {
    let descriptor = this.#loop.openEcho(this.#address, "datagram");
    if (isForbidden(descriptor)) {
      this.#way = "raw";
      descriptor = this.#loop.openEcho(this.#address, "raw");
      if (isForbidden(descriptor)) return new EchoProhibition(notAllowed);
    }
    if (descriptor < 0) return systemError(descriptor, "socket", this.#address);
    this.#descriptor = descriptor;
    const connected = this.#loop.calls.connect(descriptor, this.#address, unusedPort);
    if (connected < 0) return systemError(connected, "connect", this.#address);
    this.#peer = this.#loop.calls.peer(descriptor);
    this.source = this.#loop.calls.source(descriptor);
    this.#watchId = this.#loop.watch(descriptor, () => this.read());
    return this.#watchId < 0 ? systemError(this.#watchId, "watch", this.#address) : null;
  }

  /** Puts a request into the outbox. The kernel adds the checksum of every socket but the raw one of IPv4. */
  #write(request: number): number {
    const { outbox } = this.#loop.calls;
    outbox.fill(0, 0, headerBytes);
    outbox[0] = this.#types.request;
    outbox.writeUInt16BE(this.#id, 4);
    outbox.writeUInt16BE((this.#first + request) & 0xffff, 6);
    this.#payload.copy(outbox, headerBytes);
    const length = headerBytes + this.#payload.length;
    if (this.#way === "raw" && this.#types === messages.ip)
      outbox.writeUInt16BE(checksum(outbox.subarray(0, length)), 2);
    return length;
  }

  #onMessage(length: number): void {
    const { calls } = this.#loop;
    if (calls.sender() !== this.#peer) return;
    const at = this.#way === "raw" && this.#types === messages.ip ? headerOf(calls.inbox) : 0;
    const message = calls.inbox.subarray(at, length);
    if (message.length !== headerBytes + this.#payload.length) return;
    if (message[0] !== this.#types.reply || message[1] !== 0) return;
    if (this.#way === "raw" && message.readUInt16BE(4) !== this.#id) return;
    const request = this.#requestOf(message);
    const sent = request === null ? undefined : this.#sent[request];
    if (request === null || sent === undefined) return;
    if (!this.#payload.equals(message.subarray(headerBytes))) return;
    this.#onReply(request, sent);
  }

  #onReply(request: number, sent: EchoRequest): void {
    const { calls } = this.#loop;
    const hopLimit = calls.hopLimit();
    const stamp = calls.arrivedAt();
    const placed = this.#loop.placed(stamp, sent.before);
    const came = placed ?? this.#marker.observed();
    if (placed !== null) this.#loop.cameAlone(placed.at);
    const timed = this.#timed(sent, stamp, came);
    this.#listener.onReply({ request, came, hopLimit, ...timed });
  }

  /** Both stamps are of one clock: their difference is exact, unless that clock was set in between. */
  #timed(
    { before, after, stamp }: EchoRequest,
    arrived: Stamp | null,
    came: Mark,
  ): { readonly roundTrip: Nanos; readonly errorBar: Nanos } {
    const between = stamp === null || arrived === null ? null : arrived - stamp;
    const most = came.at + came.errorBar - before;
    if (between !== null && between >= 0 && between <= most)
      return { roundTrip: nanos(between), errorBar: nanos(0) };
    const roundTrip = nanos(Math.max(0, came.at - after));
    return { roundTrip, errorBar: nanos(came.errorBar + after - before) };
  }

  #readKept(): void {
    const { calls } = this.#loop;
    for (let count = 0; count < limits.rawDatagramsAtOnceMax; count += 1) {
      const kept = calls.kept(this.#descriptor);
      if (kept === null) return;
      if (kept.is === "icmp") this.#onError(kept);
      const sent = kept.is === "left" && this.#isCounted ? this.#sent[kept.packet] : undefined;
      if (kept.is === "left" && sent !== undefined) sent.stamp = kept.stamp;
    }
  }

  /** The least that is quoted are id and number: 32 bits, which only those know who see our packets. */
  #onError({ type, code, sender, quoted }: Extract<KeptMessage, { is: "icmp" }>): void {
    const message = this.#loop.calls.inbox.subarray(0, quoted);
    if (sender === null || message.length < headerBytes) return;
    if (message[0] !== this.#types.request) return;
    if (this.#way === "raw" && message.readUInt16BE(4) !== this.#id) return;
    const request = this.#requestOf(message);
    if (request === null || this.#sent[request] === undefined) return;
    const payload = message.subarray(headerBytes, headerBytes + this.#payload.length);
    if (!this.#payload.subarray(0, payload.length).equals(payload)) return;
    this.#listener.onRefused(request, { sender, type, code });
  }

  /** Which request a message is about; null if it is none of ours. */
  #requestOf(message: Buffer): number | null {
    const request = (message.readUInt16BE(6) - this.#first) & 0xffff;
    return request < this.#sent.length ? request : null;
  }
}

function isDialledByIpv6(address: string): boolean {
  const written = writtenAddress(address);
  return written !== null && written.width === 128 && !isMapped(written);
}

/** ICMP has no ports, and the kernel names the peer of a socket only if one is set. */
const unusedPort = 1;

/** The rest of the payload: bytes that a tool which shows packets shows as text. */
const filling = "picket.";

// asm-generic/errno.h: EPERM and EACCES.
const isForbidden = (result: number): boolean => result === -1 || result === -13;

const notAllowed =
  "this process may not ping: let its group do so by the sysctl net.ipv4.ping_group_range, or give it CAP_NET_RAW";

/** What a raw socket of IPv4 gets may begin with so much of IP. */
const ipHeaderBytesMax = 60 + headerBytes;
