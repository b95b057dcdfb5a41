import { coloured } from "#cli/edge/coloured";
import { exitCodes } from "#cli/edge/exit-code";
import { type FlappingMonitors, flappingWords } from "#cli/management/flapping-monitors";
import { shownAge, shownInstant } from "#cli/management/instant";
import type { LocationEntry, MonitorEntry } from "#cli/management/inventory";
import { type Trouble, troubled, troubleOf } from "#cli/management/monitor-troubles";
import { statusMarks } from "#cli/management/status-marks";
import type { ViewTools, StatusView } from "#cli/management/status-view";
import { cell, column, textTable } from "#cli/management/text-table";
import type { MonitorStatus } from "#check/monitor-status";
import * as limits from "#limits/cli-limits";
import { counted } from "#base/text";

/** Everything: how many monitors stand how, what is wrong with the worst of them, and locations that are silent. */
export async function overviewOf(seeing: ViewTools): Promise<StatusView> {
  const { management, inventory, terminal, clock, signal } = seeing;
  const { monitors, locations, flapping } = inventory;
  const wrong = troubled(monitors, flapping);
  const shown = wrong.slice(0, limits.statusDetailsMax);
  const troubles = await Promise.all(
    shown.map((one) => troubleOf(one, locations, management, signal)),
  );
  const silent = locations.filter(({ status }) => status !== "active");
  const now = clock.wall();
  const hidden = wrong.length - shown.length;
  return {
    lines: [
      headline(monitors, locations, terminal.colour),
      ...(troubles.length === 0 ? [] : ["", ...troubleTable(troubles, now, seeing)]),
      ...(hidden === 0 ? [] : [`… and ${hidden} more: picket monitors lists them all`]),
      ...(silent.length === 0 ? [] : ["", ...silentTable(silent, now, seeing)]),
    ],
    json: [
      { kind: "summary", ...countsOf(monitors), locations: locations.length },
      ...troubles.map((one) => troubleJson(one, flapping)),
      ...silent.map(locationJson),
    ],
    code: codeOf(wrong),
  };
}

export function codeOf(wrong: readonly Pick<MonitorEntry, "status">[]): number {
  if (wrong.some(({ status }) => status === "error")) return exitCodes.failed;
  return wrong.some(({ status }) => status !== "active") ? exitCodes.degraded : exitCodes.fine;
}

type Counts = Readonly<Record<MonitorStatus | "inactive", number>>;

function countsOf(monitors: readonly MonitorEntry[]): Counts {
  const of = (wanted: MonitorStatus): number =>
    monitors.filter(({ active, status }) => active && status === wanted).length;
  return {
    error: of("error"),
    degraded: of("degraded"),
    unknown: of("unknown"),
    active: of("active"),
    inactive: monitors.filter(({ active }) => !active).length,
  };
}

/** `14 monitors: 2 error, 1 degraded, 11 active. 3 locations: 2 active, 1 silent.` */
function headline(
  monitors: readonly MonitorEntry[],
  locations: readonly LocationEntry[],
  inColour: boolean,
): string {
  const counts = countsOf(monitors);
  const parts = (["error", "degraded", "unknown", "active", "inactive"] as const).flatMap((one) =>
    counts[one] === 0 ? [] : [coloured(`${counts[one]} ${one}`, statusMarks[one].colour, inColour)],
  );
  const heard = locations.filter(({ status }) => status === "active").length;
  const all = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  const places =
    locations.length === 0
      ? "There is no private location: picket apply --location NAME makes one."
      : `${counted(locations.length, "location")}: ${heard} active, ${locations.length - heard} silent.`;
  return `${counted(monitors.length, "monitor")}${all}. ${places}`;
}

const troubleTable = (
  troubles: readonly Trouble[],
  now: number,
  { terminal, inventory: { flapping } }: ViewTools,
): readonly string[] =>
  textTable(
    [
      column(""),
      column("MONITOR", { gives: true }),
      column("STATUS"),
      column("FOR", { align: "right" }),
      column("WHERE", { gives: true }),
      column("WHY", { gives: true }),
    ],
    troubles.map(({ monitor, since, where, why }) => {
      const { mark, colour } = statusMarks[monitor.status];
      return [
        cell(mark, colour),
        cell(monitor.name),
        cell(monitor.status, colour),
        cell(shownAge(since, now)),
        cell(where.join(", ") || "–"),
        cell([flappingWords(monitor.id, flapping), why].filter((word) => word !== "").join(": ")),
      ];
    }),
    terminal,
  );

const silentTable = (
  silent: readonly LocationEntry[],
  now: number,
  { terminal }: ViewTools,
): readonly string[] =>
  textTable(
    [
      column(""),
      column("LOCATION", { gives: true }),
      column("LAST SEEN (UTC)"),
      column("AGO", { align: "right" }),
      column("WHY", { gives: true }),
    ],
    silent.map(({ name, lastSeenAt, why }) => [
      cell("✗", "red"),
      cell(name),
      cell(shownInstant(lastSeenAt)),
      cell(shownAge(lastSeenAt, now)),
      cell(why || "no agent has ever reported"),
    ]),
    terminal,
  );

const troubleJson = (
  { monitor, since, where, why }: Trouble,
  flapping: FlappingMonitors,
): object => ({
  kind: "monitor",
  id: monitor.id,
  name: monitor.name,
  status: monitor.status,
  flapping: flapping.has(monitor.id),
  since: since || null,
  locations: where,
  message: why,
});

export const locationJson = ({ id, name, status, lastSeenAt, why }: LocationEntry): object => ({
  kind: "location",
  id,
  name,
  status,
  last_seen_at: lastSeenAt || null,
  message: why,
});
