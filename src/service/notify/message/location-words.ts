import { lasting, shownLength } from "#base/duration";
import type { LocationNotice } from "#service/notify/event";
import type { LastingFailure, PastFailure } from "#service/notify/event-facts";
import type { Fact, Line, Message, Tone } from "#service/notify/message/message";
import {
  briefly,
  fact,
  firstOf,
  lateness,
  linksOf,
  spoken,
  unlinked,
} from "#service/notify/message/parts";
import { plainText } from "#service/notify/message/plain";
import { fromTo, instant, nearInstant, shortInstant, stretch } from "#service/notify/message/times";
import * as limits from "#limits/alerts-limits";
import { counted } from "#base/text";
import { between } from "#base/units";

/** What is said about a location and its agents. */
export function locationMessage(notice: LocationNotice, timeZone: string): Message {
  const { tone, state } = stateOf(notice);
  const { location, incident } = notice;
  const ended = "endedAt" in notice;
  return {
    ...spoken(tone, state, location.name),
    reason: plainText(reasonOf(notice), limits.notifiedReasonCharsMax),
    facts: [
      ...factsOf(notice, timeZone),
      ...fact("Incident", String(incident.number)),
      ...lateness(notice, timeZone),
    ],
    lines: notice.type === "location.online" ? downLines(notice, timeZone) : [],
    links: linksOf(["Open the location", location.url], ["Open the incident", incident.url]),
    acknowledgeUrl: ended || incident.acknowledged ? null : incident.acknowledgeUrl,
    brief: briefly(
      state,
      location.name,
      shortInstant(ended ? notice.endedAt : incident.startedAt, timeZone),
    ),
  };
}

function stateOf(notice: LocationNotice): { readonly tone: Tone; readonly state: string } {
  switch (notice.type) {
    case "location.offline":
      return { tone: "down", state: "Location offline" };
    case "location.online":
      return {
        tone: "up",
        state: notice.announced ? "Location back" : "Location was offline",
      };
    case "location.trouble":
      return notice.trouble === "vantage"
        ? { tone: notice.urgency === "warning" ? "slow" : "down", state: "Location impaired" }
        : { tone: "slow", state: "Agent trouble" };
    case "location.well":
      return {
        tone: "up",
        state: notice.trouble === "vantage" ? "Location in order again" : "Agent well again",
      };
    case "location.closed":
      return { tone: "quiet", state: "No longer watched" };
  }
}

function reasonOf(notice: LocationNotice): string {
  switch (notice.type) {
    case "location.offline":
      return notice.stoppedAsAsked
        ? "Its last agent was stopped. Start an agent there, or its monitors stay unknown."
        : "None of its agents reports. Its monitors are unknown until one does.";
    case "location.online":
      return "";
    case "location.trouble":
      return notice.message;
    case "location.well":
      return "";
    case "location.closed":
      return notice.because === "deleted"
        ? "The location was deleted while something was wrong there. This is not a recovery."
        : "The location has no monitors any more. This is not a recovery.";
  }
}

function factsOf(notice: LocationNotice, timeZone: string): readonly Fact[] {
  const { location, incident } = notice;
  const monitors = fact(
    "Monitors",
    location.monitorCount === 0
      ? "none"
      : `${location.monitorCount}: ${firstOf(location.monitorNames, location.monitorCount)}`,
  );
  const since = `${instant(incident.startedAt, timeZone)} (${lasting(between(incident.startedAt, incident.asOf))})`;
  switch (notice.type) {
    case "location.offline":
      return [
        ...fact(
          "Last seen",
          notice.lastHeardAt === null
            ? "never"
            : `${instant(notice.lastHeardAt, timeZone)} (${lasting(between(notice.lastHeardAt, incident.asOf))} ago)`,
        ),
        ...monitors,
      ];
    case "location.online":
      return [
        ...fact("Offline", offlineWords(notice, timeZone)),
        ...fact(
          "Sent since",
          notice.replayed === 0 ? "no kept results" : knownCount(notice.replayed, "kept result"),
        ),
        ...fact("Not checked", knownCount(notice.missed, "slot")),
        ...monitors,
      ];
    case "location.trouble":
      return [...fact("Since", since), ...monitors];
    case "location.well":
    case "location.closed":
      return [
        ...fact("Lasted", stretch(incident.startedAt, notice.endedAt, timeZone)),
        ...monitors,
      ];
  }
}

/** Monitors that are down, the longest first, then those that were: each in one line. */
function downLines(
  { down, wereDown, incident }: Extract<LocationNotice, { type: "location.online" }>,
  timeZone: string,
): readonly Line[] {
  const since = ({ monitor, from }: LastingFailure): string =>
    `${plainText(monitor)} since ${nearInstant(from, incident.asOf, timeZone)}`;
  const lines = [
    ...down.filter(({ isSeen }) => isSeen).map((one) => `Down now: ${since(one)}`),
    ...down
      .filter(({ isSeen }) => !isSeen)
      .map((one) => `Down, not checked again yet: ${since(one)}`),
    ...wereDown.map((one) => `Was down meanwhile: ${pastWords(one, timeZone)}`),
  ];
  const more = lines.slice(limits.digestNamesMax).length;
  return [
    ...lines.slice(0, limits.digestNamesMax),
    ...(more === 0 ? [] : [`And ${counted(more, "more monitor")}`]),
  ].map(unlinked);
}

function pastWords({ monitor, from, to, downFor }: PastFailure, timeZone: string): string {
  const isWhole = downFor >= shownLength(from, to);
  const often = `${fromTo(from, to, timeZone)} (down for ${lasting(downFor)} in all)`;
  return `${plainText(monitor)}, ${isWhole ? stretch(from, to, timeZone) : often}`;
}

/** `16:00:33 to 16:06:01 UTC (offline for 4 min of 5 min 28 s)` of one that was there for a while between. */
function offlineWords(
  {
    incident: { startedAt },
    endedAt,
    offlineFor,
  }: Extract<LocationNotice, { type: "location.online" }>,
  timeZone: string,
): string {
  const whole = shownLength(startedAt, endedAt);
  if (offlineFor >= whole) return stretch(startedAt, endedAt, timeZone);
  const how = `offline for ${lasting(offlineFor)} of ${lasting(whole)}`;
  return `${fromTo(startedAt, endedAt, timeZone)} (${how})`;
}

const knownCount = (count: number | null, noun: string): string =>
  count === null ? "not known: a database server is away" : counted(count, noun);
