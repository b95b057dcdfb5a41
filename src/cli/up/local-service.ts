import type { Clock } from "#base/clock";
import {
  connectManagement,
  listLocations,
  listMonitors,
  type Management,
} from "#cli/management/management";
import { planMonitors, type Step } from "#cli/apply/plan";
import { settleChannels, type UpChannels } from "#cli/up/up-channels";
import { directWay } from "#cli/management/service-way";
import type { ViewedMonitor } from "#cli/up/up-view";
import type { MonitorDefinition } from "#check/definition";
import type { Logger } from "#base/log";
import type { Admin } from "#service/admin";
import { startService } from "#service/server";
import type { NotificationWay } from "#service/service-rooms";
import type { Door } from "#check/findings";

/** A service on this machine with one location, its monitors assigned, ready for an agent. */
export interface LocalService extends AsyncDisposable {
  /** As this machine reaches it. */
  readonly url: string;
  readonly locationId: string;
  /** The location's token: new at each start, written nowhere. */
  readonly token: string;
  readonly monitors: readonly ViewedMonitor[];
  /** The providers that messages go to, for people. */
  readonly notified: readonly string[];
  readonly management: Management;
}

interface LocalServiceOptions {
  readonly database: string;
  readonly host: string;
  readonly port: number;
  /** The monitors that the location is to run, for a service at `url`. */
  readonly monitors: (url: string) => readonly MonitorDefinition[];
  /** Where messages about them go. */
  readonly channels: UpChannels;
  /** By which accounts and which way. */
  readonly notifying: NotificationWay;
  /** The service's address as other people open it; null if no setting says it: messages then lead to it as this machine reaches it. */
  readonly publicUrl: string | null;
  /** Whose rules hold for the monitors: a person's, or our own. */
  readonly door: Door;
  readonly clock: Clock;
  readonly log: Logger;
  /** Cuts off every call, to the service and by it. */
  readonly signal: AbortSignal;
}

/** Starts the service. A database that it knows keeps its location and monitors: they are updated, not made again. */
export async function startLocalService({
  publicUrl,
  ...options
}: LocalServiceOptions): Promise<LocalService> {
  await using started = new AsyncDisposableStack();
  const links = publicUrl === null ? {} : { publicUrl };
  const service = started.use(await startService({ ...options, ...links, pages: "local" }));
  const { admin } = service;
  options.signal.addEventListener("abort", () => service.abandon(), { once: true });
  await revokeOwnKeys(admin);
  const { key } = await admin.createApiKey({ name: ownName, scope: "write" });
  started.defer(() => revokeOwnKeys(admin));
  const { url } = service;
  const management = connectManagement(url, key, directWay());
  const monitors = await settleMonitors(options.monitors(url), options, admin, management);
  const ids = monitors.map(({ id }) => id);
  const location = await settleLocation(ids, admin, management, options.signal);
  const notified = await settleChannels(options.channels, monitors, management, options.signal);
  const running = started.move();
  return {
    url,
    locationId: location.id,
    token: location.token,
    monitors,
    notified,
    management,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The name of the API key that `picket up` makes for itself, and takes back at the end. */
const ownName = "picket up";
/** Those of a run that was killed too; one that was revoked meanwhile is not missed. */
async function revokeOwnKeys(admin: Admin): Promise<void> {
  for (const { id, name } of await admin.listApiKeys())
    if (name === ownName) await admin.revokeApiKey(id);
}

const locationName = "this machine";

async function settleMonitors(
  definitions: readonly MonitorDefinition[],
  { door, signal }: Pick<LocalServiceOptions, "door" | "signal">,
  admin: Admin,
  management: Management,
): Promise<readonly ViewedMonitor[]> {
  const plan = planMonitors(definitions, await listMonitors(management, signal));
  const [conflict] = plan.conflicts;
  if (conflict !== undefined) throw new Error(conflict);
  return Promise.all(plan.steps.map((step) => settleMonitor(step, admin, door)));
}

async function settleMonitor(step: Step, admin: Admin, door: Door): Promise<ViewedMonitor> {
  const { definition } = step;
  const { kind, name } = definition;
  switch (step.change) {
    case "create":
      return { id: (await admin.createMonitor(definition, door)).id, kind, name };
    case "update":
      await admin.updateMonitor(step.id, definition, door);
      return { id: step.id, kind, name };
    case "same":
      return { id: step.id, kind, name };
  }
}

/** The location runs these monitors and no other. */
async function settleLocation(
  monitorIds: readonly string[],
  admin: Admin,
  management: Management,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly token: string }> {
  const all = await listLocations(management, signal);
  const existing = all.find(({ name }) => name === locationName);
  if (existing === undefined)
    return admin.createPrivateLocation({ name: locationName, monitorIds, metadata: {} });
  await admin.updatePrivateLocation(existing.id, { monitorIds });
  return { id: existing.id, token: (await admin.renewToken(existing.id)).token };
}
