import { Document, isMap, isSeq } from "yaml";
import { exportGrammar } from "#cli/apply/apply-grammar";
import { exportedMonitor } from "#cli/apply/exported-monitor";
import { exitCodes } from "#cli/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/io";
import { listLocations, listMonitors } from "#cli/management/management";
import type { ManagedMonitor } from "#wire/managed-monitor";
import { withService } from "#cli/management/with-service";
import type { PrivateLocationSummary } from "#contract/openstatus/private_location/v1/private_location_pb";
import { listOf } from "#check/monitor-arguments";
import { kinds } from "#check/monitor";

/** `picket export`: a file that would make what the service has, by names, with its ids as comments. */
export async function runExport(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(exportGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  return withService("export", io, async (management) => {
    const [monitors, locations] = await Promise.all([
      listMonitors(management, io.signal),
      listLocations(management, io.signal),
    ]);
    io.stdout.write(exported(monitors, locations));
    return exitCodes.fine;
  });
}

function exported(
  monitors: readonly ManagedMonitor[],
  locations: readonly PrivateLocationSummary[],
): string {
  const lists = kinds.flatMap((kind) => {
    const all = monitors.filter((one) => one.kind === kind).toSorted(byName);
    return all.length === 0 ? [] : [[listOf(kind), all] as const];
  });
  const places = locations.toSorted((a, b) => order(a.name, b.name));
  const content = {
    ...Object.fromEntries(lists.map(([list, all]) => [list, all.map(exportedMonitor)])),
    ...(places.length === 0
      ? {}
      : { private_locations: places.map((one) => exportedLocation(one, monitors)) }),
  };
  const document = new Document(content);
  for (const [list, all] of lists)
    comment(
      document,
      list,
      all.map(({ message }) => message.id),
    );
  comment(
    document,
    "private_locations",
    places.map(({ id }) => id),
  );
  return Object.keys(content).length === 0
    ? "# The service has nothing.\n"
    : document.toString({ lineWidth: 0 });
}

const exportedLocation = (
  { id, name, metadata }: PrivateLocationSummary,
  monitors: readonly ManagedMonitor[],
): object => {
  const running = runningAt(id, monitors).map(({ message }) => message.name);
  return {
    name,
    ...(running.length === 0 ? {} : { monitors: [...new Set(running)].toSorted() }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
};

/** The monitors that a location runs. */
const runningAt = (
  locationId: string,
  monitors: readonly ManagedMonitor[],
): readonly ManagedMonitor[] =>
  monitors.filter(({ message }) => message.privateLocationIds.includes(locationId));

function comment(document: Document, list: string, ids: readonly string[]): void {
  const items = document.get(list);
  if (!isSeq(items)) return;
  items.items.forEach((item, index) => {
    if (isMap(item)) item.commentBefore = ` id ${ids[index]}`;
  });
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byName = (a: ManagedMonitor, b: ManagedMonitor): number =>
  order(a.message.name, b.message.name);
