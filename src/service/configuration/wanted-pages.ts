import { shownPath } from "#check/argument";
import { create } from "@bufbuild/protobuf";
import { CreateStatusPageRequestSchema } from "#contract/openstatus/status_page/v1/status_page_pb";
import type { ConfiguredPage } from "#contract/picket/v1/configuration_pb";
import { type NamedMonitor, namedIn } from "#service/configuration/named-monitor";
import { newDefinition } from "#service/status-site/page-fields";
import type { PageDefinition } from "#service/status-page/page-definition";
import type { ComponentDefinition, GroupDefinition } from "#service/status-page/part-definitions";
import { pageFaults, partsFaults } from "#service/status-page/page-rules";

/** A status page that files want, with all that stands on it. */
export interface WantedPage {
  /** Its slug. */
  readonly name: string;
  readonly renamedFrom: string;
  readonly definition: PageDefinition;
  readonly password: string;
  readonly groups: readonly WantedGroup[];
  readonly components: readonly WantedComponent[];
}

/** What files want, by its name; `renamedFrom` is the name before. */
export interface WantedObject {
  readonly name: string;
  readonly renamedFrom: string;
}
type WantedGroup = WantedObject & GroupDefinition;
export interface WantedComponent extends WantedObject, ComponentDefinition {
  /** Null: a static one. */
  readonly monitor: NamedMonitor | null;
  /** The name of its group; empty if it is in none. */
  readonly group: string;
}

export type Violate = (field: string, message: string) => void;

export function pageIn(one: ConfiguredPage, violate: Violate): WantedPage {
  const page = one.page ?? create(CreateStatusPageRequestSchema);
  const definition = newDefinition(page);
  const password = page.password ?? "";
  for (const { field, message } of pageFaults(definition, password)) violate(field, message);
  for (const { path, message } of partsFaults(one)) violate(shownPath(path), message);
  return {
    name: definition.slug,
    renamedFrom: one.renamedFrom,
    definition,
    password,
    groups: one.groups,
    components: one.components.map(({ monitor, ...component }) => ({
      ...component,
      monitor: monitor === undefined ? null : namedIn(monitor),
    })),
  };
}
