import type { MonitorStatus } from "#check/monitor-status";
import { freshUntil, type Rhythm, type View } from "#service/monitors/view";
import type { EpochMillis } from "#base/units";

/** What the service says of a monitor. */
export interface MonitorState {
  readonly status: MonitorStatus;
  readonly since: EpochMillis;
}

/** With what a pause has interrupted; absent of a monitor that was not paused. */
export interface JudgedState extends MonitorState {
  readonly beforePause?: MonitorState;
}

/** A view, and whether its location can say anything just now: one that is `error` is silent. */
export interface HeardView extends View {
  readonly heard: boolean;
}

export interface Policy extends Rhythm {
  readonly active: boolean;
}

interface StatusChange {
  readonly kind: "status_changed";
  readonly from: MonitorStatus;
  readonly to: MonitorStatus;
  readonly since: EpochMillis;
}

export interface Judgement {
  readonly state: JudgedState;
  readonly events: readonly StatusChange[];
  /** When a view stops counting, so that the monitor has to be judged again; null if none counts. */
  readonly againAt: EpochMillis | null;
}

/**
 * Decides what a monitor's status is. Only fresh views of locations that report count, so a monitor that nothing
 * checks any more is unknown, never green.
 */
export function judge(
  state: JudgedState,
  views: readonly HeardView[],
  policy: Policy,
  now: EpochMillis,
): Judgement {
  const fresh = policy.active ? views.filter((view) => counts(view, policy, now)) : [];
  const status = statusOf(fresh);
  const ends = fresh.map((view) => freshUntil(view, policy));
  const againAt = ends.reduce<EpochMillis | null>(earlier, null);
  if (status === state.status) return { state, events: [], againAt };
  const known = policy.active ? views : [];
  const since =
    heldThroughPause(state, status, policy, now) ??
    within(state.since, sinceOf(state, status, known, fresh) ?? now, now);
  const change: StatusChange = { kind: "status_changed", from: state.status, to: status, since };
  const said = { status, since };
  const interrupted = { status: state.status, since: state.since };
  const next = policy.active ? said : { ...said, beforePause: interrupted };
  return { state: next, events: [change], againAt };
}

/**
 * Since when a status has held that a short pause interrupted: one that ends before a silence of the same length would
 * have made the monitor unknown changes nothing. Null of any other.
 */
function heldThroughPause(
  { since, beforePause }: JudgedState,
  status: MonitorStatus,
  policy: Policy,
  now: EpochMillis,
): EpochMillis | null {
  if (beforePause?.status !== status) return null;
  return now < freshUntil({ slot: since }, policy) ? beforePause.since : null;
}

/** Whether a view says something of the present. */
export const counts = (view: HeardView, rhythm: Rhythm, now: EpochMillis): boolean =>
  view.heard && now < freshUntil(view, rhythm);

/** Half of the fresh locations, at least one, are a quorum. */
function statusOf(fresh: readonly View[]): MonitorStatus {
  if (fresh.length === 0) return "unknown";
  const errors = fresh.filter(({ status }) => status === "error").length;
  const troubled = fresh.filter(({ status }) => status !== "success").length;
  if (isQuorum(errors, fresh.length)) return "error";
  return isQuorum(troubled, fresh.length) ? "degraded" : "active";
}

export const isQuorum = (count: number, all: number): boolean => count > 0 && 2 * count >= all;

/**
 * A change is dated by the slot of the view that tipped it. What becomes unknown is so since the newest slot that
 * anything was seen of, not since the judge noticed. Null if no slot says it.
 */
function sinceOf(
  before: MonitorState,
  status: MonitorStatus,
  views: readonly View[],
  fresh: readonly View[],
): EpochMillis | null {
  if (status === "unknown") return newestOf(views.map(({ slot }) => slot));
  if (before.status !== "unknown") return newestOf(fresh.map(({ since }) => since));
  // What a view said before the silence is no news of it: then its newest slot is the first that is known again.
  const known = newestOf(fresh.map(({ since, slot }) => (since > before.since ? since : slot)));
  // It was silent since a slot. If it was not, it was paused: what was seen before that counts from now on.
  const wasPaused = views.every(({ slot }) => slot !== before.since);
  return wasPaused && known !== null && known < before.since ? null : known;
}

const newestOf = (instants: readonly EpochMillis[]): EpochMillis | null =>
  instants.reduce<EpochMillis | null>(
    (newest, one) => (newest === null || one > newest ? one : newest),
    null,
  );

/** Neither before the change before it, nor ahead of the clock. */
function within(earliest: EpochMillis, instant: EpochMillis, now: EpochMillis): EpochMillis {
  if (instant > now) return now;
  return instant < earliest ? earliest : instant;
}

const earlier = (a: EpochMillis | null, b: EpochMillis): EpochMillis =>
  a === null || b < a ? b : a;
