import {
  addedAndRemoved,
  differencesByName,
  type FieldDifference,
  namesDifference,
  plainDifference,
} from "#service/configuration/field-difference";
import { byName, type PageRefs, type Planning } from "#service/configuration/planning";
import { noMoments } from "#service/alerting/work-moments";
import type { WantedWindow } from "#service/configuration/wanted";
import { timeText } from "#service/monitors/shown-monitor";
import {
  type MaintenanceDefinition,
  type MaintenanceFieldName,
  namedMaintenance,
} from "#service/resources/maintenance-definition";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { ObjectRef } from "#service/store/configuration-store";
import type { EpochMillis } from "#base/units";

/** Plans the maintenances; they are known by their titles. */
export function planWindows(
  planning: Planning,
  wanted: readonly WantedWindow[],
  at: EpochMillis,
): void {
  const known = byName("maintenance", planning.estate.maintenances, ({ title }) => title, wanted);
  for (const one of wanted) {
    const { row, notes, clear } = planning.find("maintenance", one, known);
    if (!clear) continue;
    const { name, made } = one;
    const refs = refsOf(planning, one);
    const before = row?.says ?? noMoments;
    const says = { ...before, ...one.says };
    const fields = [
      ...(row === null ? [] : differencesByName(compared(row), compared(made))),
      ...plainDifference("remind_subscribers", before.reminder, says.reminder),
      ...plainDifference("say_times", before.times, says.times),
      ...refsDifferences(planning, row, one, refs),
    ];
    const isSame = row !== null && fields.length + notes.length === 0;
    const action = row === null ? "create" : isSame ? "same" : "update";
    planning.say(row?.id ?? null, { action, kind: "maintenance", name, fields, notes });
    if (isSame) continue;
    const notify = row?.notify ?? made.notify;
    const to = { ...made, says, notify, owner: planning.owner, at };
    planning.writes.maintenances.push({
      key: name,
      id: row?.id ?? null,
      to,
      ...refs,
      page: refs.page?.page ?? null,
      components: [...(refs.page?.components.values() ?? [])],
    });
  }
}

interface WindowRefs {
  readonly monitors: readonly ObjectRef[];
  readonly locations: readonly ObjectRef[];
  readonly page: PageRefs | null;
}

function refsOf(planning: Planning, one: WantedWindow): WindowRefs {
  const by = `The maintenance "${one.name}"`;
  return {
    monitors: planning.monitorsNamed(one.monitors, by),
    locations: planning.locationsNamed(one.locations, by),
    page: one.page === "" ? null : planning.componentsNamed(one.page, one.components, by),
  };
}

const compared = (
  maintenance: MaintenanceDefinition,
): Readonly<Record<MaintenanceFieldName, unknown>> => ({
  ...namedMaintenance(maintenance),
  from: timeText(maintenance.from),
  to: timeText(maintenance.to),
});

function refsDifferences(
  planning: Planning,
  row: MaintenanceRow | null,
  { page: slug }: WantedWindow,
  { monitors, locations, page }: WindowRefs,
): readonly FieldDifference[] {
  const called = (all: readonly ObjectRef[]): readonly string[] =>
    all.map((ref) => planning.monitorName(ref));
  const placed = (all: readonly ObjectRef[]): readonly string[] =>
    all.map((ref) => planning.locationName(ref));
  const shown = planning.estate.pages.find((one) => String(one.page.id) === row?.page);
  const before = (shown?.components ?? []).filter(({ id }) => row?.components.includes(String(id)));
  const after = [...(page?.components ?? [])];
  return [
    ...namesDifference("monitors", called(row?.monitors ?? []), called(monitors)),
    ...namesDifference("locations", placed(row?.locations ?? []), placed(locations)),
    ...plainDifference("page", shown?.page.definition.slug ?? "", slug),
    // One that is replaced has the same name and is another.
    ...addedAndRemoved("components", {
      added: after.filter(([, ref]) => !before.some(({ id }) => id === ref)).map(([name]) => name),
      removed: before
        .filter(({ id }) => !after.some(([, ref]) => id === ref))
        .map(({ name }) => name),
    }),
  ];
}
