import type { LocationEntry } from "#cli/management/inventory";
import { cell, column, textTable } from "#cli/management/text-table";
import { statusMarks } from "#cli/management/status-marks";
import type { Terminal } from "#cli/edge/terminal";
import type { MonitorResult } from "#contract/openstatus/monitor/v1/monitor_pb";
import { type PhaseName, phaseNames } from "#check/outcome";
import { shownInstant } from "#cli/management/instant";

export type ListedResult = MonitorResult;

/** Results for a person, as they come: when, where, what, and where the time went. */
export function resultTable(
  results: readonly ListedResult[],
  locations: readonly LocationEntry[],
  terminal: Terminal,
): readonly string[] {
  const happened = phaseNames.filter((phase) =>
    results.some((one) => microsOf(one, phase) !== null),
  );
  return textTable(
    [
      column("STARTED (UTC)"),
      column("LOCATION", { gives: true }),
      column(""),
      column("STATUS"),
      column("ms", { align: "right" }),
      ...happened.map((phase) => column(phase, { align: "right" })),
      column("MESSAGE", { gives: true }),
    ],
    results.map((one) => {
      const { mark, colour } = statusMarks[one.status === "success" ? "active" : statusOf(one)];
      return [
        cell(shownInstant(one.startedAt)),
        cell(locationName(one, locations)),
        cell(mark, colour),
        cell(one.status, colour),
        cell(String(one.latency)),
        ...happened.map((phase) => cell(millisText(microsOf(one, phase)))),
        cell(one.message || one.failureCode),
      ];
    }),
    terminal,
  );
}

const statusOf = ({ status }: ListedResult): "error" | "degraded" | "unknown" =>
  status === "error" || status === "degraded" ? status : "unknown";

/** The field of each phase on the wire, in microseconds. */
export const microsOf = ({ phases }: ListedResult, phase: PhaseName): number | null => {
  const micros = phases?.[`${phase}Us`];
  return micros === undefined ? null : Number(micros);
};

const millisText = (micros: number | null): string =>
  micros === null ? "" : (micros / 1e3).toFixed(1);

export const locationName = (
  { privateLocationId }: ListedResult,
  locations: readonly LocationEntry[],
): string => locations.find(({ id }) => id === privateLocationId)?.name ?? privateLocationId;

/** One result for a program; each duration has its unit in its name. */
export const resultJson = (one: ListedResult, locations: readonly LocationEntry[]): object => ({
  id: one.id,
  location: locationName(one, locations),
  location_id: one.privateLocationId,
  status: one.status,
  message: one.message,
  failure_code: one.failureCode || null,
  failure_phase: one.failurePhase || null,
  latency_ms: Number(one.latency),
  status_code: one.statusCode || null,
  phases_us: Object.fromEntries(phaseNames.map((phase) => [phase, microsOf(one, phase)])),
  own_us: one.ownUs === undefined ? null : Number(one.ownUs),
  attempts: one.attempts || null,
  slot: one.slot,
  started_at: one.startedAt,
  stored_at: one.storedAt,
});
