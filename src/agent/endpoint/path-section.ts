import { between, type EpochMillis, nanosToMillis } from "#base/units";
import type { KnownHop, KnownPath, PathChange } from "#check/known-path";
import { changeWords } from "#check/path-words";
import { isoTime } from "#web/page/format";

/** What /status says of the path to a target, with how old that is. */
export const pathSection = (
  { network, flow, hops, length, tracedAt, changes }: KnownPath,
  now: EpochMillis,
): object => ({
  network,
  to: flow.address,
  port: flow.port,
  protocol: flow.protocol,
  traced_at: isoTime(tracedAt),
  age_ms: between(tracedAt, now),
  length,
  hops: hops.map(hopSection),
  changes: changes.map(changeSection),
});

const hopSection = ({ ttl, address, roundTrip, since, seenAt, others }: KnownHop): object => ({
  hop: ttl,
  address,
  others: others.map((one) => one.address),
  round_trip_ms: roundTrip === null ? null : nanosToMillis(roundTrip),
  since: isoTime(since),
  last_answer_at: isoTime(seenAt),
});

const changeSection = (change: PathChange): object => ({
  change: change.kind,
  hop: change.ttl,
  gone: change.gone,
  came: change.came,
  as_before_at: isoTime(change.before),
  seen_at: isoTime(change.at),
  sentence: changeWords(change),
});
