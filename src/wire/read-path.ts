import {
  type KnownHop,
  type KnownPath,
  type PathChange,
  pathChangeKinds,
  pathProtocols,
} from "#check/known-path";
import type {
  KnownHop as WireHop,
  KnownPath as WirePath,
  PathChange as WireChange,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/path-limits";
import { shownName } from "#base/text";
import { epochMillis, type EpochMillis, nanos } from "#base/units";

/** A path that was kept or sent, bounded and harmless; null if it is of a protocol that we do not know. */
export function readPath(sent: WirePath): KnownPath | null {
  const protocol = pathProtocols.find((one) => one === sent.protocol);
  if (protocol === undefined) return null;
  return {
    network: bounded(sent.network),
    flow: {
      protocol,
      address: bounded(sent.address),
      port: sent.port,
      sourcePort: sent.sourcePort,
    },
    hops: sent.hops
      .filter(({ ttl }) => isHop(ttl))
      .slice(0, limits.hopsMax)
      .map(readHop),
    length: isHop(sent.length) ? sent.length : null,
    tracedAt: instantIn(sent.tracedAt),
    changes: sent.changes
      .slice(0, limits.changesPerPathMax)
      .map(readChange)
      .filter((one) => one !== null),
  };
}

/** Null for a kind that we have no words for. */
export function readChange({ kind, ttl, gone, came, before, at }: WireChange): PathChange | null {
  const known = pathChangeKinds.find((one) => one === kind);
  if (known === undefined || !isHop(ttl)) return null;
  return {
    kind: known,
    ttl,
    gone: gone === "" ? null : bounded(gone),
    came: came === "" ? null : bounded(came),
    before: instantIn(before),
    at: instantIn(at),
  };
}

const isHop = (ttl: number): boolean => ttl >= 1 && ttl <= limits.hopsMax;

const readHop = (hop: WireHop): KnownHop => ({
  ttl: hop.ttl,
  address: bounded(hop.address),
  roundTrip: hop.rttUs === undefined || hop.rttUs < 0n ? null : nanos(Number(hop.rttUs) * 1e3),
  since: instantIn(hop.since),
  seenAt: instantIn(hop.seenAt),
  times: Number(hop.times),
  silent: Number(hop.silent),
  others: hop.others.slice(0, limits.othersPerHopMax).map(({ address, seenAt }) => ({
    address: bounded(address),
    seenAt: instantIn(seenAt),
  })),
  flippedAt: hop.flippedAt === 0n ? null : instantIn(hop.flippedAt),
});

/** One that a date can have. */
const instantIn = (sent: bigint): EpochMillis =>
  epochMillis(Math.min(Math.max(0, Number(sent)), dateMax));
const dateMax = 8.64e15;

const bounded = (text: string): string => shownName(text, checkLimits.nameCharsMax);
