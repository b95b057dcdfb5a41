import { latencyWords, limitWords } from "#web/page/format";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { endDay, endingWords } from "#check/certificate-ending";
import type { FailingOccasion, MonitorNotice } from "#service/notify/event";
import type { Message, Tone } from "#service/notify/message/message";
import { monitorFacts } from "#service/notify/message/monitor-facts";
import { briefly, lateness, linksOf, oftenWords, spoken } from "#service/notify/message/parts";
import { plainLines, plainText } from "#service/notify/message/plain";
import { shortInstant } from "#service/notify/message/times";
import * as limits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import { capital } from "#base/text";
import type { EpochMillis } from "#base/units";

/** What is said about a monitor. */
export function monitorMessage(notice: MonitorNotice, timeZone: string): Message {
  const { tone, state } = stateOf(notice);
  const { monitor, incident } = notice;
  const over = notice.type === "monitor.recovered" || notice.type === "monitor.closed";
  return {
    ...spoken(tone, state, monitor.name),
    reason: plainText(reasonOf(notice, timeZone), limits.notifiedReasonCharsMax),
    facts: [...monitorFacts(notice, timeZone), ...lateness(notice, timeZone)],
    note: over ? "" : plainLines(monitor.description, checkLimits.descriptionCharsMax),
    links: linksOf(["Open the monitor", monitor.url], ["Open the incident", incident.url]),
    acknowledgeUrl: over || incident.acknowledged ? null : incident.acknowledgeUrl,
    brief: briefly(
      state,
      monitor.name,
      shortInstant(over ? notice.endedAt : nowSince(notice), timeZone),
    ),
  };
}

/** Since when it is as the title says. */
function nowSince({ incident, ...notice }: MonitorNotice): EpochMillis {
  if (notice.type === "monitor.settled") return notice.wellSince ?? incident.downSince;
  return notice.type === "monitor.flapping" && notice.status === "active"
    ? incident.startedAt
    : incident.downSince;
}

interface StateWords {
  readonly tone: Tone;
  readonly state: string;
}

/** Of the end of a certificate: no check failed, and nothing was slow. */
function certificateState(notice: MonitorNotice): StateWords {
  switch (notice.type) {
    case "monitor.recovered":
      return { tone: "up", state: "Certificate renewed" };
    case "monitor.closed":
      return { tone: "quiet", state: "No longer watched" };
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.reminder":
    case "monitor.flapping":
    case "monitor.settled":
      return { tone: "slow", state: "Certificate ends" };
  }
}

function certificateReason(notice: MonitorNotice, end: EpochMillis): string {
  switch (notice.type) {
    case "monitor.recovered":
      return `The new certificate ends on ${endDay(end)}.`;
    case "monitor.closed":
      return "The end of its certificate is no longer watched. This is not a renewal.";
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.reminder":
    case "monitor.flapping":
    case "monitor.settled":
      return `${capital(endingWords({ end }, notice.at))}.`;
  }
}

function stateOf(notice: MonitorNotice): StateWords {
  if (notice.certificate !== null) return certificateState(notice);
  switch (notice.type) {
    case "monitor.error":
      return { tone: "down", state: failingState("Down", "Still down", notice.occasion, "error") };
    case "monitor.degraded":
      return {
        tone: "slow",
        state: failingState("Slow", "Still slow", notice.occasion, "degraded"),
      };
    case "monitor.recovered":
      return { tone: "up", state: recoveredState(notice.was, notice.announced) };
    case "monitor.closed":
      return { tone: "quiet", state: "No longer watched" };
    case "monitor.reminder":
      return { tone: "quiet", state: notice.status === "error" ? "Still down" : "Still slow" };
    case "monitor.flapping":
      return flappingStates[notice.status];
    case "monitor.settled":
      return settledStates[notice.status];
  }
}

/** How it is now comes first: whoever is woken by it has to know. */
const flappingStates: { readonly [S in "active" | "degraded" | "error"]: StateWords } = {
  active: { tone: "slow", state: "Up, flapping" },
  degraded: { tone: "slow", state: "Slow, flapping" },
  error: { tone: "down", state: "Down, flapping" },
};

const settledStates: { readonly [S in "active" | "degraded" | "error"]: StateWords } = {
  active: { tone: "up", state: "Up and steady" },
  degraded: { tone: "slow", state: "Still slow" },
  error: { tone: "down", state: "Still down" },
};

function failingState(
  fresh: string,
  still: string,
  occasion: FailingOccasion,
  status: "degraded" | "error",
): string {
  switch (occasion.why) {
    case "opened":
    case "changed":
      return fresh;
    case "reopened":
      return occasion.from === status ? `${fresh} again` : fresh;
    case "maintenance-ended":
    case "parent-recovered":
      return still;
  }
}

function recoveredState(was: "degraded" | "error", announced: boolean): string {
  if (was === "error") return announced ? "Up again" : "Was down";
  return announced ? "Fast again" : "Was slow";
}

function reasonOf(notice: MonitorNotice, timeZone: string): string {
  if (notice.certificate !== null) return certificateReason(notice, notice.certificate.end);
  switch (notice.type) {
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.reminder":
      return seenReason(notice);
    case "monitor.recovered":
      return notice.announced ? "" : seenReason(notice);
    case "monitor.closed":
      return `The monitor was ${notice.because === "deleted" ? "deleted" : "paused"} while it was failing. This is not a recovery.`;
    case "monitor.flapping":
      return withReason(
        notice,
        `It was ${oftenWords(notice.times)}: no more messages follow until it has been steady.`,
      );
    case "monitor.settled":
      return withReason(notice, settledWords(notice, timeZone));
  }
}

/** After the sentence of the check, if that is not good. */
function withReason(notice: MonitorNotice & WithStatus, words: string): string {
  const seen = notice.status === "active" ? "" : seenReason(notice);
  return seen === "" ? words : `${seen.replace(/(?<=[^.])$/, ".")} ${words}`;
}

type WithStatus = Pick<Extract<MonitorNotice, { type: "monitor.settled" }>, "status">;

/** What flapped and then stayed as it is: what is down has no end in sight, so it is not called steady. */
function settledWords(
  { status, times, unknown, incident }: Extract<MonitorNotice, { type: "monitor.settled" }>,
  timeZone: string,
): string {
  if (status === "active") return `It was ${oftenWords(times)}, and is steady now.`;
  const how = status === "error" ? "down" : "slow";
  const since = shortInstant(incident.downSince, timeZone);
  const lasting = unknown === 0 ? " without a break" : "";
  return `It was ${oftenWords(times)}. Since ${since} it is ${how}${lasting}.`;
}

/** The sentence of the check; a slow check has none. */
function seenReason({ result }: MonitorNotice): string {
  if (result === null) return "";
  if (result.failure !== null) return failureSentence(result.failure.message);
  // A threshold that was set after the check says nothing of it.
  return result.threshold === null || result.latency <= result.threshold
    ? ""
    : `The check took ${latencyWords(result.latency)}, more than ${limitWords(result.threshold)}.`;
}
