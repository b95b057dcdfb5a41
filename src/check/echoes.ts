import type { IcmpRefusal } from "#check/evidence";
import { nanos, type Nanos } from "#base/units";

/** One echo request and what became of it. */
export interface Echo {
  /** From the packet that left to the reply that came; null if none came in time. */
  readonly roundTrip: Nanos | null;
  /** How far the round trip may be off. */
  readonly errorBar: Nanos;
  /** The ICMP error that came in place of a reply; null if none did. */
  readonly refusal: IcmpRefusal | null;
}

/** What may have echoes: a ping has, and what asks in another way has none. */
interface Echoing {
  readonly kind?: string;
  readonly echoes?: readonly Echo[];
}

export const echoesOf = ({ echoes = [] }: Echoing): readonly Echo[] => echoes;

/** The round trips of the replies, in the order in which their echoes were sent. */
export const roundTrips = ({ echoes = [] }: Echoing): readonly Nanos[] =>
  echoes.flatMap(({ roundTrip }) => (roundTrip === null ? [] : [roundTrip]));

/** Null if no reply came. */
export function meanRoundTrip(outcome: Echoing): Nanos | null {
  const all = roundTrips(outcome);
  return all.length === 0 ? null : nanos(all.reduce((sum, one) => sum + one, 0) / all.length);
}

/** Percent of the echoes that were sent; 0 if none was. */
export function lossOf({ echoes = [] }: Echoing): number {
  const lost = echoes.filter(({ roundTrip }) => roundTrip === null).length;
  return echoes.length === 0 ? 0 : (100 * lost) / echoes.length;
}

/**
 * The mean difference of neighbouring round trips (RFC 3550 §6.4.1 has the difference, and smooths it); null for fewer than
 * two replies.
 */
export function jitterOf(outcome: Echoing): Nanos | null {
  const all = roundTrips(outcome);
  if (all.length < 2) return null;
  const differences = all.slice(1).map((one, index) => Math.abs(one - (all[index] ?? one)));
  return nanos(differences.reduce((sum, one) => sum + one, 0) / differences.length);
}
