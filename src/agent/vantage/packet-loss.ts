import * as limits from "#limits/vantage-limits";
import type { Observation } from "#agent/vantage/observation";

/** How many of the last checks were lost, of how many, and to how many hosts that answered others meanwhile. */
export interface Loss {
  readonly lost: number;
  readonly checks: number;
  readonly hosts: number;
}

interface Passage {
  readonly host: string;
  readonly isLost: boolean;
  readonly at: number;
}

/**
 * Whether packets are lost here and there: then checks of many hosts fail in turns, and nothing that they share is
 * broken. A host that is down, and an outage that is over, look otherwise: the one never answers, the other is one run.
 */
export class PacketLoss {
  /** What the last checks say of the way, the oldest first. */
  #last: Passage[] = [];

  note({ host, blamed, cleared, endedAt: at }: Observation): void {
    const isLost = blamed.some(isWay);
    if (!isLost && !cleared.some(isWay)) return;
    this.#last.push({ host, isLost, at });
    if (this.#last.length > limits.lossLookedAt) this.#last.shift();
  }

  /** Null if nothing speaks for it. */
  at(now: number): Loss | null {
    this.#last = this.#last.filter(({ at }) => now - at < limits.lossRemembered);
    const answered = new Set(this.#last.flatMap(({ host, isLost }) => (isLost ? [] : [host])));
    const lost = this.#last.filter(({ host, isLost }) => isLost && answered.has(host));
    const hosts = new Set(lost.map(({ host }) => host)).size;
    const runs = this.#last.filter(
      (one, index) => lost.includes(one) && !this.#last[index - 1]?.isLost,
    );
    const isLossy =
      this.#last.length >= limits.lossLookedAt &&
      lost.length >= limits.lossShareMin * this.#last.length &&
      hosts >= limits.suspectHostsMin &&
      runs.length >= limits.lossRunsMin;
    return isLossy ? { lost: lost.length, checks: this.#last.length, hosts } : null;
  }
}

/** All that leaves this machine does so over one family. */
const isWay = ({ scope }: { readonly scope: string }): boolean => scope === "family";
