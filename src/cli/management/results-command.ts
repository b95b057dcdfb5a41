import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { type LocationEntry, readInventory } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import { namedOne } from "#cli/management/named-item";
import {
  type ListedResult,
  locationName,
  microsOf,
  resultJson,
  resultTable,
} from "#cli/management/result-table";
import { resultsGrammar } from "#cli/management/seeing-grammars";
import { withService } from "#cli/management/with-service";
import { terminalOf } from "#cli/edge/terminal";
import { UsageError } from "#cli/edge/usage-error";
import { phaseNames } from "#check/outcome";
import * as limits from "#limits/cli-limits";
import * as serviceLimits from "#limits/service-limits";
import { showText } from "#base/text";

/** `picket results`: what the checks of a monitor said, the newest first. */
export async function runResults(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(resultsGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [name, ...more] = words;
  if (name === undefined || more.length > 0) throw new UsageError("results takes one MONITOR");
  if (values.json && values.csv) throw new UsageError("--json and --csv cannot be used together");
  const last = lastOf(values.last);
  return withService("results", io, async (management) => {
    const { monitors, locations } = await readInventory(management, io.signal);
    const monitor = namedOne("monitor", name, monitors);
    const location =
      values.location === null ? null : namedOne("location", values.location, locations);
    const query = { monitorId: monitor.id, privateLocationId: location?.id ?? "", last };
    const all = await newestResults(query, management, io.signal);
    const shown = values.failed ? all.filter(({ status }) => status !== "success") : all;
    if (values.json) for (const one of shown) io.stdout.write(jsonLine(one, locations));
    else if (values.csv) io.stdout.write(csvOf(shown, locations));
    else io.stdout.write(textOf(shown, all.length, locations, io));
    return exitCodes.fine;
  });
}

function lastOf(text: string | null): number {
  if (text === null) return limits.resultsShownDefault;
  const last = Number(text);
  if (/^\d+$/.test(text) && last >= 1 && last <= limits.resultsShownMax) return last;
  throw new UsageError(`--last must be in 1 to ${limits.resultsShownMax}, not "${text}"`);
}

interface ResultsQuery {
  readonly monitorId: string;
  readonly privateLocationId: string;
  readonly last: number;
}

/** Page by page; what a server says is not trusted to end. */
async function newestResults(
  { last, ...query }: ResultsQuery,
  { monitors }: Management,
  signal: AbortSignal,
): Promise<readonly ListedResult[]> {
  const all: ListedResult[] = [];
  while (all.length < last) {
    const limit = Math.min(serviceLimits.resultsListMax, last - all.length);
    const after = all.at(-1)?.sequence ?? 0n;
    const page = await monitors.listResults(
      { ...query, newestFirst: true, after, limit },
      { signal },
    );
    all.push(...page.results);
    if (page.results.length < limit) break;
  }
  return all.slice(0, last);
}

const jsonLine = (one: ListedResult, locations: readonly LocationEntry[]): string =>
  `${JSON.stringify(resultJson(one, locations))}\n`;

function textOf(
  shown: readonly ListedResult[],
  read: number,
  locations: readonly LocationEntry[],
  io: Io,
): string {
  if (read === 0) return "There is no result yet.\n";
  if (shown.length === 0) return `All of the newest ${read} results passed.\n`;
  return resultTable(shown, locations, terminalOf(io))
    .map((line) => `${line}\n`)
    .join("");
}

/** RFC 4180. */
function csvOf(results: readonly ListedResult[], locations: readonly LocationEntry[]): string {
  const head = [
    ["started_at", "slot", "location", "status", "latency_ms", "status_code"],
    ["failure_code", "failure_phase"],
    phaseNames.map((phase) => `${phase}_us`),
    ["message"],
  ].flat();
  const rows = results.map((one) => [
    one.startedAt,
    one.slot,
    locationName(one, locations),
    one.status,
    String(one.latency),
    one.statusCode === 0 ? "" : String(one.statusCode),
    one.failureCode,
    one.failurePhase,
    ...phaseNames.map((phase) => String(microsOf(one, phase) ?? "")),
    one.message,
  ]);
  return [head, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

/** Spreadsheets run what begins like a formula; a space before it keeps it a text. */
function csvField(text: string): string {
  const safe = showText(/^[=+\-@]/.test(text) ? ` ${text}` : text);
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
