import type { View, ViewOptions, ViewedMonitor } from "#cli/up/up-view";
import { openLogOutput } from "#cli/edge/log-output";
import { fitText } from "#cli/edge/shown-text";
import { reasonsOf } from "#check/remark";
import type { Result } from "#check/result";
import { shownLatency } from "#check/shown-latency";
import { showText } from "#base/text";

/** One line a result, for logs, pipes and people without a terminal. */
export function startPlainView({ io, monitors, title }: ViewOptions): View {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const note = (line: string): void => void io.stderr.write(`${showText(line)}\n`);
  const write = openLogOutput(io.stdout, false, note);
  write(showText(title), "info");
  return {
    result: (result) => write(plainLine(result, byId.get(result.monitorId)), "info"),
    location: () => {},
    note,
    [Symbol.dispose]: () => {},
  };
}

/** Time, status, kind, name, latency and the reason of what failed or is slow. */
export function plainLine(result: Result, watched: ViewedMonitor | undefined): string {
  const time = new Date(result.startedAt).toISOString().slice(11, 19);
  const name = showText(watched?.name ?? result.monitorId);
  const latency = shownLatency(result);
  const sentences = reasonsOf(result);
  const reason = sentences === "" ? "" : `  ${showText(sentences)}`;
  const status = result.status.padEnd(8);
  return `${time}Z  ${status}  ${result.kind.padEnd(4)}  ${fitText(name, nameColumns)}  ${latency.padStart(8)}${reason}`;
}

/** Names of this length stand in one column; a longer one is cut. */
const nameColumns = 44;
