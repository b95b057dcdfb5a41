import type { Mistake } from "#check/findings";
import { create } from "@bufbuild/protobuf";
import type { ChannelRules } from "#service/alerting/channel-rules";
import type { MonitorDefinition } from "#check/definition";
import { ownDomain } from "#service/status-page/page-definition";
import { kinds } from "#check/monitor";
import { violationsOf } from "#check/read-monitor";
import type {
  Configuration,
  ConfiguredChannel,
  ConfiguredLocation,
  ConfiguredMaintenance,
  ConfiguredMonitor,
} from "#contract/picket/v1/configuration_pb";
import { NotificationRulesSchema } from "#contract/openstatus/notification/v1/notification_pb";
import * as limits from "#limits/check-limits";
import type { Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { channelNameFaults } from "#service/alerting/rule-faults";
import type { SaidMoments } from "#service/alerting/work-moments";
import {
  lacksSubscribers,
  maintenanceViolations,
  namesNothing,
} from "#service/maintenance/maintenance-rules";
import { writtenTime } from "#service/edge/written-time";
import { Refusal, refuseViolations } from "#service/edge/call-refusal";
import { configuredIn } from "#service/channels/channel-choice";
import { usualRules } from "#service/channels/usual-rules";
import { rulesIn } from "#service/channels/rules-message";
import { type NamedMonitor, namedIn } from "#service/configuration/named-monitor";
import {
  pageIn,
  type WantedPage,
  type WantedObject,
  type Violate,
} from "#service/configuration/wanted-pages";
import { locationViolations } from "#service/agents/location-rules";
import type { LocationDefinition } from "#service/resources/location-definition";
import type { MaintenanceDefinition } from "#service/resources/maintenance-definition";
import type { NewMaintenance } from "#service/store/maintenance-store";
import { managedDefinition, managedIn } from "#wire/managed-monitor";
import { signatureFault } from "#signing/monitor-signature";
import { lineFault, unixLines } from "#base/text";
import { epochMillis } from "#base/units";

/** What a configuration wants, with every rule of the calls kept. Objects refer to each other by name. */
export interface WantedConfiguration {
  readonly owner: string;
  readonly monitors: readonly WantedMonitor[];
  readonly locations: readonly WantedPlace[];
  readonly channels: readonly WantedTarget[];
  readonly pages: readonly WantedPage[];
  readonly maintenances: readonly WantedWindow[];
}

export interface WantedMonitor extends WantedObject {
  readonly definition: MonitorDefinition;
  readonly dependsOn: readonly NamedMonitor[];
  /** Those that are meant by their ids. */
  readonly dependsOnIds: readonly number[];
}

export interface WantedPlace extends WantedObject {
  /** Which one of the service it is, if several have its name and files say the id; null: the name says it. */
  readonly id: number | null;
  readonly definition: LocationDefinition;
  readonly monitors: readonly NamedMonitor[];
  /** Whether it is an object of the configuration, or one of the service that is given more monitors. */
  readonly is: "whole" | "added to" | "added to or made";
}

export interface WantedTarget extends WantedObject {
  readonly provider: Provider;
  readonly given: ChannelArguments;
  readonly rules: ChannelRules;
  readonly monitors: readonly NamedMonitor[];
  readonly locations: readonly string[];
}

export interface WantedWindow extends WantedObject {
  readonly made: MaintenanceDefinition & Pick<NewMaintenance, "notify">;
  readonly monitors: readonly NamedMonitor[];
  readonly locations: readonly string[];
  /** The slug of the page that it is announced on; empty: on none. */
  readonly page: string;
  /** Names of components of the page. */
  readonly components: readonly string[];
  /** What subscribers are sent by itself; what is left out stays. */
  readonly says: Partial<SaidMoments>;
}

/** Reads a configuration; throws a Refusal that names every rule that it breaks. */
export function wantedIn(message: Configuration): WantedConfiguration {
  const violations: Mistake[] = [];
  const violate = (field: string, text: string): void =>
    void violations.push({ field, message: text });
  if (message.owner.length > limits.nameCharsMax)
    violate("owner", `is longer than ${limits.nameCharsMax} characters`);
  refuseControls("owner", message.owner, violate);
  const wanted = {
    owner: message.owner,
    monitors: message.monitors.map((one, index) => monitorIn(one, at("monitors", index, violate))),
    locations: message.locations.map((one, index) => placeIn(one, at("locations", index, violate))),
    channels: message.channels.map((one, index) => targetIn(one, at("channels", index, violate))),
    pages: message.pages.map((one, index) => pageIn(one, at("pages", index, violate))),
    maintenances: message.maintenances.map((one, index) =>
      windowIn(one, at("maintenances", index, violate)),
    ),
  };
  refuseTwice(
    "monitors",
    wanted.monitors.map(({ definition }) => `${definition.kind} ${definition.name}`),
    violate,
  );
  for (const list of ["locations", "channels", "pages", "maintenances"] as const)
    refuseTwice(
      list,
      wanted[list].map(({ name }) => name),
      violate,
    );
  const domains = wanted.pages.map(({ definition }) => ownDomain(definition));
  refuseTwice(
    "pages",
    domains.filter((domain) => domain !== ""),
    violate,
  );
  refuseViolations(violations);
  return wanted;
}

const at =
  (list: string, index: number, violate: Violate): Violate =>
  (field, message) =>
    violate(`${list}[${index}].${field}`, message);

function refuseControls(field: string, text: string, violate: Violate): void {
  const fault = lineFault(text);
  if (fault !== null) violate(field, fault);
}

function refuseTwice(list: string, names: readonly string[], violate: Violate): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return violate(list, `has "${name}" twice`);
    seen.add(name);
  }
}

function monitorIn(
  { config, dependsOn, renamedFrom }: ConfiguredMonitor,
  violate: Violate,
): WantedMonitor {
  const definition = definitionIn(config?.config);
  for (const { field, message } of violationsOf(definition, "management")) violate(field, message);
  const fault = signatureFault(definition);
  if (fault !== null) violate("signature", fault);
  if (dependsOn.length > limits.dependenciesMax)
    violate("depends_on", `has more than ${limits.dependenciesMax} entries`);
  const ids = definition.alerting?.dependsOn ?? [];
  return {
    name: definition.name,
    renamedFrom,
    definition,
    dependsOn: dependsOn.map(namedIn),
    dependsOnIds: ids.map(Number),
  };
}

function definitionIn(
  config: NonNullable<ConfiguredMonitor["config"]>["config"] | undefined,
): MonitorDefinition {
  const managed = config === undefined ? null : managedIn(config);
  if (managed !== null) return managedDefinition(managed);
  throw new Refusal(
    "invalid_argument",
    `monitors has an entry that is not one of ${kinds.join(", ")}`,
  );
}

function placeIn(one: ConfiguredLocation, violate: Violate): WantedPlace {
  const { monitors, renamedFrom, addsOnly, makesMissing } = one;
  const definition: LocationDefinition = { name: one.name, metadata: one.metadata };
  for (const { field, message } of locationViolations(definition)) violate(field, message);
  const whole = makesMissing ? "added to or made" : "added to";
  return {
    id: null,
    name: definition.name,
    definition,
    monitors: monitors.map(namedIn),
    renamedFrom,
    is: addsOnly ? whole : "whole",
  };
}

function targetIn(one: ConfiguredChannel, violate: Violate): WantedTarget {
  const { provider, given } = configuredIn(one.provider, one.data);
  const nameFaults = channelNameFaults(one.name);
  if (one.name === "") violate("name", "is required");
  const { rules, mistakes } = rulesIn(
    one.rules ?? create(NotificationRulesSchema),
    usualRules(provider),
  );
  for (const { field, message } of [...nameFaults, ...mistakes]) violate(field, message);
  return {
    name: one.name,
    renamedFrom: one.renamedFrom,
    provider,
    given,
    rules,
    monitors: one.monitors.map(namedIn),
    locations: one.locations,
  };
}

function windowIn(one: ConfiguredMaintenance, violate: Violate): WantedWindow {
  const made = {
    title: one.title,
    message: unixLines(one.message),
    from: writtenTime("from", one.from),
    to: writtenTime("to", one.to),
    recurrence: one.recurrence,
    timeZone: one.timeZone === "" ? "UTC" : one.timeZone,
    notify: true,
  };
  const { page, components } = one;
  // Which objects it names is looked at when they are known.
  const some = { page, components, monitors: [0], locations: [], owner: "", at: epochMillis(0) };
  for (const { field, message } of maintenanceViolations({ ...made, ...some }))
    violate(field, message);
  if (page === "" && one.monitors.length + one.locations.length === 0)
    violate("monitors", namesNothing);
  return {
    name: one.title,
    renamedFrom: one.renamedFrom,
    made,
    monitors: one.monitors.map(namedIn),
    locations: one.locations,
    page,
    components,
    says: saysOf(one, violate),
  };
}

function saysOf(
  { page, remindSubscribers: reminder, sayTimes: times }: ConfiguredMaintenance,
  violate: Violate,
): Partial<SaidMoments> {
  if (page === "" && reminder === true) violate("remind_subscribers", lacksSubscribers);
  if (page === "" && times === true) violate("say_times", lacksSubscribers);
  return {
    ...(reminder === undefined ? {} : { reminder }),
    ...(times === undefined ? {} : { times }),
  };
}
