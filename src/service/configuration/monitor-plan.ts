import { policyUnwritten, type WrittenPolicy } from "#check/alert-policy";
import type { MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import { type FieldDifference, namesDifference } from "#service/configuration/field-difference";
import { differencesOf } from "#service/configuration/monitor-difference";
import { byName, type Planning } from "#service/configuration/planning";
import type { WantedMonitor } from "#service/configuration/wanted";
import type { ObjectRef } from "#store/configuration-store";
import type { MonitorRow } from "#store/state-store";
import type { EpochMillis } from "#units";
import { managedMonitor } from "#wire/managed-monitor";

/** Plans the monitors: all are known before any is compared, for they may depend on each other. */
export function planMonitors(
  planning: Planning,
  wanted: readonly WantedMonitor[],
  at: EpochMillis,
): void {
  const rowsOf = {
    http: rowsOfKind(planning, wanted, "http"),
    tcp: rowsOfKind(planning, wanted, "tcp"),
    dns: rowsOfKind(planning, wanted, "dns"),
  };
  const found = wanted.map((one) => {
    const { kind, name } = one.definition;
    const match = planning.find(`${kind}_monitor`, one, rowsOf[kind]);
    const ref = match.row?.id ?? keyOf(one.definition);
    planning.knowMonitor(kind, name, ref);
    return { one, ...match };
  });
  for (const { one, row, notes, clear } of found)
    if (clear) planMonitor(planning, one, { row, notes, at });
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
  { definition, dependsOn: named, dependsOnIds }: WantedMonitor,
  {
    row,
    notes,
    at,
  }: {
    readonly row: MonitorRow | null;
    readonly notes: readonly string[];
    readonly at: EpochMillis;
  },
): void {
  const kind = `${definition.kind}_monitor` as const;
  const { name } = definition;
  const dependsOn = [
    ...planning.monitorsNamed(named, `The ${definition.kind} monitor "${name}"`),
    ...dependsOnIds,
  ];
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
  const depended = (before.alerting?.dependsOn ?? []).map(Number);
  const called = (refs: readonly ObjectRef[]): readonly string[] =>
    refs.map((ref) => planning.monitorName(ref));
  return [...own, ...namesDifference("depends_on", called(depended), called(dependsOn))];
}

/** Dependencies are compared as names, because ids of monitors that are made are not known yet. */
function independent(definition: MonitorDefinition): MonitorDefinition {
  const { alerting } = definition;
  if (alerting === null) return definition;
  const policy: WrittenPolicy = { ...alerting, dependsOn: [] };
  const isUsual = JSON.stringify(policy) === JSON.stringify({ ...policyUnwritten });
  return { ...definition, alerting: isUsual ? null : policy };
}
