import { failureSentence } from "#service/notify/message/failure-sentence";
import type { Digest, DigestEntry } from "#service/notify/event";
import type { Message, Tone } from "#service/notify/message/message";
import { fact, lateness, linksOf } from "#service/notify/message/parts";
import { plainText } from "#service/notify/message/plain";
import { shortInstant } from "#service/notify/message/times";
import * as limits from "#limits/alerts-limits";

/** Many events in one message: how many of what, their common cause, and the first names. */
export function digestMessage(digest: Digest, timeZone: string): Message {
  const { cause, entries, count, at } = digest;
  const shown = entries.slice(0, limits.digestNamesMax);
  const more = count - shown.length;
  const title = titleOf(digest);
  return {
    tone: worst(entries),
    title,
    reason:
      cause === null
        ? ""
        : plainText(failureSentence(cause.failure.message), limits.notifiedReasonCharsMax),
    facts: [
      ...fact("Failure", cause && `${cause.failure.code} (${cause.failure.phase})`),
      ...fact("Held back", digest.because === "quiet-hours" ? "during quiet hours" : null),
      ...lateness(digest, timeZone),
    ],
    lines: [
      ...shown.map((entry) => lineOf(entry, timeZone)),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    note: "",
    links: linksOf(["Open the list", digest.url]),
    acknowledgeUrl: null,
    brief: { state: title, name: "", since: shortInstant(at, timeZone) },
  };
}

function titleOf({ cause, entries, count }: Digest): string {
  if (cause !== null) {
    const { failing, of, location } = cause;
    const isSaidAgain = entries.every(({ type }) => type === "monitor.reminder");
    const state = words[isSaidAgain ? "monitor.reminder" : "monitor.error"].one;
    return `${state}: ${failing} of ${of} monitors at ${plainText(location.name)}`;
  }
  const tally = Map.groupBy(entries, ({ type }) => words[type].many);
  const parts = [...tally].map(([word, some]) => `${some.length} ${word}`);
  const rest = count - entries.length;
  return [...parts, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

const lineOf = ({ type, name, since }: DigestEntry, timeZone: string): string =>
  `${words[type].one}: ${plainText(name)}, ${shortInstant(since, timeZone)}`;

function worst(entries: readonly DigestEntry[]): Tone {
  const tones = new Set(entries.map(({ type }) => words[type].tone));
  return order.find((tone) => tones.has(tone)) ?? "quiet";
}

const order = ["down", "slow", "up", "quiet"] as const;

interface Words {
  readonly one: string;
  readonly many: string;
  readonly tone: Tone;
}

const words: { readonly [T in DigestEntry["type"]]: Words } = {
  "monitor.error": { one: "Down", many: "down", tone: "down" },
  "monitor.degraded": { one: "Slow", many: "slow", tone: "slow" },
  "monitor.recovered": { one: "Up again", many: "up again", tone: "up" },
  "monitor.closed": { one: "No longer watched", many: "no longer watched", tone: "quiet" },
  "monitor.reminder": { one: "Still failing", many: "still failing", tone: "down" },
  "monitor.flapping": { one: "Flapping", many: "flapping", tone: "down" },
  "monitor.settled": { one: "Steady", many: "steady", tone: "quiet" },
  "location.offline": { one: "Location offline", many: "locations offline", tone: "down" },
  "location.online": { one: "Location back", many: "locations back", tone: "up" },
  "location.trouble": { one: "Agent trouble", many: "with agent trouble", tone: "slow" },
  "location.well": { one: "Agent well again", many: "agents well again", tone: "up" },
  "location.closed": { one: "No longer watched", many: "no longer watched", tone: "quiet" },
  "maintenance.started": { one: "Maintenance", many: "in maintenance", tone: "quiet" },
  "maintenance.changed": {
    one: "Maintenance changed",
    many: "changed maintenance",
    tone: "quiet",
  },
  "maintenance.ended": { one: "Maintenance ended", many: "maintenance ended", tone: "quiet" },
  "channel.failing": { one: "Channel failing", many: "channels failing", tone: "slow" },
};
