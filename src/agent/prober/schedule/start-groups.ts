import * as limits from "#limits/prober-limits";
import type { Monitor } from "#check/monitor";
import { epochMillis, type EpochMillis } from "#base/units";

/** When a check begins, and how many do in the same moment. */
export interface StartTimes {
  /** The instant at which the monitor's check of `slot` begins: then, or a little later. */
  startOf(monitor: Monitor, slot: EpochMillis): EpochMillis;
  /** The monitors are these now. */
  arrange(monitors: Iterable<Monitor>): void;
}

/** Every check begins at its slot. */
export const atTheirSlots: StartTimes = { startOf: (_monitor, slot) => slot, arrange: () => {} };

/**
 * Checks that begin together, a few at a time: a thread that is woken for each of them finds cold caches each time. The
 * instants divide each second evenly, so a monitor keeps its rhythm exactly, and the name of its slot is not touched.
 */
export class StartGroups implements StartTimes {
  #apart = 0;
  #pingsApart = 0;

  startOf(monitor: Monitor, slot: EpochMillis): EpochMillis {
    const apart = monitor.kind === "icmp" ? this.#pingsApart : this.#apart;
    if (apart === 0 || beginsAlone(monitor)) return slot;
    return epochMillis(Math.ceil(slot / apart) * apart);
  }

  arrange(monitors: Iterable<Monitor>): void {
    let perMilli = 0;
    for (const monitor of monitors) if (!beginsAlone(monitor)) perMilli += 1 / monitor.periodicity;
    this.#apart = apartFor(limits.startsTogether / perMilli);
    this.#pingsApart = apartFor(limits.pingsTogether / perMilli);
  }
}

/** 0 if they begin at their slots. */
const apartFor = (wanted: number): number =>
  limits.startsApart.find((apart) => apart <= wanted) ?? 0;

/** A TLS handshake is a millisecond of arithmetic: it would blur the times of other checks, and warm caches save little. */
const beginsAlone = (monitor: Monitor): boolean =>
  monitor.rejection === null &&
  monitor.target.kind === "http" &&
  monitor.target.url.startsWith("https:");
