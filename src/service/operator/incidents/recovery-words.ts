import { capital, counted } from "#base/text";
import type { Recovery } from "#service/alerting/recovery";
import type { Flapping, Incident } from "#service/alerting/incident";
import { incidentMark, incidentStateWords } from "#service/alerts/incident-words";
import { pictureStates } from "#service/operator/overview-query";
import { statusMark, statusWords } from "#service/operator/status-mark";
import { listedState, type PicturedMonitor } from "#service/operator/picture";
import { grouped, lastingLength, lengthOf } from "#web/page/format";
import type { Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { between, type EpochMillis, type Millis } from "#base/units";
import * as limits from "#limits/pages-limits";

/** What an incident waits for, e.g. `Recovering: closes after 1 more passing check at Office (1 of 2 passed)`. */
export function recoveryWords(recovery: Recovery<string>): string {
  return recovery.enough === 0
    ? "Recovering: enough checks have passed, and it closes within seconds"
    : `Recovering: closes after ${checksLeft(recovery)}`;
}

function checksLeft({ short, enough, wanted }: Recovery<string>): string {
  const alike = [...Map.groupBy(short, ({ passed }) => passed)].toSorted(([a], [b]) => b - a);
  const parts = alike.map(
    ([passed, places]) =>
      `${counted(wanted - passed, "more passing check")} at ${namesOf(places)} (${passed} of ${wanted} passed)`,
  );
  return enough === short.length
    ? parts.join(" and ")
    : `enough passing checks at ${enough} of ${short.length} locations: ${parts.join(", ")}`;
}

function namesOf(places: Recovery<string>["short"]): string {
  const names = places.map(({ location }) => location).toSorted();
  const rest = names.length - limits.namesShown;
  const shown = names.slice(0, limits.namesShown);
  return rest > 0 ? `${shown.join(", ")} and ${counted(rest, "other location")}` : shown.join(", ");
}

type Standing = Pick<PicturedMonitor, "status" | "incident" | "recovery">;

/** What an open incident of a monitor waits for, as a sentence without its dot; null if there is nothing to say. */
export function waitingWords(monitor: Standing, at: EpochMillis): string | null {
  const { incident, recovery, status } = monitor;
  const flapping = incident?.flapping ?? null;
  if (flapping === null) return recovery === null ? null : recoveryWords(recovery);
  const known = `${oftenDown(incident, at)}messages pause until it is steady`;
  return status === "unknown"
    ? `Flapping: ${known}`
    : `Flapping: ${known}. ${capital(flappingWords(flapping, monitor))}`;
}

/** `down 5 times in 8 min, and `: the same whether it is up or down just now. */
function oftenDown(incident: PicturedMonitor["incident"], at: EpochMillis): string {
  const flaps = incident?.flaps;
  if (flaps === undefined) return "";
  return `down ${counted(flaps.times, "time")} in ${lengthOf(between(flaps.began, at))}, and `;
}

/**
 * How what goes up and down is now. One check turns neither side: what the newest check saw, and what that is not enough
 * for yet, are both said.
 */
export function flappingWords(
  flapping: "up" | "down",
  monitor: Pick<PicturedMonitor, "status" | "recovery"> | null,
): string {
  const status = monitor?.status ?? null;
  if (flapping === "up")
    return status === "error" || status === "degraded"
      ? `its newest checks ${status === "error" ? "failed" : "were slow"}, and it is down if that continues`
      : "it is up now";
  if (status !== "active") return "it is down now";
  const recovery = monitor?.recovery ?? null;
  if (recovery === null) return "it passes now, but not yet at enough locations";
  return recovery.enough === 0
    ? "it passes now, and is up within seconds"
    : `it passes now, and is up after ${checksLeft(recovery)}`;
}

/** An open incident that is up now, and waits for more checks or to be steady: it is shown as neither failing nor over. */
export const isUpAgain = (incident: Incident, monitor: PicturedMonitor | null): boolean =>
  isPassingAgain(incident, monitor) || (isFlapping(incident) && passesNow(incident, monitor));

/** What goes up and down is shown by its newest checks; without them, by what they turned last. */
const passesNow = (
  { flapping }: { readonly flapping: Flapping },
  monitor: PicturedMonitor | null,
): boolean => (monitor === null ? !flapping.isDown : monitor.status === "active");

const isPassingAgain = ({ ended, flapping }: Incident, monitor: PicturedMonitor | null): boolean =>
  ended === null &&
  flapping === null &&
  monitor !== null &&
  monitor.recovery !== null &&
  monitor.status === "active";

/** Not while no location can say how it is. */
const isFlapping = (incident: Incident): incident is Incident & { flapping: Flapping } =>
  incident.ended === null && incident.flapping !== null && incident.noDataSince === null;

/** What an incident is now: it fails, recovers, flaps, or is over. That of a monitor that was just paused ends within seconds. */
export function incidentNowMark(incident: Incident, monitor: PicturedMonitor | null): Html {
  if (incident.ended === null && monitor?.status === "inactive") return statusMark("inactive");
  if (isPassingAgain(incident, monitor)) return recoveringMark;
  if (!isFlapping(incident)) return incidentMark(incident);
  return passesNow(incident, monitor) ? flappingMark : verdictMark(incident.severity, "Flapping");
}

/** The same without its shape, e.g. for the browser's tab. */
export function incidentNowWords(incident: Incident, monitor: PicturedMonitor | null): string {
  if (incident.ended === null && monitor?.status === "inactive") return statusWords.inactive;
  if (isPassingAgain(incident, monitor)) return "Recovering";
  return isFlapping(incident) ? "Flapping" : incidentStateWords(incident);
}

/**
 * The same of a monitor that flaps, or passes while its incident is open; null of any other, e.g. as one location sees it
 * that never saw it fail.
 */
export function waitingMark({ status, incident, recovery }: PicturedMonitor): Html | null {
  if ((incident?.flapping ?? null) !== null) return flappingMarks.get(status) ?? null;
  return status !== "active" || recovery === null ? null : recoveringMark;
}

/** Whether it passes, and its incident waits for more checks. */
export const isRecovering = (monitor: PicturedMonitor): boolean =>
  waitingMark(monitor) === recoveringMark;

/** What its mark says, for example in the browser's tab. */
export const monitorStateWords = (monitor: PicturedMonitor): string =>
  isRecovering(monitor) ? "Recovering" : statusWords[listedState(monitor)];

/** The mark of several that fail for one cause: the most urgent of them, or that they are up again. */
export function causeMark(monitors: readonly PicturedMonitor[]): Html {
  const [worst = "unknown"] = monitors
    .map(({ status }) => status)
    .toSorted((a, b) => pictureStates.indexOf(a) - pictureStates.indexOf(b));
  const like = monitors.filter(({ status }) => status === worst).map(waitingMark);
  if (worst !== "active")
    return like.every((one) => one === flappingMarks.get(worst))
      ? (like[0] ?? statusMark(worst))
      : statusMark(worst);
  const up = like.filter((one) => one !== null);
  return up.find((one) => one === flappingMark) ?? up[0] ?? statusMark(worst);
}

/** Of several that all recover: for how long they were down, and all pass. */
interface GroupRecovery {
  readonly down: Millis;
  readonly passing: Millis;
}

/** `Was down for 11 min; all pass now for 30 s.`: of several that all recover, else empty. */
export function recoveredWords(monitors: readonly PicturedMonitor[], at: EpochMillis): string {
  const recovered = recoveredOf(monitors, at);
  return recovered === null
    ? ""
    : `Was down for ${lengthOf(recovered.down)}; all pass now for ${lastingLength(recovered.passing)}.`;
}

/** Null if one fails, has no data, or flaps, and if it is not known since when. */
export function recoveredOf(
  monitors: readonly PicturedMonitor[],
  at: EpochMillis,
): GroupRecovery | null {
  const isUp = monitors.every(isRecovering);
  const began = monitors.flatMap(({ incident }) => incident?.since ?? []);
  const passing = monitors.flatMap(({ since }) => since ?? []);
  if (!isUp || began.length === 0 || passing.length < monitors.length) return null;
  const [first, last] = [
    began.reduce((a, b) => (a < b ? a : b)),
    passing.reduce((a, b) => (a > b ? a : b)),
  ];
  return last < first ? null : { down: between(first, last), passing: between(last, at) };
}

/** How many of them flap, pass now, or have no data: `2 of 5 pass now.`; empty if all fail. */
export function passingWords(monitors: readonly PicturedMonitor[]): string {
  const countOf = (status: PicturedMonitor["status"]): number =>
    monitors.filter((one) => one.status === status).length;
  const [passing, silent] = [countOf("active"), countOf("unknown")];
  const flapping = monitors.filter(({ incident }) => (incident?.flapping ?? null) !== null).length;
  const pause =
    flapping === 1
      ? "flaps, and its messages pause until it is steady."
      : "flap, and their messages pause until they are steady.";
  const of = (count: number): string =>
    count === monitors.length ? "All" : `${grouped(count)} of ${grouped(monitors.length)}`;
  return [
    ...(flapping === 0 ? [] : [`${of(flapping)} ${pause}`]),
    ...(passing === 0 ? [] : [`${of(passing)} ${passing === 1 ? "passes" : "pass"} now.`]),
    ...(silent === 0 ? [] : [`${of(silent)} ${silent === 1 ? "has" : "have"} no data now.`]),
  ].join(" ");
}

const flappingMark: Html = verdictMark("degraded", "Flapping");
/** It is called the same whether it is down or up just now; a monitor without data, or that is paused, is called that. */
const flappingMarks: ReadonlyMap<PicturedMonitor["status"], Html> = new Map([
  ["error", verdictMark("error", "Flapping")],
  ["degraded", flappingMark],
  ["active", flappingMark],
]);
const recoveringMark: Html = verdictMark("degraded", "Recovering");
