import type { ServiceImpl } from "@connectrpc/connect";
import type {
  MaintenanceSchema,
  MaintenanceService,
  MaintenanceUpdateSchema,
} from "#contract/openstatus/maintenance/v1/maintenance_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import * as alertsLimits from "#limits/alerts-limits";
import { absent, refuseViolations, type Refusal } from "#service/edge/call-refusal";
import { writtenTime } from "#service/edge/written-time";
import { maintenanceMessage, noMaintenance } from "#service/api/maintenance-message";
import { timeText } from "#service/monitors/shown-monitor";
import { tooMany } from "#service/status-site/page-refusals";
import { integerOf } from "#service/store/ids";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";
import type { Store } from "#service/store/store";
import { unixLines } from "#base/text";
import type { EpochMillis } from "#base/units";

interface UpdatesApi {
  readonly store: Store;
  readonly clock: Clock;
}

type Calls = ServiceImpl<typeof MaintenanceService>;
type UpdateCall = "addMaintenanceUpdate" | "updateMaintenanceUpdate" | "deleteMaintenanceUpdate";

/** What people say of planned work after they announced it, e.g. that it takes longer. */
export function maintenanceUpdateCalls(api: UpdatesApi): Pick<Calls, UpdateCall> {
  const { maintenanceUpdates } = api.store.alerts;
  return {
    addMaintenanceUpdate: async ({ maintenanceId, message, date, notify }) => {
      await addMaintenanceUpdate(api, maintenanceId, {
        message,
        at: date === undefined ? null : writtenTime("date", date),
        announces: notify ?? false,
      });
      return { maintenance: await wholeMaintenance(api, maintenanceId) };
    },
    updateMaintenanceUpdate: async ({ id, message, date }) => {
      const before = await foundUpdate(api, id);
      const to = {
        at: date === undefined ? before.at : writtenTime("date", date),
        message: message === undefined ? before.message : messageIn(message),
        updatedAt: api.clock.wall(),
      };
      if (!(await maintenanceUpdates.change(before.id, to))) throw noUpdate(id);
      return { maintenance: await wholeMaintenance(api, String(before.maintenance)) };
    },
    deleteMaintenanceUpdate: async ({ id }) => {
      if (!(await maintenanceUpdates.delete(integerOf(id) ?? 0))) throw noUpdate(id);
      return { success: true };
    },
  };
}

/** What is said of planned work. */
interface SaidUpdate {
  readonly message: string;
  /** Null: it is dated now. */
  readonly at: EpochMillis | null;
  readonly announces: boolean;
}

/** Keeps an update of planned work. */
export async function addMaintenanceUpdate(
  { store, clock }: UpdatesApi,
  maintenanceId: string,
  { message, at, announces }: SaidUpdate,
): Promise<void> {
  const { maintenanceUpdates } = store.alerts;
  const maintenance = integerOf(maintenanceId) ?? 0;
  const before = (await maintenanceUpdates.of([maintenance])).get(maintenance) ?? [];
  if (before.length >= limits.reportUpdatesMax)
    throw tooMany(limits.reportUpdatesMax, "updates of this maintenance");
  const createdAt = clock.wall();
  const made = { at: at ?? createdAt, message: messageIn(message), createdAt };
  if ((await maintenanceUpdates.add(maintenance, made, announces)) === null)
    throw noMaintenance(maintenanceId);
}

/** A maintenance with its updates, as calls show it. */
export async function wholeMaintenance(
  { store }: Pick<UpdatesApi, "store">,
  id: string,
): Promise<MessageInitShape<typeof MaintenanceSchema>> {
  const { maintenances, maintenanceUpdates } = store.alerts;
  const row = await maintenances.get(integerOf(id) ?? 0);
  if (row === null) throw noMaintenance(id);
  const updates = (await maintenanceUpdates.of([row.id])).get(row.id) ?? [];
  return { ...maintenanceMessage(row), updates: updates.map(updateMessage) };
}

async function foundUpdate({ store }: UpdatesApi, id: string): Promise<MaintenanceUpdate> {
  const update = await store.alerts.maintenanceUpdates.get(integerOf(id) ?? 0);
  if (update === null) throw noUpdate(id);
  return update;
}

const updateMessage = (
  update: MaintenanceUpdate,
): MessageInitShape<typeof MaintenanceUpdateSchema> => ({
  id: String(update.id),
  message: update.message,
  date: timeText(update.at),
  maintenanceId: String(update.maintenance),
  createdAt: timeText(update.createdAt),
  updatedAt: timeText(update.updatedAt),
});

/** What is said, as it is kept. */
function messageIn(given: string): string {
  const message = unixLines(given);
  const max = alertsLimits.maintenanceMessageCharsMax;
  if (message.trim() === "" || message.length > max)
    refuseViolations([{ field: "message", message: `must be 1 to ${max} characters long` }]);
  return message;
}

export const noUpdate = (id: string): Refusal =>
  absent("maintenance update", id, { reason: "MAINTENANCE_UPDATE_NOT_FOUND" });
