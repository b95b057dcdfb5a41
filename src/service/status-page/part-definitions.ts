import type { EpochMillis } from "#base/units";
import { byName, type NamesOf } from "#check/field-names";
import type { ComponentImpact, ReportStatus } from "#service/status-page/report-words";

/** What a person says of a component of a page; what it shows and its group are apart. */
export interface ComponentDefinition {
  readonly name: string;
  readonly description: string;
  readonly order: number;
  readonly groupOrder: number;
}

const componentFieldNames = {
  name: "name",
  description: "description",
  order: "order",
  groupOrder: "group_order",
} as const;
export type ComponentFieldName = NamesOf<ComponentDefinition, typeof componentFieldNames>;

export const namedComponent = (
  component: ComponentDefinition,
): Readonly<Record<ComponentFieldName, unknown>> => byName(component, componentFieldNames);

/** What a person says of a group of components. */
export interface GroupDefinition {
  readonly name: string;
  readonly defaultOpen: boolean;
}

const groupFieldNames = { name: "name", defaultOpen: "default_open" } as const;
export type GroupFieldName = NamesOf<GroupDefinition, typeof groupFieldNames>;

export const namedGroup = (group: GroupDefinition): Readonly<Record<GroupFieldName, unknown>> =>
  byName(group, groupFieldNames);

/** What a person says in one update of a report. */
export interface UpdateDefinition {
  readonly status: ReportStatus;
  readonly at: EpochMillis;
  readonly message: string;
  readonly impacts: readonly ComponentImpact[];
}

/** By their names in calls: no file has them. */
export type UpdateFieldName = NamesOf<
  UpdateDefinition,
  { status: "status"; at: "date"; message: "message"; impacts: "component_impacts" }
>;
