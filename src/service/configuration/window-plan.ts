import { namesDifference, plainDifference } from "#service/configuration/field-difference";
import { byName, type Planning } from "#service/configuration/planning";
import type { WantedWindow } from "#service/configuration/wanted";
import { timeText } from "#service/shown-monitor";
import type { ObjectRef } from "#store/configuration-store";
import type { EpochMillis } from "#units";

/** Plans the maintenances; they are known by their titles. */
export function planWindows(
  planning: Planning,
  wanted: readonly WantedWindow[],
  at: EpochMillis,
): void {
  const rowsOf = byName("maintenance", planning.estate.maintenances, ({ title }) => title);
  for (const one of wanted) {
    const { row, notes, clear } = planning.find("maintenance", one, rowsOf);
    if (!clear) continue;
    const { name, made } = one;
    const by = `The maintenance "${name}"`;
    const monitors = planning.monitorsNamed(one.monitors, by);
    const locations = planning.locationsNamed(one.locations, by);
    const called = (all: readonly ObjectRef[]): readonly string[] =>
      all.map((ref) => planning.monitorName(ref));
    const placed = (all: readonly ObjectRef[]): readonly string[] =>
      all.map((ref) => planning.locationName(ref));
    const fields = [
      ...(row === null
        ? []
        : [
            ...plainDifference("title", row.title, made.title),
            ...plainDifference("message", row.message, made.message),
            ...plainDifference("from", timeText(row.from), timeText(made.from)),
            ...plainDifference("to", timeText(row.to), timeText(made.to)),
            ...plainDifference("recurrence", row.recurrence, made.recurrence),
            ...plainDifference("time_zone", row.timeZone, made.timeZone),
          ]),
      ...namesDifference("monitors", called(row?.monitors ?? []), called(monitors)),
      ...namesDifference("locations", placed(row?.locations ?? []), placed(locations)),
    ];
    const isSame = row !== null && fields.length + notes.length === 0;
    const action = row === null ? "create" : isSame ? "same" : "update";
    planning.say(row?.id ?? null, { action, kind: "maintenance", name, fields, notes });
    if (isSame) continue;
    const shown = {
      page: row?.page ?? "",
      components: row?.components ?? [],
      notify: row?.notify ?? made.notify,
    };
    const to = { ...made, ...shown, owner: planning.owner, at };
    planning.writes.maintenances.push({ key: name, id: row?.id ?? null, to, monitors, locations });
  }
}
