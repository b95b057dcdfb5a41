import type { Socket } from "node:net";
import type { SocketEvidence, SocketSight } from "#probes/socket/socket-evidence";
import { socketWitness, type Witness } from "#probes/socket/witness";

/** The witness of a raw socket, which asks the kernel while the descriptor is open. */
export class RawWitness implements Witness {
  readonly #address: string;
  readonly #kernel: SocketEvidence;
  #descriptor: number | null = null;
  #seen: SocketSight | null = null;
  /** Whose the descriptor is now. */
  #heir: Witness | null = null;
  #state: "watching" | "over";

  constructor(address: string, kernel: SocketEvidence) {
    this.#address = address;
    this.#kernel = kernel;
    this.#state = kernel.available ? "watching" : "over";
  }

  get sight(): SocketSight | null {
    this.#look();
    return this.#heir?.sight ?? this.#seen;
  }

  dismiss(): void {
    this.#state = "over";
    this.#heir?.dismiss();
  }

  /** The first packet is about to leave: refusals may come from now on. */
  begins(descriptor: number): void {
    this.#descriptor = descriptor;
    this.#keepRefusals(true);
  }

  connected(): void {
    this.#keepRefusals(false);
  }

  /** The descriptor is about to be closed. */
  ends(): void {
    this.#look();
    this.#descriptor = null;
  }

  /** The descriptor is the runtime's from now on. */
  continueWith(socket: Socket): void {
    this.#descriptor = null;
    if (this.#state === "watching") this.#heir = socketWitness(socket, this.#address, this.#kernel);
  }

  #look(): void {
    if (this.#state === "watching" && this.#descriptor !== null)
      this.#seen = this.#kernel.of(this.#descriptor, this.#address);
  }

  /** The kernel keeps those of IPv4 by itself. */
  #keepRefusals(kept: boolean): void {
    if (this.#state === "watching" && this.#descriptor !== null && this.#address.includes(":"))
      this.#kernel.keepRefusals(this.#descriptor, kept);
  }
}
