import * as limits from "#limits/probes-limits";
import type { Marker } from "#probes/socket/marker";
import type { DatagramListener, DatagramSocket, MeasuredMark } from "#probes/socket/sockets";
import { systemError, tryAgain } from "#probes/raw/kernel-calls";
import type { RawTools } from "#probes/raw/raw-connect";
import type { RawLoop } from "#probes/raw/raw-loop";
import { nanos, type Nanos } from "#base/units";

/** A raw socket for datagrams to one address and from it. */
export function rawDatagrams(
  address: string,
  port: number,
  listener: DatagramListener,
  { loop, marker }: Pick<RawTools, "loop" | "marker">,
): DatagramSocket {
  const socket = new RawDatagrams(address, listener, loop, marker);
  socket.start(port);
  return socket;
}

class RawDatagrams implements DatagramSocket {
  readonly #address: string;
  readonly #listener: DatagramListener;
  readonly #loop: RawLoop;
  readonly #marker: Marker;
  #descriptor = -1;
  #watchId = 0;
  #state: "open" | "closed" = "open";
  #sending: Nanos = nanos(0);

  constructor(address: string, listener: DatagramListener, loop: RawLoop, marker: Marker) {
    this.#address = address;
    this.#listener = listener;
    this.#loop = loop;
    this.#marker = marker;
  }

  start(port: number): void {
    const result = this.#open(port);
    queueMicrotask(() => {
      if (this.#state === "closed") return;
      if (result < 0) this.#listener.onFailed(systemError(result, "connect", this.#address));
      else this.#send(this.#listener.onReady());
    });
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    if (this.#watchId > 0) this.#loop.unwatch(this.#watchId);
    if (this.#descriptor >= 0) this.#loop.close(this.#descriptor);
  }

  #open(port: number): number {
    this.#descriptor = this.#loop.open(this.#address, "datagram");
    if (this.#descriptor < 0) return this.#descriptor;
    const connected = this.#loop.calls.connect(this.#descriptor, this.#address, port);
    if (connected < 0) return connected;
    this.#watchId = this.#loop.watch(this.#descriptor, () => this.#read());
    return Math.min(0, this.#watchId);
  }

  #send(query: Uint8Array): void {
    const { calls } = this.#loop;
    calls.outbox.set(query);
    this.#sending = this.#loop.now();
    const sent = calls.send(this.#descriptor, query.length, true);
    const done = this.#loop.now();
    if (sent < 0) return this.#listener.onFailed(systemError(sent, "send", this.#address));
    const stamped = this.#loop.placed(calls.leftAt(this.#descriptor), this.#sending);
    // Both marks say of an instant that it lies in the error bar before them.
    const mark =
      stamped === null
        ? { at: done, errorBar: nanos(done - this.#sending) }
        : {
            at: nanos(stamped.at + stamped.errorBar),
            errorBar: nanos(2 * stamped.errorBar),
          };
    this.#listener.onSending(mark);
    this.#listener.onSent(mark);
  }

  /** Reads what there is, but lets others have their turn: the kernel reports no change before all was read. */
  #read(): void {
    const { calls } = this.#loop;
    for (let count = 0; count < limits.rawDatagramsAtOnceMax; count += 1) {
      if (this.#state === "closed") return;
      const length = calls.receive(this.#descriptor, limits.rawMessageBytesMax);
      if (length === tryAgain) return;
      if (length < 0) return this.#listener.onFailed(systemError(length, "receive", this.#address));
      // A copy: whoever reads it may keep parts.
      this.#listener.onMessage(Buffer.from(calls.inbox.subarray(0, length)), () => this.#arrival());
    }
    this.#loop.soon(() => this.#read());
  }

  #arrival(): MeasuredMark {
    const mark = this.#loop.placed(this.#loop.calls.arrivedAt(), this.#sending);
    if (mark !== null) this.#loop.cameAlone(mark.at);
    return mark === null
      ? { mark: this.#marker.observed(), measuredBy: "event" }
      : { mark, measuredBy: "kernel" };
  }
}
