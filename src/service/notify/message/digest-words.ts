import { capital, counted } from "#base/text";
import { lasting } from "#base/duration";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { digestPart } from "#service/notify/message/digest-part";
import type { Digest, DigestEntry } from "#service/notify/event";
import type { Line, Message, Tone } from "#service/notify/message/message";
import { fact, lateness, linksOf, oftenWords, unlinked } from "#service/notify/message/parts";
import { plainText, plainWords } from "#service/notify/message/plain";
import { nearInstant, shortInstant } from "#service/notify/message/times";
import * as limits from "#limits/alerts-limits";
import type { EpochMillis } from "#base/units";

/** One of many events, and what would be said of it alone. */
interface SaidEntry {
  readonly entry: DigestEntry;
  readonly said: Message;
}

/** Many events in one message: how many of what, their common cause, and the first names with the reason of each. */
export function digestMessage(
  digest: Digest,
  said: readonly SaidEntry[],
  timeZone: string,
): Message {
  const { cause, entries, count, at } = digest;
  const more = count - entries.length;
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
      ...said.map((one) => lineOf(one, digest, timeZone)),
      ...(more > 0 ? [unlinked(`and ${more} more`)] : []),
    ],
    note: "",
    links: linksOf(["Open the list", digest.url]),
    acknowledgeUrl: digest.acknowledgeUrl,
    ...acknowledgeLabel(digest),
    brief: { state: title, name: "", since: shortInstant(at, timeZone) },
  };
}

function titleOf({ cause, entries, count }: Digest): string {
  if (cause !== null) {
    const { failing, failingNow = failing, of, location } = cause;
    const place = plainText(location.name);
    const state = commonState(entries);
    if (failingNow <= failing) return `${state}: ${failing} of ${of} monitors at ${place}`;
    // Others of this cause were sent before: their number alone would read as all that are down.
    return `${state}: ${counted(failing, "monitor")} at ${place}, ${failingNow} of ${Math.max(of, failingNow)} fail the same way`;
  }
  if (count === entries.length && entries.every(isUpAgain)) return `Up again: ${namesOf(entries)}`;
  const all = entries.map(({ saying }) => digestPart(saying));
  const parts = [...Map.groupBy(all, ({ many }) => many)].map(([many, some]) =>
    some.length === 1 ? `1 ${some[0]?.one ?? many}` : `${some.length} ${many}`,
  );
  const rest = count - entries.length;
  return [...parts, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** What ends a certificate's incident is another sentence. */
const isUpAgain = ({ saying }: DigestEntry): boolean =>
  saying.type === "monitor.recovered" && saying.certificate === null && saying.was === "error";

/** `shop, cart and login`, or `shop, cart and 3 more`. */
function namesOf(entries: readonly DigestEntry[]): string {
  const { titleNamesMax, titleNameCharsMax } = limits;
  const count = entries.length;
  const named = entries.slice(0, count > titleNamesMax ? titleNamesMax - 1 : titleNamesMax);
  const names = named.map(({ name }) => plainText(name, titleNameCharsMax));
  const rest = count - names.length;
  const last = rest > 0 ? `${rest} more` : (names.pop() ?? "");
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** Of a cause it takes more than the message lists; of what others have acknowledged it takes the rest. */
function acknowledgeLabel({ cause, waiting, open }: Digest): Pick<Message, "acknowledgeLabel"> {
  if (open < 2 || waiting === 0) return {};
  if (waiting < open) return { acknowledgeLabel: `Acknowledge ${waiting} of ${open}` };
  return { acknowledgeLabel: `Acknowledge ${cause === null ? "these" : "all"} ${open}` };
}

function commonState(entries: readonly DigestEntry[]): string {
  if (entries.every(({ saying }) => saying.type === "monitor.flapping")) return "Flapping";
  return entries.every(({ saying }) => isLasting(saying)) ? "Still failing" : "Down";
}

const isLasting = (saying: DigestEntry["saying"]): boolean =>
  saying.type === "monitor.reminder" ||
  (saying.type === "monitor.settled" && saying.status !== "active");

/** `Down: shop, since 14:02 UTC. The target answered 503`. What all have in common is said once, above. */
function lineOf({ entry, said }: SaidEntry, digest: Digest, timeZone: string): Line {
  const { name, url } = entry;
  const reason = digest.cause === null ? plainWords(said.reason, reasonRoom(digest)) : "";
  const rest = `${whenOf(entry, digest, timeZone)}${reason === "" ? "" : `. ${capital(reason)}`}`;
  return { lead: `${said.brief.state}: ${plainText(name)}`, rest, url };
}

/** The fewer lines, the longer each reason may be. */
const reasonRoom = ({ entries }: Digest): number =>
  Math.max(
    limits.digestReasonCharsMax,
    Math.min(
      limits.digestLongReasonCharsMax,
      Math.floor((limits.digestNamesMax * limits.digestReasonCharsMax) / entries.length),
    ),
  );

function whenOf({ saying, since }: DigestEntry, { asOf }: Digest, timeZone: string): string {
  const at = nearInstant(nowSince(saying) ?? since, asOf, timeZone);
  // A certificate says its day itself.
  if ("monitor" in saying && saying.certificate !== null) return "";
  if (saying.type === "monitor.recovered") {
    const was = saying.was === "error" ? "down" : "slow";
    return `, since ${at}, ${was} for ${lasting(saying.lasted.inTrouble)}`;
  }
  if (saying.type === "monitor.flapping")
    return `, ${oftenWords(saying.times)}, ${lasting(saying.downFor)} in all`;
  if (saying.type === "monitor.settled" && saying.wellSince !== null)
    return `, since ${at}, ${saying.times.down === 0 ? "slow" : "down"} for ${lasting(saying.downFor)} in all`;
  return "maintenance" in saying ? `, ${at}` : `, since ${at}`;
}

/** Of what is over: since when. */
function nowSince(saying: DigestEntry["saying"]): EpochMillis | null {
  if ("endedAt" in saying) return saying.endedAt;
  return saying.type === "monitor.settled" ? saying.wellSince : null;
}

function worst(entries: readonly DigestEntry[]): Tone {
  const tones = new Set(entries.map(({ saying }) => digestPart(saying).tone));
  return order.find((tone) => tones.has(tone)) ?? "quiet";
}

const order = ["down", "slow", "up", "quiet"] as const;
