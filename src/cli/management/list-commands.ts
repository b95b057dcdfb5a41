import { exitCodes } from "#cli/edge/exit-code";
import type { Grammar } from "#cli/grammar/command";
import type { OptionsOf } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { flappingMonitors } from "#cli/management/flapping-monitors";
import { shownAge, shownInstant } from "#cli/management/instant";
import {
  type LocationEntry,
  locationEntries,
  type MonitorEntry,
  monitorEntries,
  markedTarget,
} from "#cli/management/inventory";
import { listAll, type Management } from "#cli/management/management";
import {
  locationsGrammar,
  monitorsGrammar,
  statusPagesGrammar,
} from "#cli/management/seeing-grammars";
import { statusMarks } from "#cli/management/status-marks";
import { type Cell, cell, type Column, column, textTable } from "#cli/management/text-table";
import { withService } from "#cli/management/with-service";
import { terminalOf } from "#cli/edge/terminal";
import { UsageError } from "#cli/edge/usage-error";
import { systemClock } from "#base/clock";
import { counted, showText } from "#base/text";

/** `picket monitors`: each with its status. */
export const runMonitors = (args: readonly string[], io: Io): Promise<number> =>
  runList(monitorsGrammar, monitorList, args, io);

/** `picket locations`: each with whether its agents report. */
export const runLocations = (args: readonly string[], io: Io): Promise<number> =>
  runList(locationsGrammar, locationList, args, io);

/** `picket status-pages`: each with whether it is published. */
export const runStatusPages = (args: readonly string[], io: Io): Promise<number> =>
  runList(statusPagesGrammar, statusPageList, args, io);

/** How one kind of object is listed. */
interface List<T> {
  readonly noun: string;
  readonly read: (management: Management, signal: AbortSignal) => Promise<readonly T[]>;
  readonly columns: readonly Column[];
  readonly row: (one: T) => readonly Cell[];
  readonly json: (one: T) => object;
}

async function runList<T extends { readonly name: string }>(
  grammar: Grammar<OptionsOf<"json" | "names">>,
  list: List<T>,
  args: readonly string[],
  io: Io,
): Promise<number> {
  const typed = readWords(grammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { json, names } = typed.values;
  if (json && names) throw new UsageError("--json and --names cannot be used together");
  return withService(grammar.name, io, async (management) => {
    const all = await list.read(management, io.signal);
    const lines = names
      ? all.map(({ name }) => showText(name))
      : json
        ? all.map((one) => JSON.stringify(list.json(one)))
        : [
            ...(all.length === 0 ? [] : textTable(list.columns, all.map(list.row), terminalOf(io))),
            `${counted(all.length, list.noun)}.`,
          ];
    io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return exitCodes.fine;
  });
}

const monitorList: List<MonitorEntry & { readonly isFlapping: boolean }> = {
  noun: "monitor",
  read: async (management, signal) => {
    const [monitors, flapping] = await Promise.all([
      monitorEntries(management, signal),
      flappingMonitors(management, signal),
    ]);
    return monitors.map((one) => ({ ...one, isFlapping: flapping.has(one.id) }));
  },
  columns: [
    column(""),
    column("NAME", { gives: true }),
    column("KIND"),
    column("STATUS"),
    column("LOCATIONS", { align: "right" }),
    column("ID", { align: "right" }),
    column("TARGET", { gives: true }),
  ],
  row: (monitor) => {
    const { id, name, kind, active, status, locationIds, isFlapping } = monitor;
    const word = active ? status : "inactive";
    const { mark, colour } = statusMarks[word];
    return [
      cell(mark, colour),
      cell(name),
      cell(kind),
      cell(isFlapping ? `${word}, flapping` : word, colour),
      cell(locationIds.length),
      cell(id),
      cell(markedTarget(monitor)),
    ];
  },
  json: ({ id, name, kind, target, active, status, locationIds, isFlapping }) => ({
    id,
    name,
    kind,
    target,
    active,
    status,
    flapping: isFlapping,
    location_ids: locationIds,
  }),
};

const locationList: List<LocationEntry> = {
  noun: "location",
  read: locationEntries,
  columns: [
    column(""),
    column("NAME", { gives: true }),
    column("STATUS"),
    column("MONITORS", { align: "right" }),
    column("ID", { align: "right" }),
    column("LAST SEEN (UTC)"),
    column("AGO", { align: "right" }),
    column("WHY", { gives: true }),
  ],
  row: ({ id, name, status, why, lastSeenAt, monitorCount }) => {
    const { mark, colour } = statusMarks[status];
    return [
      cell(mark, colour),
      cell(name),
      cell(status, colour),
      cell(monitorCount),
      cell(id),
      cell(shownInstant(lastSeenAt)),
      cell(shownAge(lastSeenAt, systemClock.wall())),
      cell(why),
    ];
  },
  json: ({ id, name, status, why, lastSeenAt, monitorCount }) => ({
    id,
    name,
    status,
    message: why,
    monitors: monitorCount,
    last_seen_at: lastSeenAt || null,
  }),
};

interface StatusPageEntry {
  readonly id: string;
  /** The slug: what addresses and commands call it. */
  readonly name: string;
  readonly title: string;
  readonly published: boolean;
  readonly customDomain: string;
}

const statusPageList: List<StatusPageEntry> = {
  noun: "status page",
  read: ({ statusPages }, signal) =>
    listAll(async (page) => {
      const answer = await statusPages.listStatusPages(page, { signal });
      const items = answer.statusPages.map(({ slug, ...rest }) => ({ ...rest, name: slug }));
      return { items, totalSize: answer.totalSize };
    }),
  columns: [
    column("SLUG"),
    column("TITLE", { gives: true }),
    column("STATE"),
    column("ID", { align: "right" }),
    column("DOMAIN", { gives: true }),
  ],
  row: ({ id, name, title, published, customDomain }) => [
    cell(name),
    cell(title),
    cell(published ? "published" : "not published"),
    cell(id),
    cell(customDomain),
  ],
  json: ({ id, name, title, published, customDomain }) => ({
    id,
    slug: name,
    title,
    published,
    custom_domain: customDomain || null,
  }),
};
