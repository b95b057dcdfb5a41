import type { DropReason } from "#agent/spool/spool";

/** How many reports wait of each monitor, and how many were dropped for which reason. */
export class SpoolTally {
  readonly #waiting = new Map<string, number>();
  readonly #givenUp: Record<DropReason, number> = { age: 0, room: 0, unreadable: 0 };
  #size = 0;

  get waiting(): ReadonlyMap<string, number> {
    return this.#waiting;
  }

  get size(): number {
    return this.#size;
  }

  get givenUp(): Readonly<Record<DropReason, number>> {
    return { ...this.#givenUp };
  }

  came(monitorId: string, count = 1): void {
    this.#waiting.set(monitorId, (this.#waiting.get(monitorId) ?? 0) + count);
    this.#size += count;
  }

  left(monitorId: string, count = 1): void {
    const rest = (this.#waiting.get(monitorId) ?? 0) - count;
    if (rest > 0) this.#waiting.set(monitorId, rest);
    else this.#waiting.delete(monitorId);
    this.#size -= count;
  }

  gaveUp(reason: DropReason, monitorId: string, count = 1): void {
    this.left(monitorId, count);
    this.#givenUp[reason] += count;
  }
}
