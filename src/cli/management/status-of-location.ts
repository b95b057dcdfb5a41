import { coloured } from "#cli/edge/coloured";
import { exitCodes } from "#cli/edge/exit-code";
import {
  conditionJson,
  conditionLines,
  isImpaired,
  remarkLines,
} from "#cli/management/agent-conditions";
import { shownAge, shownInstant } from "#cli/management/instant";
import type { LocationEntry } from "#cli/management/inventory";
import { summarizeLocation } from "#cli/management/management";
import { statusMarks } from "#cli/management/status-marks";
import { codeOf, locationJson } from "#cli/management/status-overview";
import type { ViewTools, StatusView } from "#cli/management/status-view";
import { cell, column, textTable } from "#cli/management/text-table";
import type { MonitorSummary } from "#contract/openstatus/monitor/v1/monitor_pb";
import type { AgentInstance } from "#contract/openstatus/private_location/v1/private_location_pb";
import type { MonitorStatus } from "#check/monitor-status";
import { counted, showText } from "#base/text";

/** One location: its agents, and what its monitors look like from there. */
export async function statusOfLocation(
  location: LocationEntry,
  seeing: ViewTools,
): Promise<StatusView> {
  const { management, inventory, clock, signal } = seeing;
  const { id } = location;
  const [{ privateLocation }, summary] = await Promise.all([
    management.locations.getPrivateLocation({ id }, { signal }),
    summarizeLocation(management, id, signal),
  ]);
  const agents = privateLocation?.instances ?? [];
  const active = new Set(inventory.monitors.flatMap((one) => (one.active ? [one.id] : [])));
  const seen = summary
    .filter(({ monitorId }) => active.has(monitorId))
    .map((one) => ({ ...one, status: wordOf(one) }));
  const wrong = seen.filter(({ status }) => status !== "active");
  const now = clock.wall();
  const faults = [...conditionLines(agents, now, seeing), ...remarkLines(agents, seeing)];
  const code = isImpaired(agents) && wrong.length === 0 ? exitCodes.degraded : codeOf(wrong);
  return {
    lines: [
      titleOf(location, now, seeing),
      ...(agents.length === 0 ? [] : ["", ...agentTable(agents, now, seeing)]),
      ...(faults.length === 0 ? [] : ["", ...faults]),
      "",
      `${counted(seen.length, "active monitor")}, ${wrong.length} of them not passing as seen from here.`,
      ...(wrong.length === 0 ? [] : monitorTable(wrong, seeing)),
    ],
    json: [
      {
        ...locationJson(location),
        agents: agents.map(agentJson),
        monitors: seen.map(({ monitorId, name, status }) => ({ id: monitorId, name, status })),
      },
    ],
    code: location.status === "active" ? code : exitCodes.failed,
  };
}

/** The word of its newest result there; a service may send another one. */
const wordOf = ({ lastSeenStatus }: MonitorSummary): MonitorStatus =>
  (["active", "degraded", "error"] as const).find((one) => one === lastSeenStatus) ?? "unknown";

function titleOf(location: LocationEntry, now: number, { terminal }: ViewTools): string {
  const { mark, colour } = statusMarks[location.status];
  const status = coloured(`${mark} ${location.status}`, colour, terminal.colour);
  const seen =
    location.lastSeenAt === ""
      ? "no agent has ever reported"
      : `last seen ${shownAge(location.lastSeenAt, now)} ago`;
  const why = location.why === "" ? "" : `: ${showText(location.why)}`;
  return `${status}  ${showText(location.name)}  ${seen}${why}`;
}

const agentTable = (
  agents: readonly AgentInstance[],
  now: number,
  { terminal }: ViewTools,
): readonly string[] =>
  textTable(
    [
      column(""),
      column("AGENT", { gives: true }),
      column("HOST", { gives: true }),
      column("VERSION"),
      column("LAST SEEN (UTC)"),
      column("AGO", { align: "right" }),
      column("MONITORS", { align: "right" }),
      column("WAITING", { align: "right" }),
      column("MISSED", { align: "right" }),
    ],
    agents.map((agent) => [
      cell(agent.live ? "✓" : "✗", agent.live ? "green" : "red"),
      cell(agent.id),
      cell(agent.hostname),
      cell(agent.version),
      cell(shownInstant(agent.lastSeenAt)),
      cell(shownAge(agent.lastSeenAt, now)),
      cell(String(agent.monitorCount)),
      cell(String(agent.resultsWaiting)),
      cell(String(agent.missedSlots)),
    ]),
    terminal,
  );

interface SeenMonitor {
  readonly name: string;
  readonly status: MonitorStatus;
}

const monitorTable = (
  monitors: readonly SeenMonitor[],
  { terminal }: ViewTools,
): readonly string[] =>
  textTable(
    [column(""), column("MONITOR", { gives: true }), column("LAST RESULT")],
    monitors.map(({ name, status }) => {
      const { mark, colour } = statusMarks[status];
      return [cell(mark, colour), cell(name), cell(status, colour)];
    }),
    terminal,
  );

const agentJson = (agent: AgentInstance): object => ({
  id: agent.id,
  hostname: agent.hostname,
  version: agent.version,
  live: agent.live,
  last_seen_at: agent.lastSeenAt || null,
  monitors: Number(agent.monitorCount),
  results_waiting: Number(agent.resultsWaiting),
  results_dropped: Number(agent.resultsGivenUp),
  results_rejected: Number(agent.resultsRejected),
  slots_missed: Number(agent.missedSlots),
  conditions: agent.conditions.map(conditionJson),
  warnings: agent.warnings.map(conditionJson),
  remarks: agent.remarks,
});
