import type { FormFields } from "#check/form-field";
import { latencyWords } from "#web/page/format";
import { tailLatency } from "#service/operator/charts/tail-latency";
import type { PageContext } from "#service/operator/page-request";
import type { MonitorRow } from "#service/store/state-store";

/** `Last 7 days: median 120 ms, p95 300 ms, p99 900 ms.`, as on the monitor's page; empty: nothing has passed yet. */
export async function measuredLatency(
  { rooms, pictures }: PageContext,
  row: MonitorRow | null,
): Promise<string> {
  const { monitors } = await pictures.now();
  const known = monitors.find(({ id }) => id === row?.id);
  if (row === null || known === undefined || known.unread) return "";
  const of = known.usual === null ? "today" : "week";
  const tail = await tailLatency(rooms, row.id, of, rooms.clock.wall());
  if (tail === null) return "";
  const figures = [
    ["median", known.usual ?? tail.p50],
    ["p95", tail.p95],
    ["p99", tail.p99],
  ] as const;
  const words = figures.map(([name, latency]) => `${name}\u00A0${latencyWords(latency)}`);
  return `${of === "week" ? "Last 7\u00A0days" : "Today (UTC)"}: ${words.join(", ")}.`;
}

/** The fields with what was measured next to the threshold: a person chooses one above what is usual. */
export function withMeasured(fields: FormFields, measured: string): FormFields {
  const { degraded_at: slow } = fields;
  return slow === undefined || measured === ""
    ? fields
    : { ...fields, degraded_at: { ...slow, help: `${slow.help} ${measured}` } };
}
