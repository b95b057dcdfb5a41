import type { Io } from "#cli/edge/io";
import { readWords } from "#cli/grammar/read-words";
import { type Inventory, readInventory } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import { noSuch } from "#cli/management/named-item";
import { statusGrammar } from "#cli/management/seeing-grammars";
import { statusOfLocation } from "#cli/management/status-of-location";
import { statusOfMonitor } from "#cli/management/status-of-monitor";
import { overviewOf } from "#cli/management/status-overview";
import type { ViewTools, StatusView } from "#cli/management/status-view";
import { withService } from "#cli/management/with-service";
import { exitCodes } from "#cli/edge/exit-code";
import { Screen } from "#cli/edge/screen";
import { terminalOf } from "#cli/edge/terminal";
import { ConnectError } from "@connectrpc/connect";
import { UsageError } from "#cli/edge/usage-error";
import { type Clock, systemClock } from "#base/clock";
import { showText } from "#base/text";
import * as limits from "#limits/cli-limits";

/** `picket status`: what fails, since when, at which location, and why; of everything, or of one monitor or location. */
export async function runStatus(
  args: readonly string[],
  io: Io,
  clock: Clock = systemClock,
): Promise<number> {
  const typed = readWords(statusGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  if (words.length > 1) throw new UsageError("status takes one name");
  if (values.watch && (values.json || !io.interactive))
    throw new UsageError("--watch needs a terminal, and no --json");
  return withService("status", io, async (management) => {
    const see = (): Promise<StatusView> => viewOf(words[0] ?? null, { management, io, clock });
    if (values.watch) return watch(see, io, clock);
    const { lines, json, code } = await see();
    const shown = values.json ? json.map((one) => JSON.stringify(one)) : lines;
    io.stdout.write(shown.map((line) => `${line}\n`).join(""));
    return code;
  });
}

interface StatusTools {
  readonly management: Management;
  readonly io: Io;
  readonly clock: Clock;
}

async function viewOf(name: string | null, asking: StatusTools): Promise<StatusView> {
  const { management, io, clock } = asking;
  const { signal } = io;
  const inventory = await readInventory(management, signal);
  const seeing = { management, inventory, terminal: terminalOf(io), clock, signal };
  return name === null ? overviewOf(seeing) : namedView(name, inventory, seeing);
}

/** A name that monitors and a location have shows them all; an id is that of a monitor first. */
async function namedView(
  name: string,
  inventory: Inventory,
  seeing: ViewTools,
): Promise<StatusView> {
  const { monitors, locations } = inventory;
  const named = [
    ...monitors.filter((one) => one.name === name).map((one) => statusOfMonitor(one, seeing)),
    ...locations.filter((one) => one.name === name).map((one) => statusOfLocation(one, seeing)),
  ];
  if (named.length > 0) return together(await Promise.all(named));
  const monitor = monitors.find(({ id }) => id === name);
  if (monitor !== undefined) return statusOfMonitor(monitor, seeing);
  throw noSuch("monitor", name, [...monitors, ...locations]);
}

const together = (views: readonly StatusView[]): StatusView => ({
  lines: views.flatMap(({ lines }, index) => (index === 0 ? lines : ["", ...lines])),
  json: views.flatMap(({ json }) => json),
  // An error outweighs degraded, though its number is smaller.
  code: views.some(({ code }) => code === exitCodes.failed)
    ? exitCodes.failed
    : Math.max(...views.map(({ code }) => code)),
});

/**
 * Draws the view over itself until Ctrl-C. The first call has to succeed; a later one that fails leaves what was seen,
 * with a line that says so, for a service that restarts is seen again.
 */
async function watch(see: () => Promise<StatusView>, io: Io, clock: Clock): Promise<number> {
  let seen = await see();
  let code: number = seen.code;
  const screen = new Screen(io);
  let fault = "";
  try {
    while (!io.signal.aborted) {
      const below = fault === "" ? ["", "Ctrl-C ends."] : ["", fault, "Ctrl-C ends."];
      const rows = Math.max(1, screen.size().rows - 1 - below.length);
      screen.draw([...seen.lines.slice(0, rows), ...below]);
      await clock.sleep(limits.statusWatchEvery, io.signal);
      if (io.signal.aborted) break;
      const view = await see().catch((error: unknown) => failedLook(error, clock));
      if (typeof view === "string") fault = view;
      else [seen, code, fault] = [view, view.code, ""];
    }
  } finally {
    screen.close();
  }
  return code;
}

/** What was seen before stands above it. */
function failedLook(error: unknown, clock: Clock): string {
  if (!(error instanceof ConnectError)) throw error;
  const at = new Date(clock.wall()).toISOString().slice(11, 19);
  return `${at} UTC: the service could not be asked (${showText(error.rawMessage)}). The lines above are older; trying again.`;
}
