import type { ServiceImpl } from "@connectrpc/connect";
import type { MaintenanceService } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import type { Clock } from "#base/clock";
import { beginOf, isSkipped, type Window } from "#service/alerting/maintenance";
import { noMaintenance } from "#service/api/maintenance-message";
import { wholeMaintenance } from "#service/api/maintenance-update-calls";
import { Refusal, violation } from "#service/edge/call-refusal";
import { windowOn } from "#service/maintenance/dated-window";
import { integerOf } from "#service/store/ids";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { Store } from "#service/store/store";

interface DatesApi {
  readonly store: Store;
  readonly clock: Clock;
}

type Calls = ServiceImpl<typeof MaintenanceService>;

/** Any date of what repeats that has not begun is skipped, and takes place again. */
export function maintenanceDateCalls(
  api: DatesApi,
): Pick<Calls, "skipMaintenanceDate" | "restoreMaintenanceDate"> {
  const moving = (isUndo: boolean) => async (asked: AskedDate) => {
    await moveDate(api, asked, isUndo);
    return { maintenance: await wholeMaintenance(api, asked.maintenanceId) };
  };
  return { skipMaintenanceDate: moving(false), restoreMaintenanceDate: moving(true) };
}

interface AskedDate {
  readonly maintenanceId: string;
  readonly date: string;
}

/** What is skipped already, or takes place, stays so. */
async function moveDate(
  { store, clock }: DatesApi,
  { maintenanceId, date }: AskedDate,
  isUndo: boolean,
): Promise<void> {
  const { maintenances } = store.alerts;
  const row = await maintenances.get(integerOf(maintenanceId) ?? 0);
  if (row === null) throw noMaintenance(maintenanceId);
  const window = windowOn(row, date);
  if (window === null)
    throw violation({
      field: "date",
      message: "must be a day on which it begins, for example 2026-12-24",
    });
  const at = clock.wall();
  const known = row.movedEnds.find((one) => one.from === window.from);
  if ((known !== undefined && isSkipped(known)) === !isUndo) return;
  if (isUndo && known === undefined) return;
  refuseBegun(window, known, at);
  const { from, to: planned } = window;
  const [seen, to] = isUndo ? [from, planned] : [planned, from];
  const move = { from, planned, seen, to, isUndo, at };
  if (!(await maintenances.moveEnd(row.id, move)))
    throw new Refusal("aborted", "someone else changed it at the same moment: ask again");
}

/** What is skipped can be put back until it would be over. */
function refuseBegun(
  window: Window,
  known: MaintenanceRow["movedEnds"][number] | undefined,
  at: number,
): void {
  const isOff = known !== undefined && isSkipped(known);
  if (isOff && window.to <= at)
    throw violation({ field: "date", message: "must be one that is not over" });
  if (!isOff && (known === undefined ? window.from : beginOf(known)) <= at)
    throw violation({ field: "date", message: "must be one that has not begun" });
}
