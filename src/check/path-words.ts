import { lasting } from "#base/duration";
import { between, type EpochMillis } from "#base/units";
import type { KnownHop, KnownPath, PathChange, SaidChange } from "#check/known-path";

/**
 * One sentence without the full stop: which hop changed, and how long before the failure it was there. An address that is
 * null stays with the agent.
 */
export function saidChangeWords({ change, to }: SaidChange, failedAt: EpochMillis): string {
  const path = to === null ? "the path" : `the path to ${to}`;
  return `${whatChanged(change, path)} (${ageWords(change, failedAt)})`;
}

function whatChanged({ kind, ttl, gone, came }: PathChange, path: string): string {
  const hop = `${ordinal(ttl)} hop`;
  switch (kind) {
    case "replaced":
      return `${path} has another ${hop}: ${shown(came)} instead of ${shown(gone)}`;
    case "returned":
      return `${path} went back to a ${hop} of before: ${shown(came)} instead of ${shown(gone)}`;
    case "lost":
      return `${path} lost its ${hop}${named(gone)}`;
    case "gained":
      return `${path} has a new ${hop}${named(came)}`;
    case "ended":
      return `${path} ends at ${shown(came)}: its ${hop}${named(gone)} and all behind it do not answer`;
    case "circle":
      return `${path} goes in a circle between ${shown(came)} and ${shown(gone)}`;
  }
}

/** The same for a table of facts: `hop 3 is 10.1.9.2, and was 10.1.9.1; as before at 13:47 UTC, changed at 14:02 UTC`. */
export const saidChangeFact = ({ change }: SaidChange): string =>
  `${changeWords(change)}; as before at ${timeAt(change.before, change.at)}, seen at ${timeAt(change.at, change.at)}`;

const named = (address: string | null): string => (address === null ? "" : ` ${address}`);
const shown = (address: string | null): string => address ?? "a router";

/** `as before at 13:47 UTC, 17 min before this failure; changed at 14:02 UTC, 2 min before it`. */
function ageWords({ before, at }: PathChange, failedAt: EpochMillis): string {
  const known = `as before at ${timeAt(before, failedAt)}, ${lasting(between(before, failedAt))} before this failure`;
  if (between(at, failedAt) < lookedAtOnce) return known;
  return `${known}; changed at ${timeAt(at, failedAt)}, ${lasting(between(at, failedAt))} before it`;
}

/** What was seen this shortly before a failure was seen because of it. */
const lookedAtOnce = 10_000;

/** `14:02 UTC`, with the day if that is another. */
function timeAt(instant: EpochMillis, than: EpochMillis): string {
  const [iso, other] = [instant, than].map((one) => new Date(one).toISOString());
  if (iso === undefined || other === undefined) return "";
  const time = `${iso.slice(11, 16)} UTC`;
  return iso.slice(0, 10) === other.slice(0, 10) ? time : `${iso.slice(0, 10)} ${time}`;
}

const ordinals = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
] as const;
const ordinal = (ttl: number): string => ordinals[ttl - 1] ?? `${ttl}th`;

/** One change for a list: `the third hop: 10.1.9.2 instead of 10.1.9.1`. */
export function changeWords({ kind, ttl, gone, came }: PathChange): string {
  switch (kind) {
    case "replaced":
      return `hop ${ttl} is ${shown(came)}, and was ${shown(gone)}`;
    case "returned":
      return `hop ${ttl} is ${shown(came)} again, after ${shown(gone)}`;
    case "lost":
      return `hop ${ttl}, ${shown(gone)}, is no longer on the path`;
    case "gained":
      return `hop ${ttl}, ${shown(came)}, is new on the path`;
    case "ended":
      return `hop ${ttl}, ${shown(gone)}, and all behind it stopped answering; ${shown(came)} in front of it answered`;
    case "circle":
      return `packets went in a circle between ${shown(came)} and ${shown(gone)}`;
  }
}

/** `10.0.0.1 (0.4 ms)`, and what alternates with it. */
export function hopWords({ address, others, flippedAt }: KnownHop): string {
  const turns =
    flippedAt === null ? [] : others.flatMap((one) => (one.address === "" ? [] : one.address));
  return [address === "" ? "a router" : address, ...turns.map((one) => `or ${one}`)].join(" ");
}

/** `1 10.0.0.1, 2 silent, 3 10.1.9.1, 4 the target`: the path as it was at its last trace. */
export function knownPathWords({ hops, length }: Pick<KnownPath, "hops" | "length">): string {
  const last = length === null ? (hops.at(-1)?.ttl ?? 0) : length - 1;
  const each = Array.from({ length: last }, (_, index) => {
    const hop = hops.find(({ ttl }) => ttl === index + 1);
    return `${index + 1} ${hop === undefined ? "silent" : hopWords(hop)}`;
  });
  return [...each, ...(length === null ? [] : [`${length} the target`])].join(", ");
}
