import { latencyWords, limitWords } from "#web/page/format";
import { lasting, shownLength } from "#base/duration";
import type { MonitorNotice, NoticeOf } from "#service/notify/event";
import type { Cause, MonitorFacts, ResultFacts, Sight } from "#service/notify/event-facts";
import type { Fact } from "#service/notify/message/message";
import { fact, firstOf, timesWords } from "#service/notify/message/parts";
import { plainText } from "#service/notify/message/plain";
import { instant, stretch } from "#service/notify/message/times";
import * as limits from "#limits/alerts-limits";
import { counted } from "#base/text";
import type { EpochMillis, Millis } from "#base/units";

/** What is known about a monitor's incident, one fact a line, in the order of what matters at night. */
export function monitorFacts(notice: MonitorNotice, timeZone: string): readonly Fact[] {
  const { incident, monitor, locations, result, lastGoodAt, cause } = notice;
  if (notice.certificate !== null)
    return certificateFacts(notice, notice.certificate.end, timeZone);
  const lastGood = lastGoodAt === null ? null : instant(lastGoodAt, timeZone);
  return [
    ...duration(notice, timeZone),
    ...occasion(notice),
    ...seenBy(notice, locations),
    ...(result === null || isOver(notice) ? [] : resultFacts(result)),
    ...fact("Last good check", isOver(notice) ? null : lastGood),
    ...(cause === null || isOver(notice) ? [] : sameFailure(cause)),
    ...fact("Target", plainText(monitor.shownTarget ?? monitor.target)),
    ...fact("Labels", labels(monitor)),
    ...fact("Incident", `${incident.number}${incident.acknowledged ? ", acknowledged" : ""}`),
    ...fact("Repeated", repeated(notice)),
  ];
}

/** When it ends, to the minute, and whose it is. */
const certificateFacts = (
  { incident, monitor }: MonitorNotice,
  end: EpochMillis,
  timeZone: string,
): readonly Fact[] => [
  ...fact("Certificate ends", instant(end, timeZone)),
  ...fact("Target", plainText(monitor.shownTarget ?? monitor.target)),
  ...fact("Labels", labels(monitor)),
  ...fact("Incident", `${incident.number}${incident.acknowledged ? ", acknowledged" : ""}`),
];

const isOver = (notice: MonitorNotice): boolean =>
  notice.type === "monitor.recovered" ||
  notice.type === "monitor.closed" ||
  (notice.type === "monitor.settled" && notice.status === "active");

function duration(notice: MonitorNotice, timeZone: string): readonly Fact[] {
  const { startedAt, downSince, asOf } = notice.incident;
  switch (notice.type) {
    case "monitor.recovered":
    case "monitor.closed":
      return lastedFacts(notice, timeZone);
    case "monitor.settled":
      return [
        ...(isOver(notice)
          ? fact("Lasted", stretch(startedAt, notice.wellSince ?? asOf, timeZone))
          : [
              ...fact("Since", since(downSince, asOf, timeZone)),
              ...fact("First down", instant(startedAt, timeZone)),
            ]),
        ...fact(`${worstOf(notice)} in all`, lasting(notice.downFor)),
        ...unknownFact(notice.unknown),
      ];
    case "monitor.flapping":
      return [
        ...(notice.status === "active" ? [] : fact("Since", since(downSince, asOf, timeZone))),
        ...fact("Flapping since", instant(startedAt, timeZone)),
        ...fact(
          worstOf(notice),
          `${timesWords(notice.times.down || notice.times.slow)}, ${lasting(notice.downFor)} of ${lasting(shownLength(startedAt, asOf))}`,
        ),
        ...fact(
          "Silent until",
          `${lasting(notice.quietFor)} without a change, or ${lasting(limits.flappingDownFor)} down`,
        ),
      ];
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.reminder":
      return fact("Since", since(downSince, asOf, timeZone));
  }
}

const worstOf = ({ times }: NoticeOf<"monitor.flapping" | "monitor.settled">): string =>
  times.down === 0 ? "Slow" : "Down";

const unknownFact = (unknown: Millis): readonly Fact[] =>
  fact("Not known", unknown === 0 ? null : `${lasting(unknown)}: no location saw it meanwhile`);

/** How long it was in trouble. One that was also well, slow or not seen was down for less than from its beginning to its end. */
function lastedFacts(
  {
    incident: { startedAt },
    endedAt,
    was,
    lasted,
  }: NoticeOf<"monitor.recovered" | "monitor.closed">,
  timeZone: string,
): readonly Fact[] {
  const { inTrouble, slow, unknown, failedChecks, slowChecks } = lasted;
  const name = was === "error" ? "Down" : "Slow";
  const whole = stretch(startedAt, endedAt, timeZone);
  const times =
    inTrouble >= shownLength(startedAt, endedAt)
      ? fact(name, whole)
      : [
          ...fact("Lasted", whole),
          ...fact(name, lasting(inTrouble)),
          ...fact("Slow", slow === 0 ? null : lasting(slow)),
          ...unknownFact(unknown),
        ];
  return [
    ...times,
    // The checks of a monitor that was deleted are gone.
    ...fact("Failed checks", was === "error" && failedChecks > 0 ? String(failedChecks) : null),
    ...fact("Slow checks", slowChecks === 0 ? null : String(slowChecks)),
  ];
}

const since = (startedAt: EpochMillis, until: EpochMillis, timeZone: string): string =>
  `${instant(startedAt, timeZone)} (${lasting(shownLength(startedAt, until))})`;

function occasion(notice: MonitorNotice): readonly Fact[] {
  if (notice.type !== "monitor.error" && notice.type !== "monitor.degraded") return [];
  switch (notice.occasion.why) {
    case "opened":
      return [];
    case "reopened":
      if (wasAsNow(notice.type, notice.occasion.from)) return [];
      return fact(
        "Before",
        notice.occasion.from === "error" ? "it was down, then up" : "it was slow, then fast",
      );
    case "changed":
      return fact("Before", notice.occasion.from === "error" ? "it was down" : "it was slow");
    case "maintenance-ended":
      return fact("Maintenance", `"${plainText(notice.occasion.title)}" has ended`);
    case "parent-recovered":
      return fact("Depends on", `${plainText(notice.occasion.parent.name)}, which is up again`);
  }
}

const wasAsNow = (type: "monitor.error" | "monitor.degraded", was: "degraded" | "error"): boolean =>
  (type === "monitor.error") === (was === "error");

/** `office, lab (2 of 4); attic is silent`. */
function seenBy(notice: MonitorNotice, locations: readonly Sight[]): readonly Fact[] {
  if (locations.length === 0 || isOver(notice)) return [];
  const failing = locations.filter(({ status }) => status === "error" || status === "degraded");
  const silent = locations.filter(({ status }) => status === "unknown");
  const names = (some: readonly Sight[]): string =>
    firstOf(
      some.map(({ name }) => name),
      some.length,
    );
  const seeing = failing.length === 0 ? "no location" : names(failing);
  const silence =
    silent.length === 0 ? "" : `; ${names(silent)} ${silent.length === 1 ? "is" : "are"} silent`;
  return fact("Seen by", `${seeing} (${failing.length} of ${locations.length})${silence}`);
}

const resultFacts = (result: ResultFacts): readonly Fact[] => [
  ...fact("Failure", result.failure && `${result.failure.code} (${result.failure.phase})`),
  ...fact("Status code", result.statusCode === null ? null : String(result.statusCode)),
  ...fact("Latency", latency(result)),
  ...fact("Attempts", result.attempts > 1 ? String(result.attempts) : null),
];

const latency = ({ latency, threshold, failure }: ResultFacts): string | null => {
  if (failure !== null) return null;
  const took = latencyWords(latency);
  return threshold === null ? took : `${took}, degraded above ${limitWords(threshold)}`;
};

function sameFailure({ failing, of, location }: Cause): readonly Fact[] {
  const others = failing - 1;
  if (others < 1) return [];
  const fail = others === 1 ? "fails" : "fail";
  const name = plainText(location.name);
  return fact(
    "Also",
    `${others} more of ${counted(of, "monitor")} at ${name} ${fail} the same way`,
  );
}

const labels = ({ labels }: MonitorFacts): string =>
  Object.entries(labels)
    .map(([name, value]) => `${plainText(name)}=${plainText(value)}`)
    .join(", ");

function repeated(notice: MonitorNotice): string | null {
  if (
    notice.type !== "monitor.error" &&
    notice.type !== "monitor.degraded" &&
    notice.type !== "monitor.reminder"
  )
    return null;
  return notice.remindsAfter === null
    ? null
    : `every ${lasting(notice.remindsAfter)}, until it is acknowledged`;
}
