import { Code, ConnectError } from "@connectrpc/connect";
import { exportGrammar } from "#cli/apply/apply-grammar";
import { exportedChannel, type NamesOfIds } from "#cli/apply/exported-channel";
import { exportedPage } from "#cli/apply/exported-page";
import { type Entry, exportedFile, exportedLists, type OwnedEntry } from "#cli/apply/exported-file";
import { exportedMonitor } from "#cli/apply/exported-monitor";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { listAll, listLocations, listMonitors, type Management } from "#cli/management/management";
import { CannotDo, withService } from "#cli/management/with-service";
import { whileWorking } from "#cli/edge/progress";
import { UsageError } from "#cli/edge/usage-error";
import type { MaintenanceSummary } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import type { PrivateLocationSummary } from "#contract/openstatus/private_location/v1/private_location_pb";
import { listOf } from "#check/monitor-arguments";
import { locationArguments } from "#service/resources/configuration-arguments";
import { namedLocation } from "#service/resources/location-definition";
import { maintenanceArguments } from "#service/resources/maintenance-arguments";
import { namedMaintenance } from "#service/resources/maintenance-definition";
import { unusualValues } from "#cli/apply/unusual-values";
import { nearest } from "#base/nearest";
import { showText } from "#base/text";
import type { ManagedMonitor } from "#wire/managed-monitor";

/** `picket export`: a file that would make what the service has, by names, with ids and owners as comments. */
export async function runExport(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(exportGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [kind, name, ...more] = typed.words;
  if (more.length > 0) throw new UsageError("export takes a KIND and a NAME");
  const list = kind === undefined ? null : listNamed(kind);
  const { owner } = typed.values;
  return withService("export", io, async (management) => {
    const [all, owners] = await whileWorking("Reading what the service has", io, () =>
      Promise.all([entriesOf(management, io.signal), ownersOf(management, io.signal)]),
    );
    if (owner !== null && owners === null)
      throw new CannotDo("a read-only key cannot see owners: leave --owner out");
    const chosen = all
      .map((one): OwnedEntry => ({ ...one, owner: owners?.get(`${one.list} ${one.name}`) ?? "" }))
      .filter((one) => list === null || one.list === list)
      .filter((one) => name === undefined || one.name === name)
      .filter((one) => owner === null || one.owner === owner);
    if (chosen.length > 0 || (name === undefined && owner === null)) {
      io.stdout.write(exportedFile(chosen, owners !== null));
      return exitCodes.fine;
    }
    const of = owner === null ? "" : ` of the owner "${showText(owner)}"`;
    const what = name === undefined ? "nothing" : `no "${showText(name)}"`;
    io.stderr.write(`picket export: there is ${what}${of}${list === null ? "" : ` in ${list}`}\n`);
    return exitCodes.failed;
  });
}

/** `http`, `http_monitor` or `http_monitors`; `page`, `status-page`. */
function listNamed(typed: string): string {
  const word = typed.replaceAll("-", "_");
  const found = exportedLists.find((list) => [list, list.slice(0, -1)].includes(word));
  const short = exportedLists.find(
    (list) => list.startsWith(`${word}_`) || list.endsWith(`_${word}s`),
  );
  const list = found ?? short;
  if (list !== undefined) return list;
  const meant = nearest(word, exportedLists);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`export knows ${exportedLists.join(", ")}, not "${typed}"${hint}`);
}

/** Who owns what, by kind and name: what a plan of nothing finds. Null for a key that may only read. */
async function ownersOf(
  { configuration }: Management,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | null> {
  try {
    const plan = await configuration.planConfiguration({ configuration: {} }, { signal });
    return new Map(plan.unmanaged.map(({ kind, name, owner }) => [`${kind}s ${name}`, owner]));
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.PermissionDenied) return null;
    throw error;
  }
}

async function entriesOf(management: Management, signal: AbortSignal): Promise<readonly Entry[]> {
  const [monitors, locations] = await Promise.all([
    listMonitors(management, signal),
    listLocations(management, signal),
  ]);
  const names = namesOf(monitors, locations);
  return [
    ...monitors.map((one): Entry => {
      const { id, name } = one.message;
      return { list: listOf(one.kind), id, name, content: exportedMonitor(one, names.monitor) };
    }),
    ...locations.map((one): Entry => {
      const { id, name } = one;
      return {
        list: "private_locations",
        id,
        name,
        content: exportedLocation(one, monitors, names),
      };
    }),
    ...(await channelEntries(management, names, signal)),
    ...(await pagesEntries(management, names, signal)),
  ];
}

function namesOf(
  monitors: readonly ManagedMonitor[],
  locations: readonly PrivateLocationSummary[],
): NamesOfIds {
  const counts = Map.groupBy(monitors, ({ message }) => message.name);
  // Monitors of several kinds may have one name, which then means all of them.
  const watched = new Map(
    monitors.map(({ message: { id, name } }) => [
      id,
      counts.get(name)?.length === 1 ? name : `id:${id}`,
    ]),
  );
  const places = new Map(locations.map(({ id, name }) => [id, name]));
  return {
    monitor: (id) => watched.get(id) ?? id,
    location: (id) => places.get(id) ?? id,
  };
}

async function channelEntries(
  { notifications }: Management,
  names: NamesOfIds,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const all = await listAll(async (page) => {
    const answer = await notifications.listNotifications(page, { signal });
    return { items: answer.notifications, totalSize: answer.totalSize };
  });
  const entries: Entry[] = [];
  for (const { id, name } of all) {
    const { notification } = await notifications.getNotification({ id }, { signal });
    if (notification !== undefined)
      entries.push({
        list: "notifications",
        id,
        name,
        content: exportedChannel(notification, names),
      });
  }
  return entries;
}

/** The status pages, and the maintenances, which may be announced on them. */
async function pagesEntries(
  management: Management,
  names: NamesOfIds,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const { statusPages } = management;
  const all = await listAll(async (page) => {
    const answer = await statusPages.listStatusPages(page, { signal });
    return { items: answer.statusPages, totalSize: answer.totalSize };
  });
  const entries: Entry[] = [];
  const components = new Map<string, string>();
  for (const { id, slug } of all) {
    const identifier = { case: "id", value: id } as const;
    const content = await statusPages.getStatusPageContent({ identifier }, { signal });
    const page = content.statusPage;
    for (const one of content.components) components.set(one.id, one.name);
    if (page !== undefined)
      entries.push({
        list: "status_pages",
        id,
        name: slug,
        content: exportedPage({ ...content, page }, names),
      });
  }
  const slugs = new Map(all.map(({ id, slug }) => [id, slug]));
  return [
    ...entries,
    ...(await maintenanceEntries(management, { ...names, slugs, components }, signal)),
  ];
}

interface NamesOfAll extends NamesOfIds {
  readonly slugs: ReadonlyMap<string, string>;
  readonly components: ReadonlyMap<string, string>;
}

async function maintenanceEntries(
  { maintenances }: Management,
  names: NamesOfAll,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const all = await listAll(async (page) => {
    const answer = await maintenances.listMaintenances(page, { signal });
    return { items: answer.maintenances, totalSize: answer.totalSize };
  });
  return all.map((one) => ({
    list: "maintenances",
    id: one.id,
    name: one.title,
    content: exportedMaintenance(one, names),
  }));
}

function exportedMaintenance(one: MaintenanceSummary, names: NamesOfAll): object {
  const components = one.pageComponentIds.flatMap((id) => names.components.get(id) ?? []);
  const slug = names.slugs.get(one.pageId);
  const values = {
    ...namedMaintenance(one),
    monitors: one.monitorIds.map(names.monitor).toSorted(),
    locations: one.privateLocationIds.map(names.location).toSorted(),
    components: slug === undefined ? null : { [slug]: components.toSorted() },
    remind_subscribers: one.remindSubscribers || null,
    say_times: one.sayTimes || null,
  };
  return unusualValues(values, maintenanceArguments);
}

function exportedLocation(
  location: PrivateLocationSummary,
  monitors: readonly ManagedMonitor[],
  names: NamesOfIds,
): object {
  const running = monitors
    .filter(({ message }) => message.privateLocationIds.includes(location.id))
    .map(({ message }) => names.monitor(message.id));
  const monitorNames = [...new Set(running)].toSorted();
  return unusualValues({ ...namedLocation(location), monitors: monitorNames }, locationArguments);
}
