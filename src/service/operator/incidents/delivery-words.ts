import type { LaneHealth } from "#service/alerting/attempts";
import type { ChannelRules } from "#service/alerting/channel-rules";
import { dropReasons, type HoldReason, isUntold } from "#service/alerting/queue";
import { isAlwaysQuiet, quietAt } from "#service/alerting/quiet-hours";
import { lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteAfter, minuteOf, momentOf } from "#web/page/moment";
import * as alertsLimits from "#limits/alerts-limits";
import { verdictMark } from "#web/page/verdict-mark";
import type { DeliveryRow } from "#service/store/alert-store";
import { after, between, type EpochMillis, type Millis, millis } from "#base/units";

/** What messages of an incident wait for in addition to their channel's rules. */
export interface IncidentWaits {
  /** Null if the incident is not silenced. */
  readonly silencedUntil: EpochMillis | null;
  /** Null if none waits for what the incident's monitor depends on. */
  readonly parent: ParentWait | null;
}

export interface ParentWait {
  readonly name: string;
  /** When its messages are sent; null while it is down. */
  readonly until: EpochMillis | null;
  /** How long after it is up that is. */
  readonly rounds: Millis;
}

/** What of its channel and of its incident says why it waits, and what was asked for; null if the channel is deleted. */
export type DeliveryRules =
  | (Pick<ChannelRules, "delay" | "quietHours" | "timeZone"> & {
      /** Left out if how the channel stands is not read. */
      readonly lane?: Pick<LaneHealth, "isDisabled" | "failures" | "restUntil">;
      /** Left out if what the incident waits for is not read. */
      readonly waits?: IncidentWaits;
    })
  | null;

/** Of a channel that is still there, its rules and how it stands, and what the incident of its messages waits for. */
export const rulesOf = (
  channel: { readonly rules: ChannelRules; readonly lane?: LaneHealth } | undefined,
  waits?: IncidentWaits,
): DeliveryRules =>
  channel === undefined
    ? null
    : {
        ...channel.rules,
        ...(channel.lane === undefined ? {} : { lane: channel.lane }),
        ...(waits === undefined ? {} : { waits }),
      };

/** When it was sent, came to nothing, or was first tried; of what was not tried, when it was written. */
export const triedAt = ({
  createdAt,
  firstTriedAt,
  settledAt,
}: Pick<DeliveryRow, "createdAt" | "firstTriedAt" | "settledAt">): EpochMillis =>
  settledAt ?? firstTriedAt ?? createdAt;

/** When it was sent, or came to nothing; of what waits, when it was first tried. When it was written, if that is much earlier. */
export function whenWords({
  createdAt,
  firstTriedAt,
  settledAt,
}: Pick<DeliveryRow, "createdAt" | "firstTriedAt" | "settledAt">): Html {
  const when = settledAt ?? firstTriedAt;
  if (when === null) return html`Written ${momentOf(createdAt)}`;
  const tried = settledAt === null ? "First tried " : "";
  return html`${tried}${momentOf(when)}${
    between(createdAt, when) < alertsLimits.lateAfter
      ? null
      : html`<span class="note">written ${momentOf(createdAt)}</span>`
  }`;
}

/** A shape and a word for what became of it. */
export function deliveryMark({ state, message }: Pick<DeliveryRow, "state" | "message">): Html {
  switch (state) {
    case "sent":
      return verdictMark("success", "Sent");
    case "accepted":
      return verdictMark("success", "Accepted");
    case "waiting":
      return message === ""
        ? verdictMark("unchecked", "Waiting")
        : verdictMark("degraded", "Retrying");
    case "dropped":
      return message === "" ? verdictMark("unchecked", "Not sent") : verdictMark("error", "Failed");
  }
}

/** What its mark does not say yet; empty if that is all. */
export const detailWords = (delivery: DeliveryOutcomeRow, rules: DeliveryRules): string =>
  outcomeWords(delivery, rules).replace(/^(not sent|sent|waits)([,:;] )?/, "");

type DeliveryOutcomeRow = Pick<
  DeliveryRow,
  "state" | "kind" | "message" | "reason" | "createdAt" | "settledAt" | "saidBefore"
>;

/** What became of it, and how late that was. */
export function outcomeWords(delivery: DeliveryOutcomeRow, rules: DeliveryRules): string {
  const { state, message, reason } = delivery;
  switch (state) {
    case "sent":
      return `sent${lateWords(delivery, rules)}`;
    case "accepted":
      return "taken by the provider, which says later what became of it";
    case "waiting":
      if (rules?.lane?.isDisabled === true)
        return `waits: nothing is tried until the channel's data is changed or a delivery is retried${message === "" ? "" : `; last: ${message}`}`;
      if (reason === "retry")
        return `failed${message === "" ? "" : ` (${message})`}; it is tried again`;
      return `waits${holdOf(reason, rules)}${message === "" ? "" : `; last: ${message}`}`;
    case "dropped":
      return message === ""
        ? `not sent, because ${dropSentences[reason] ?? reason}`
        : `not sent: ${message}`;
  }
}

/** Until when it waits, or when it is tried again, in words that follow why; null if that is not known. */
export function waitEnd(delivery: WaitingRow, rules: DeliveryRules, at: EpochMillis): Html | null {
  const { state, reason, retryAt } = delivery;
  if (rules === null || state !== "waiting" || rules.lane?.isDisabled === true) return null;
  switch (reason) {
    case "quiet_hours":
      return quietEnd(delivery, rules, at);
    case "retry":
      return later(" at ", retryAt, at);
    case "delay":
      // One that flaps is down for the delay in all, which no one knows before.
      return delivery.kind === "opened"
        ? later(" until ", after(delivery.createdAt, rules.delay), at)
        : null;
    case "silence":
      return later(" until ", rules.waits?.silencedUntil ?? null, at);
    case "parent":
      return parentEnd(rules.waits?.parent ?? null, at);
    case "":
      return later(" at ", rules.lane?.restUntil ?? null, at);
    default:
      return null;
  }
}

type WaitingRow = Pick<
  DeliveryRow,
  "state" | "kind" | "reason" | "message" | "createdAt" | "retryAt"
>;

const later = (word: string, until: EpochMillis | null, at: EpochMillis): Html | null =>
  until === null || until <= at ? null : html`${word}${minuteAfter(until, at)}`;

/** Once the parent is up, what depends on it has two rounds to recover. */
function parentEnd(parent: ParentWait | null, at: EpochMillis): Html | null {
  if (parent === null) return null;
  if (parent.until !== null)
    return later("; if this still fails, it is sent at ", parent.until, at);
  return html`; if this still fails ${lengthOf(parent.rounds)} after that is up, it is sent then`;
}

function quietEnd(
  { message }: WaitingRow,
  rules: NonNullable<DeliveryRules>,
  at: EpochMillis,
): Html | null {
  const until = quietAt(rules.quietHours, rules.timeZone, at)?.until ?? null;
  return until === null
    ? null
    : html`${message === "" ? "" : "; they last"} until ${minuteOf(until)}`;
}

/** How long after it was to be sent it was sent, if a person would call that late. */
function lateWords(delivery: DeliveryOutcomeRow, rules: DeliveryRules): string {
  const { createdAt, settledAt } = delivery;
  if (settledAt === null) return "";
  const asked = after(createdAt, isDelayed(delivery) ? (rules?.delay ?? millis(0)) : millis(0));
  const late = between(asked, settledAt);
  return late < alertsLimits.lateAfter ? "" : `, ${lengthOf(late)} late`;
}

/** Whether it waits for the channel's delay: the channel did not know yet that something is wrong. */
const isDelayed = ({ kind, saidBefore }: DeliveryOutcomeRow): boolean =>
  kind !== "closed" &&
  isUntold({ sent: saidBefore === null ? null : { kind: saidBefore }, waiting: [{ kind }] });

function holdOf(reason: string, rules: DeliveryRules): string {
  if (reason === "quiet_hours" && rules !== null && isAlwaysQuiet(rules.quietHours))
    return ": the channel is always quiet: it never sends";
  if (reason === "delay" && rules !== null)
    return `: the channel waits ${lengthOf(rules.delay)} before its first message`;
  const parent = rules?.waits?.parent ?? null;
  if (reason === "parent" && parent !== null)
    return `: ${parent.name}, which it depends on, is ${parent.until === null ? "down" : "up again"}`;
  // Nothing that waits is looked at while the channel rests.
  if (reason === "") return `: ${(rules?.lane?.failures ?? 0) === 0 ? notLooked : resting}`;
  const words = holdSentence(reason);
  return words === null ? "" : `: ${words}`;
}

/** Why it waits, without what its channel says of that; null of a word that is not a reason. */
export function holdSentence(reason: string): string | null {
  const words: Readonly<Record<string, string>> = holdWords;
  return words[reason] ?? null;
}

const notLooked = "the service sends it within seconds";
const resting = "the last message failed, so the channel is tried again";

const dropSentences: Readonly<Record<string, string>> = dropReasons;

const holdWords: { readonly [R in HoldReason]: string } = {
  first_wait: `more may follow within ${lengthOf(alertsLimits.alertWait)}`,
  delay: "the channel's delay has not passed",
  quiet_hours: "the channel has quiet hours",
  silence: "it is silenced",
  parent: "what it depends on is down",
  pause: "monitoring is paused",
  group: `it joins others with the same cause, within ${lengthOf(alertsLimits.groupWait)}`,
  digest: `it joins others in one message, within ${lengthOf(alertsLimits.digestSpan)}`,
  order: "an earlier message comes first",
  retry: "it is tried again",
  replay: "the location still sends what it kept",
  away_again: "the location's agent has stopped again",
  pace: "the provider takes no more at once",
};
