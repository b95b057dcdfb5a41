import { fileArguments } from "#check/kinds/kind-table";
import {
  type Argument,
  optionalRow,
  type Pair,
  pairs,
  rows,
  text,
  texts,
  type Arguments,
} from "#check/argument";
import type { ArgumentFor } from "#check/field-names";
import { kinds } from "#check/monitor";
import { argumentsOf, listOf } from "#check/monitor-arguments";
import { renamedFrom } from "#check/kinds/common-arguments";
import { channelArguments, type ChannelValues } from "#service/resources/channel-arguments";
import type { LocationFieldName } from "#service/resources/location-definition";
import * as limits from "#limits/check-limits";
import { pageArguments, type PageValues } from "#service/resources/page-arguments";
import {
  maintenanceArguments,
  type MaintenanceValues,
} from "#service/resources/maintenance-arguments";

/* What a configuration file may say; docs/reference/monitors.md is made from these tables. */

export interface LocationArguments extends ArgumentFor<LocationFieldName> {
  readonly name: Argument<string>;
  readonly renamed_from: Argument<string>;
  readonly monitors: Argument<readonly string[]>;
  readonly metadata: Argument<readonly Pair[]>;
}

/** A private location by the names of the specification. */
export const locationArguments: LocationArguments = {
  name: text({
    does: "What the location is called.",
    limit: `${limits.nameCharsMax} characters; unique among locations`,
  }),
  renamed_from: renamedFrom,
  monitors: texts({
    does: "Names of the monitors that its agents run, in addition to those that name it in `locations`. A monitor that is named no longer is taken away.",
    fallback: [],
  }),
  metadata: pairs({
    does: "Your own labels, e.g. `site: berlin`. A label that is left out is taken away.",
    limit: `${limits.locationLabelsMax} labels`,
    fallback: [],
  }),
};

type Lists = typeof fileArguments;
type ConfigurationArguments = Lists & {
  readonly private_locations: Argument<readonly LocationValues[]>;
  readonly notifications: Argument<readonly ChannelValues[]>;
  readonly status_pages: Argument<readonly PageValues[]>;
  readonly maintenances: Argument<readonly MaintenanceValues[]>;
  readonly defaults: Argument<unknown>;
  readonly owner: Argument<string>;
};
export interface LocationValues {
  readonly name: string;
  readonly renamed_from: string;
  readonly monitors: readonly string[];
  readonly metadata: readonly Pair[];
}

const byMonitorList: Arguments = Object.fromEntries(
  kinds.map((kind) => [
    listOf(kind),
    optionalRow(argumentsOf(kind), { does: `For each entry of \`${listOf(kind)}\`.` }),
  ]),
);

const byList = {
  ...byMonitorList,
  private_locations: optionalRow(locationArguments, {
    does: "For each entry of `private_locations`.",
  }),
  status_pages: optionalRow(pageArguments, { does: "For each entry of `status_pages`." }),
  maintenances: optionalRow(maintenanceArguments, { does: "For each entry of `maintenances`." }),
  notifications: optionalRow(channelArguments, { does: "For each entry of `notifications`." }),
};

/** The lists whose entries may have defaults. */
export const defaultLists: readonly string[] = Object.keys(byList);

/** The keys of a configuration file. */
export const configurationArguments: ConfigurationArguments = {
  ...fileArguments,
  private_locations: rows(locationArguments, {
    does: "Private locations, and which monitors their agents run.",
    fallback: [],
  }),
  notifications: rows(channelArguments, {
    does: "Notification channels: where messages about incidents go.",
    fallback: [],
  }),
  status_pages: rows(pageArguments, {
    does: "Status pages, with their components and groups.",
    fallback: [],
  }),
  maintenances: rows(maintenanceArguments, {
    does: "Planned work: nothing opens an incident meanwhile.",
    fallback: [],
  }),
  owner: text({
    does: "Who the objects of these files belong to: only what it owns is deleted by `--prune`.",
    fallback: "",
  }),
  defaults: optionalRow(byList, {
    does: "Defaults for the entries of this file.",
  }),
};
