import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Configuration, WantedLocation } from "#cli/apply/configuration";
import type { MonitorName } from "#cli/apply/monitor-name";
import type { WantedChannel } from "#cli/apply/written-channels";
import type { WantedMaintenance } from "#cli/apply/written-maintenances";
import type { WrittenMonitor } from "#cli/apply/written-monitors";
import type { WrittenPage } from "#cli/apply/written-pages";
import type { MessageWith } from "#wire/message-with";
import { rulesMessage } from "#service/channels/rules-message";
import type { LocationFieldName } from "#service/resources/location-definition";
import type { MaintenanceFieldName } from "#service/resources/maintenance-definition";
import type { ComponentFieldName, GroupFieldName } from "#service/status-page/part-definitions";
import {
  type Configuration as ConfigurationMessage,
  ConfigurationSchema,
  type ConfiguredChannelSchema,
  type ConfiguredComponentSchema,
  type ConfiguredGroupSchema,
  type ConfiguredLocationSchema,
  type ConfiguredMaintenanceSchema,
  type ConfiguredMonitorSchema,
  type ConfiguredPageSchema,
  type MonitorNameSchema,
} from "#contract/picket/v1/configuration_pb";
import { pageFields } from "#service/status-site/page-message";
import { configOf, managedMonitor } from "#wire/managed-monitor";
import { notificationData } from "#service/notify/notification-message";
import { wireProviders } from "#service/notify/notification-providers";

/** What files want, as it is sent to a service. `alsoAt` is a location that runs all the monitors too. */
export const configurationMessage = (
  configuration: Configuration,
  owner: string,
  alsoAt: string | null,
): ConfigurationMessage =>
  create(ConfigurationSchema, {
    owner,
    monitors: configuration.written.map(monitorMessage),
    locations: locationsOf(configuration, alsoAt),
    channels: configuration.channels.map(channelMessage),
    pages: configuration.pages.map(pageMessage),
    maintenances: configuration.maintenances.map(maintenanceMessage),
  });

const monitorMessage = ({
  definition,
  dependsOn,
  renamedFrom,
}: WrittenMonitor): MessageInitShape<typeof ConfiguredMonitorSchema> => ({
  config: { config: configOf(managedMonitor(definition)) },
  dependsOn: dependsOn.map((name) => ({ name })),
  renamedFrom,
});

const named = ({ kind, name }: MonitorName): MessageInitShape<typeof MonitorNameSchema> => ({
  kind,
  name,
});

/** Those of the files, and those of the service that monitors of the files name. */
function locationsOf(
  { monitors, locations, elsewhere }: Configuration,
  alsoAt: string | null,
): MessageInitShape<typeof ConfiguredLocationSchema>[] {
  const own = locations.map((one) =>
    locationMessage(one.name === alsoAt ? { ...one, monitors } : one),
  );
  const added = new Map(
    [...Map.groupBy(elsewhere, ({ location }) => location)].map(([name, all]) => [
      name,
      {
        name,
        addsOnly: true,
        monitors: all.map(({ monitor }) => named(monitor)),
        makesMissing: false,
      },
    ]),
  );
  if (alsoAt !== null && !locations.some(({ name }) => name === alsoAt)) {
    const all = monitors.map(named);
    added.set(alsoAt, { name: alsoAt, addsOnly: true, monitors: all, makesMissing: true });
  }
  return [...own, ...added.values()];
}

const locationMessage = ({
  name,
  renamedFrom,
  metadata,
  monitors,
}: WantedLocation): MessageWith<typeof ConfiguredLocationSchema, LocationFieldName> => ({
  name,
  renamedFrom,
  metadata: { ...metadata },
  monitors: monitors.map(named),
});

const channelMessage = ({
  name,
  renamedFrom,
  provider,
  given,
  rules,
  monitors,
}: WantedChannel): MessageInitShape<typeof ConfiguredChannelSchema> => ({
  name,
  renamedFrom,
  provider: wireProviders[provider],
  data: notificationData(provider, given),
  // Locations are named, and have no ids here.
  rules: rulesMessage({ ...rules, locations: [] }),
  monitors: monitors.map(named),
  locations: [...rules.locations],
});

const pageMessage = ({
  renamedFrom,
  definition,
  password,
  groups,
  components,
}: WrittenPage): MessageInitShape<typeof ConfiguredPageSchema> => ({
  renamedFrom,
  page: { ...pageFields(definition), password },
  groups: groups.map((one): MessageWith<typeof ConfiguredGroupSchema, GroupFieldName> => one),
  components: components.map(componentMessage),
});

const componentMessage = ({
  monitor,
  ...component
}: WrittenPage["components"][number]): MessageWith<
  typeof ConfiguredComponentSchema,
  ComponentFieldName
> => ({ ...component, ...(monitor === "" ? {} : { monitor: { name: monitor } }) });

const maintenanceMessage = ({
  path: _path,
  monitors,
  locations,
  announced,
  remindSubscribers,
  sayTimes,
  ...window
}: WantedMaintenance): MessageWith<typeof ConfiguredMaintenanceSchema, MaintenanceFieldName> => ({
  ...window,
  monitors: monitors.map((name) => ({ name })),
  locations: [...locations],
  page: announced?.page ?? "",
  components: [...(announced?.components ?? [])],
  ...(remindSubscribers === null ? {} : { remindSubscribers }),
  ...(sayTimes === null ? {} : { sayTimes }),
});
