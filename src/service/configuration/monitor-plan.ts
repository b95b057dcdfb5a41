import { policyUnwritten, type WrittenPolicy } from "#check/alert-policy";
import type { MonitorDefinition } from "#check/definition";
import { othersElseItself, ringsIn, ringWords } from "#check/dependency-rings";
import type { Kind } from "#check/monitor";
import { type FieldDifference, namesDifference } from "#service/configuration/field-difference";
import { differencesOf } from "#service/configuration/monitor-difference";
import { byName, type Planning } from "#service/configuration/planning";
import type { WantedMonitor } from "#service/configuration/wanted";
import type { ObjectRef } from "#service/store/configuration-store";
import type { MonitorRow } from "#service/store/state-store";
import type { EpochMillis } from "#base/units";
import { keptSignature } from "#signing/monitor-signature";
import { managedMonitor } from "#wire/managed-monitor";

/** Plans the monitors: all are known before any is compared, for they may depend on each other. */
export function planMonitors(
  planning: Planning,
  wanted: readonly WantedMonitor[],
  at: EpochMillis,
): void {
  const rowsOf = new Map<Kind, ReturnType<typeof rowsOfKind>>();
  const found = wanted.map((one) => {
    const { kind, name } = one.definition;
    const rows = rowsOf.getOrInsertComputed(kind, () => rowsOfKind(planning, wanted, kind));
    const match = planning.find(`${kind}_monitor`, one, rows);
    const ref = match.row?.id ?? keyOf(one.definition);
    planning.knowMonitor(kind, name, ref);
    return { one, ...match };
  });
  const clear = found.filter((match) => match.clear);
  const dependencies = new Map<ObjectRef, readonly ObjectRef[]>(
    planning.estate.monitors.map(({ id, definition }) => [id, idsIn(definition)]),
  );
  const planned = clear.map((match) => {
    const self = match.row?.id ?? keyOf(match.one.definition);
    const dependsOn = dependenciesOf(planning, match.one, self);
    dependencies.set(self, dependsOn);
    return { ...match, dependsOn, self };
  });
  for (const { one, row, notes, dependsOn } of planned)
    planMonitor(planning, one, { row, notes, at, dependsOn });
  const own = planned.map(({ self }) => self);
  refuseRings(planning, own, dependencies);
}

const idsIn = ({ alerting }: MonitorDefinition): readonly number[] =>
  (alerting?.dependsOn ?? []).map(Number);

/** A name that several kinds share does not mean the monitor itself. */
function dependenciesOf(
  planning: Planning,
  { definition: { kind, name }, dependsOn, dependsOnIds }: WantedMonitor,
  self: ObjectRef,
): readonly ObjectRef[] {
  const by = `The ${kind} monitor "${name}"`;
  const named = dependsOn.flatMap((one) =>
    othersElseItself(self, planning.monitorsNamed([one], by)),
  );
  return [...new Set(named), ...dependsOnIds];
}

/** Rings that the files' monitors would be in, over others of the service too. */
function refuseRings(
  planning: Planning,
  own: readonly ObjectRef[],
  dependencies: ReadonlyMap<ObjectRef, readonly ObjectRef[]>,
): void {
  for (const ring of ringsIn(own, (ref) => dependencies.get(ref) ?? [])) {
    const names = ring.map((ref) => planning.monitorName(ref));
    planning.conflicts.push(
      `depends_on makes ${ringWords(names)}. Remove one of these dependencies.`,
    );
  }
}

const rowsOfKind = ({ estate }: Planning, wanted: readonly WantedMonitor[], kind: Kind) =>
  byName(
    `${kind}_monitor`,
    estate.monitors.filter(({ definition }) => definition.kind === kind),
    ({ definition }) => definition.name,
    wanted.filter(({ definition }) => definition.kind === kind),
  );

const keyOf = ({ kind, name }: MonitorDefinition): string => `${kind} ${name}`;

function planMonitor(
  planning: Planning,
  { definition: written }: WantedMonitor,
  {
    row,
    notes,
    at,
    dependsOn,
  }: {
    readonly row: MonitorRow | null;
    readonly notes: readonly string[];
    readonly at: EpochMillis;
    readonly dependsOn: readonly ObjectRef[];
  },
): void {
  const definition = row === null ? written : keptSignature(written, row.definition);
  const kind = `${definition.kind}_monitor` as const;
  const { name } = definition;
  const fields = row === null ? [] : differences(planning, row, definition, dependsOn);
  const inactive = definition.active ? [] : ['inactive: "active: true" is missing'];
  const isSame = row !== null && fields.length + notes.length === 0;
  const action = row === null ? "create" : isSame ? "same" : "update";
  planning.say(row?.id ?? null, { action, kind, name, fields, notes: [...notes, ...inactive] });
  if (isSame) return;
  planning.writes.monitors.push({
    key: keyOf(definition),
    id: row?.id ?? null,
    to: { definition, owner: planning.owner, labels: definition.labels, at },
    dependsOn,
  });
}

function differences(
  planning: Planning,
  { definition: before }: MonitorRow,
  after: MonitorDefinition,
  dependsOn: readonly ObjectRef[],
): readonly FieldDifference[] {
  const a = independent(before);
  const b = independent(after);
  const own =
    JSON.stringify(a) === JSON.stringify(b)
      ? []
      : differencesOf(managedMonitor(a), managedMonitor(b));
  const depended = idsIn(before);
  const called = (refs: readonly ObjectRef[]): readonly string[] =>
    refs.map((ref) => planning.monitorName(ref));
  return [...own, ...namesDifference("depends_on", called(depended), called(dependsOn))];
}

/** Dependencies are compared as names, because ids of monitors that are made are not known yet. */
function independent(definition: MonitorDefinition): MonitorDefinition {
  const { alerting } = definition;
  if (alerting === null) return definition;
  const policy: WrittenPolicy = { ...policyUnwritten, ...alerting, dependsOn: [] };
  const isUsual = JSON.stringify(policy) === JSON.stringify({ ...policyUnwritten });
  return { ...definition, alerting: isUsual ? null : policy };
}
