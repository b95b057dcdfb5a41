import type { Socket } from "node:net";
import { descriptorOf } from "#probes/socket/kernel-clock";
import type { SocketEvidence, SocketSight } from "#probes/socket/socket-evidence";

/** What the kernel knows of one connection. */
export interface Witness {
  /** As of now, or of the connection's end; null if nothing can be known. */
  readonly sight: SocketSight | null;
  /** The connection did what it should: its end is of no interest. */
  dismiss(): void;
}

export const noWitness: Witness = { sight: null, dismiss: () => {} };

/** The witness of a socket of the runtime, with what its owner has to report. */
export interface SocketWitness extends Witness {
  /** The first packet has left: refusals may come from now on. */
  begun(): void;
  /** The connection is there. */
  connected(): void;
}

/**
 * The runtime closes a descriptor before it reports an error, so the kernel is asked in the call that closes it. Nothing
 * is asked of a connection that ended well.
 */
export function socketWitness(
  socket: Socket,
  address: string,
  kernel: SocketEvidence,
): SocketWitness {
  let state: "watching" | "over" = kernel.available ? "watching" : "over";
  let seen: SocketSight | null = null;
  const descriptor = (): number | null => descriptorOf(Reflect.get(socket, "_handle"));
  const look = (): void => {
    if (state === "over") return;
    const fd = descriptor();
    if (fd !== null) seen = kernel.of(fd, address);
  };
  const keepRefusals = (kept: boolean): void => {
    const fd = address.includes(":") && state === "watching" ? descriptor() : null;
    if (fd !== null) kernel.keepRefusals(fd, kept);
  };
  const destroy: unknown = Reflect.get(socket, closing);
  Reflect.set(socket, closing, (...args: readonly unknown[]) => {
    look();
    state = "over";
    if (typeof destroy === "function") Reflect.apply(destroy, socket, args);
  });
  return {
    get sight() {
      look();
      return seen;
    },
    dismiss: () => {
      state = "over";
    },
    begun: () => keepRefusals(true),
    connected: () => keepRefusals(false),
  };
}

/** What each stream of the runtime is destroyed by, whoever destroys it, and while its descriptor is open. */
const closing = "_destroy";
