import { create } from "@bufbuild/protobuf";
import {
  type NotificationRules,
  NotificationRulesSchema,
  type NotificationSummary,
} from "#contract/openstatus/notification/v1/notification_pb";
import type { WantedChannel } from "#cli/apply/written-channels";
import type { Management } from "#cli/management/management";
import type { ViewedMonitor } from "#cli/up/up-view";
import * as limits from "#limits/service-limits";
import { rulesOf } from "#service/notify/provider-table";
import type { UrlChannel } from "#service/notify/recognised-url";
import { notificationData } from "#service/notify/notification-message";
import { wireProviders } from "#service/notify/notification-providers";

/** Where `picket up` sends messages: the URLs of the command line, for all monitors, and the channels of its file. */
export interface UpChannels {
  readonly urls: readonly UrlChannel[];
  readonly written: readonly WantedChannel[];
}

/**
 * Makes the service's channels of this command those that are wanted; gives what each is, for the view. One that is there
 * from the last run stays the same channel, so that it hears the end of what it was sent.
 */
export async function settleChannels(
  { urls, written }: UpChannels,
  monitors: readonly ViewedMonitor[],
  { notifications }: Pick<Management, "notifications">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const limit = limits.monitorsListMax;
  const known = await notifications.listNotifications({ limit }, { signal });
  const before = known.notifications.filter(({ name }) => name.startsWith(namePrefix));
  const wanted = [
    ...urls.map((one) => urlChannel(one, monitors)),
    ...written.map((one) => fileChannel(one, monitors)),
  ];
  for (const { request } of wanted) {
    const id = takeSame(before, request);
    if (id === null) await notifications.createNotification(request, { signal });
    else
      await notifications.updateNotification(
        { ...request, id, updateMask: { paths: ["data", "monitor_ids", "rules"] } },
        { signal },
      );
  }
  for (const { id } of before) await notifications.deleteNotification({ id }, { signal });
  return wanted.map(({ shown }) => shown);
}

/** By which the channels of a run are known at the next one, with --data. */
const namePrefix = "picket up: ";

interface WantedHere {
  readonly shown: string;
  readonly request: {
    readonly name: string;
    readonly provider: NotificationSummary["provider"];
    readonly data: ReturnType<typeof notificationData>;
    readonly monitorIds: string[];
    readonly rules?: NotificationRules;
  };
}

function urlChannel(
  { provider, given }: UrlChannel,
  monitors: readonly ViewedMonitor[],
): WantedHere {
  const { label } = rulesOf(provider);
  return {
    shown: label,
    request: {
      name: `${namePrefix}${label}`,
      provider: wireProviders[provider],
      data: notificationData(provider, given),
      monitorIds: monitors.map(({ id }) => id),
    },
  };
}

function fileChannel(
  { name, provider, given, rules, monitors: own }: WantedChannel,
  monitors: readonly ViewedMonitor[],
): WantedHere {
  const names = new Set(own.map((one) => one.name));
  return {
    shown: `${name} (${rulesOf(provider).label})`,
    request: {
      name: `${namePrefix}${name}`,
      provider: wireProviders[provider],
      data: notificationData(provider, given),
      monitorIds: monitors.filter((one) => names.has(one.name)).map(({ id }) => id),
      rules: rulesMessage(rules),
    },
  };
}

/** Locations are left out: this command has one, whatever the file calls it. */
const rulesMessage = (rules: WantedChannel["rules"]): NotificationRules =>
  create(NotificationRulesSchema, {
    allMonitors: rules.allMonitors,
    events: [...rules.events],
    delaySeconds: BigInt(rules.delay / 1000),
    reminderSeconds: BigInt((rules.reminder ?? 0) / 1000),
    quietHours: rules.quietHours.map(({ days, from, to }) => ({ days: [...days], from, to })),
    labels: { ...rules.labels },
    timeZone: rules.timeZone,
  });

/** The channel of the last run that this one continues; it is taken from those that are left. */
function takeSame(
  before: NotificationSummary[],
  { name, provider }: WantedHere["request"],
): string | null {
  const index = before.findIndex((one) => one.name === name && one.provider === provider);
  return before.splice(index, index === -1 ? 0 : 1)[0]?.id ?? null;
}
