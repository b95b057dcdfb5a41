import { withWell, worstOfLast } from "#service/alerting/down-spans";
import type { Flapping, Incident } from "#service/alerting/incident";
import type { Look, Step } from "#service/alerting/incident-step";
import type { Presence } from "#service/alerting/presence";
import * as limits from "#limits/alerts-limits";
import { after, between, epochMillis, type EpochMillis } from "#base/units";

/** It flaps from now on: it opened again, or failed again after passes that were too few for its end. */
export function flappingBy(before: Incident, changedAt: EpochMillis): Step {
  const { openings, passes } = before;
  const changes = 2 * (openings.length + passes.length) - 1;
  const flapping: Flapping = { changes, changedAt, isDown: true };
  const was = worstOfLast(before);
  const well = passes.reduce((spans, { from, to }) => withWell(spans, from, to, was), before.well);
  const incident: Incident = { ...before, flapping, well, passes: [] };
  return { incident, events: ["flapping"], againAt: quietAt(flapping) };
}

/**
 * The same incident with what its checks say now: since when they pass, but too few for its end, or that they failed again
 * after that. Of the passes it keeps those of the last hour.
 */
export function withPass(incident: Incident, presence: Presence, now: EpochMillis): Incident {
  const { passedSince, passes } = incident;
  if (presence.isWell) return incident;
  if (!presence.isTrouble) {
    if (passedSince !== null || presence.wellSince === null) return incident;
    return { ...incident, passedSince: begunAt(presence.wellSince, now) };
  }
  if (passedSince === null) return incident;
  const recent = passes.filter(({ to }) => between(to, now) < limits.flappingSpan);
  const to = epochMillis(Math.max(passedSince, begunAt(presence.troubleSince, now)));
  return { ...incident, passedSince: null, passes: [...recent, { from: passedSince, to }] };
}

/** One look at what flaps: up, down, an outage like any other, or steady. */
export function stepFlapping(
  incident: Incident,
  flapping: Flapping,
  presence: Presence,
  look: Look,
): Step {
  const { now } = look;
  const isDown = flapping.isDown ? !presence.isWell : presence.isTrouble;
  if (isDown !== flapping.isDown) {
    const changedAt = turnedAt(flapping, presence, now);
    const moved: Flapping = { changes: flapping.changes + 1, changedAt, isDown };
    return {
      incident: {
        ...incident,
        flapping: moved,
        passedSince: null,
        well: isDown
          ? withWell(incident.well, flapping.changedAt, changedAt, worstOfLast(incident))
          : incident.well,
      },
      events: [isDown ? "went_down" : "came_up"],
      againAt: quietAt(moved),
    };
  }
  const passed = isDown ? failedAgain(incident, flapping, presence, now) : incident;
  const stands = passed.flapping ?? flapping;
  const againAt = earlier(quietAt(stands), outageAt(stands, presence, look));
  if (now < againAt) return { incident: passed, events: [], againAt };
  if (isDown)
    return { incident: { ...passed, flapping: null }, events: ["settled"], againAt: null };
  const ended = { at: flapping.changedAt, because: "recovered" } as const;
  return { incident: { ...incident, ended }, events: ["settled"], againAt: null };
}

/** A pass too short to be up is a change as well, or what fails every second check would stand still. No event has it. */
function failedAgain(
  incident: Incident,
  flapping: Flapping,
  presence: Presence,
  now: EpochMillis,
): Incident {
  const passed = withPass(incident, presence, now);
  const [pass] = passed.passes;
  if (pass === undefined) return passed;
  const changedAt = epochMillis(Math.max(flapping.changedAt, pass.to));
  const moved: Flapping = { changes: flapping.changes + 2, changedAt, isDown: true };
  const well = withWell(incident.well, pass.from, pass.to, worstOfLast(incident));
  return { ...passed, flapping: moved, well, passes: [] };
}

/**
 * When what flaps has failed without a break for so long that it is an outage, which no pause may hide: by two checks at
 * least. Null while it passes.
 */
function outageAt(
  { changedAt, isDown }: Flapping,
  { isTrouble, troubleSince }: Presence,
  { now, lastKnownAt }: Look,
): EpochMillis | null {
  if (!isDown || !isTrouble || troubleSince === null) return null;
  const since = epochMillis(Math.max(changedAt, troubleSince));
  const at = after(since, limits.flappingDownFor);
  const isConfirmed = lastKnownAt !== null && lastKnownAt > since;
  return now < at || isConfirmed ? at : after(now, limits.flappingLookEvery);
}

/** It turned with the checks that say so, not when enough of them had come, and never before its last turn. */
function turnedAt(
  { isDown: wasDown, changedAt }: Flapping,
  { wellSince, troubleSince }: Presence,
  now: EpochMillis,
): EpochMillis {
  const turned = begunAt(wasDown ? wellSince : troubleSince, now);
  return turned > changedAt ? turned : changedAt;
}

/** When it has stood still for long enough, if nothing changes until then. */
export const quietAt = ({ changedAt }: Pick<Flapping, "changedAt">): EpochMillis =>
  after(changedAt, limits.flappingQuietFor);

/** When what is seen began. */
export const begunAt = (since: EpochMillis | null, now: EpochMillis): EpochMillis =>
  since === null || since > now ? now : since;

export const earlier = (a: EpochMillis, b: EpochMillis | null): EpochMillis =>
  b !== null && b < a ? b : a;
