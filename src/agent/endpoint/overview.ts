import type { Agent } from "#agent/agent";
import type { PlannedCheck } from "#agent/prober/schedule/scheduler";
import type { History, LastCheck, Trace } from "#agent/endpoint/history";
import type { ResultPoint } from "#web/page/sparkline";
import type { Selection } from "#agent/endpoint/selection";
import { type Standing, standings } from "#web/page/verdict-mark";
import { shownTarget } from "#check/shown-target";
import type { KnownPath } from "#check/known-path";
import type { Kind } from "#check/monitor";
import type { EpochMillis, Millis } from "#base/units";

/** The agent as its endpoint sees it: nothing here waits, and nothing changes it. */
export type AgentView = Pick<Agent, "status" | "planned"> & {
  readonly paths: Pick<Agent["paths"], "pathOf">;
};

/** One monitor as it stands. */
export interface MonitorRow {
  readonly id: string;
  /** Null if the service gives none. */
  readonly name: string | null;
  readonly kind: Kind;
  /** Without query and user-info. */
  readonly target: string;
  readonly period: Millis;
  readonly next: EpochMillis;
  /** Above it a check is degraded; null for a monitor without. */
  readonly degradedAt: Millis | null;
  readonly standing: Standing;
  /** Null before the first result. */
  readonly last: LastCheck | null;
  /** Oldest first, the last one included. */
  readonly recent: readonly ResultPoint[];
  /** To its target; null if it is not known. */
  readonly path: KnownPath | null;
}

export interface Overview {
  /** Of all monitors, whatever was selected. */
  readonly counts: Readonly<Record<Standing, number>>;
  /** How many monitors the selection has without its limit. */
  readonly matched: number;
  readonly rows: readonly MonitorRow[];
}

/**
 * The monitors that a reader selected, failing ones first, else in the order in which they were assigned. It passes
 * over all of them once and makes rows only of those that are shown.
 */
export function overviewOf(agent: AgentView, history: History, selection: Selection): Overview {
  const groups: Record<Standing, PlannedCheck[]> = {
    error: [],
    degraded: [],
    unchecked: [],
    success: [],
  };
  const counts = { error: 0, degraded: 0, unchecked: 0, success: 0 };
  for (const planned of agent.planned()) {
    const standing = standingOf(planned, history);
    counts[standing] += 1;
    if (isSelected(planned, standing, selection)) groups[standing].push(planned);
  }
  const selected = standings.flatMap((standing) => groups[standing]);
  const { offset, limit } = selection;
  return {
    counts,
    matched: selected.length,
    rows: selected.slice(offset, offset + limit).map((planned) => rowOf(planned, agent, history)),
  };
}

/** Null for a monitor that is not assigned. */
export function monitorRow(agent: AgentView, history: History, id: string): MonitorRow | null {
  for (const planned of agent.planned())
    if (planned.monitor.id === id) return rowOf(planned, agent, history);
  return null;
}

const standingOf = ({ monitor }: PlannedCheck, history: History): Standing =>
  standingNow(history.of(monitor.id, monitor.uri));

/** What was seen before this start says nothing of now. */
const standingNow = (trace: Trace | null): Standing =>
  trace === null || trace.last === null ? "unchecked" : trace.standing;

function isSelected({ monitor }: PlannedCheck, standing: Standing, selection: Selection): boolean {
  const { status, search } = selection;
  if (status !== null && status !== standing) return false;
  if (search === "") return true;
  const wanted = search.toLowerCase();
  const { id, name } = monitor;
  return [id, name ?? "", shownTarget(monitor)].some((one) => one.toLowerCase().includes(wanted));
}

function rowOf(planned: PlannedCheck, agent: AgentView, history: History): MonitorRow {
  const { monitor, next } = planned;
  const trace = history.of(monitor.id, monitor.uri);
  return {
    id: monitor.id,
    name: monitor.name,
    kind: monitor.kind,
    target: shownTarget(monitor),
    period: monitor.periodicity,
    next,
    degradedAt: monitor.rejection === null ? monitor.degradedAt : null,
    standing: standingNow(trace),
    last: trace?.last ?? null,
    recent: trace?.recent.list() ?? [],
    path: agent.paths.pathOf(monitor.id),
  };
}
