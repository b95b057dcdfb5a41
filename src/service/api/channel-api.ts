import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { ChannelRules } from "#service/alerting/channel-rules";
import {
  type NotificationData,
  type NotificationProvider,
  type NotificationRules,
  NotificationService,
  type UpdateNotificationRequest,
} from "#contract/openstatus/notification/v1/notification_pb";
import * as limits from "#limits/alerts-limits";
import { providers } from "#service/notify/channel";
import { callersKey, seesSecrets } from "#service/agents/admission";
import { refuseViolations } from "#service/edge/call-refusal";
import { type ChannelChoice, configuredIn } from "#service/channels/channel-choice";
import { dataMessage, emptyData, givenIn } from "#service/channels/channel-message";
import { invalidData } from "#service/channels/channel-fault";
import type { NotificationChannels } from "#service/channels/notification-channels";
import { rulesIn, rulesMessage } from "#service/channels/rules-message";
import type { TestMessages } from "#service/channels/test-messages";
import { pageOf } from "#service/edge/page";
import { timeText } from "#service/monitors/shown-monitor";
import { wireProviders } from "#service/notify/notification-providers";
import type { ChannelRow } from "#service/store/channel-store";

export interface ChannelApi {
  readonly channels: NotificationChannels;
  readonly testMessages: TestMessages;
}

type Calls = ServiceImpl<typeof NotificationService>;

/** openstatus.notification.v1.NotificationService: what a person or a tool does with notification channels. */
export function channelApi(router: ConnectRouter, api: ChannelApi): void {
  router.service(NotificationService, {
    ...changingCalls(api),
    ...readingCalls(api),
    sendTestNotification: async (request, { values, signal }) => {
      const { provider, data, notificationId } = request;
      const kept = notificationId === "" ? null : await api.channels.get(notificationId);
      const caller = values.get(callersKey)?.id ?? "";
      const { channels, testMessages } = api;
      const trouble =
        kept === null
          ? await testMessages.send(
              { channel: unkept(api, provider, data), timeZone: "UTC" },
              caller,
              signal,
            )
          : await testMessages.sendKept(
              { id: kept.id, opened: channels.opened(kept), timeZone: kept.rules.timeZone },
              caller,
              signal,
            );
      return trouble === null ? { success: true } : { success: false, errorMessage: trouble };
    },
  } satisfies ServiceImpl<typeof NotificationService>);
}

function unkept(
  { channels }: ChannelApi,
  provider: NotificationProvider,
  data: NotificationData | undefined,
) {
  const configured = configuredIn(provider, data);
  return channels.unkept(configured.provider, configured.given);
}

function changingCalls({
  channels,
}: ChannelApi): Pick<Calls, "createNotification" | "updateNotification" | "deleteNotification"> {
  return {
    createNotification: async ({ name, provider, data, monitorIds, rules }) => {
      const configured = configuredIn(provider, data);
      const wanted = { name, ...configured, monitorIds, rules: rules ? readRules(rules) : null };
      return { notification: await shown(channels, await channels.create(wanted), true) };
    },
    updateNotification: async (request) => {
      const named = maskOf(request.updateMask);
      const row = await channels.update(request.id, {
        name: named.has("name") ? (request.name ?? "") : (request.name ?? null),
        configured: dataChange(request, named),
        monitorIds: monitorsChange(request, named),
        rules: rulesChange(request, named),
        rotate: request.rotateSigningSecret,
        isOlder: request.rules?.allMonitors === undefined,
      });
      return { notification: await shown(channels, row, true) };
    },
    deleteNotification: async ({ id }) => {
      await channels.delete(id);
      return { success: true };
    },
  };
}

function readingCalls({
  channels,
}: ChannelApi): Pick<Calls, "getNotification" | "listNotifications" | "checkNotificationLimit"> {
  return {
    getNotification: async ({ id }, context: HandlerContext) => ({
      notification: await shown(channels, await channels.get(id), seesSecrets(context)),
    }),
    listNotifications: async (request) => {
      const { limit, offset } = pageOf(request);
      const rows = await channels.list(limit, offset);
      const troubles = await channels.troubles(rows);
      return {
        notifications: rows.map((row) => ({
          ...sharedFields(row),
          monitorCount: row.monitors.length,
          trouble: troubles.get(row.id) ?? "",
        })),
        totalSize: await channels.count(),
      };
    },
    checkNotificationLimit: async () => {
      const currentCount = await channels.count();
      const maxCount = limits.serviceChannelsMax;
      return { limitReached: currentCount >= maxCount, currentCount, maxCount };
    },
  };
}

async function shown(channels: NotificationChannels, row: ChannelRow, secrets: boolean) {
  const channel = channels.opened(row);
  return {
    ...sharedFields(row),
    data: channel === null ? emptyData(row.provider) : dataMessage(channel, secrets),
    monitorIds: row.monitors.map(String),
    rules: rulesMessage(row.rules),
    trouble: (await channels.troubles([row])).get(row.id) ?? "",
  };
}

const sharedFields = (row: ChannelRow) => ({
  id: String(row.id),
  name: row.name,
  provider: wireProviders[row.provider],
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
  dataFingerprint: row.fingerprint,
});

function dataChange({ data }: UpdateNotificationRequest, named: Mask): ChannelChoice | null {
  const configured = givenIn(data);
  if (configured === null && named.has("data"))
    throw invalidData("data", "is in update_mask but has no fields: a channel needs them");
  if (configured === null) return null;
  const provider = providers.find((one) => one === configured.word);
  if (provider === undefined) throw invalidData("data", "is of an unknown provider");
  return { provider, given: configured.given };
}

const monitorsChange = (
  { monitorIds, updateMonitorIds }: UpdateNotificationRequest,
  named: Mask,
): readonly string[] | null =>
  updateMonitorIds === true || named.has("monitor_ids") ? monitorIds : null;

function rulesChange(
  { rules }: UpdateNotificationRequest,
  named: Mask,
): "default" | ChannelRules | null {
  if (rules !== undefined) return readRules(rules);
  return named.has("rules") ? "default" : null;
}

function readRules(message: NotificationRules): ChannelRules {
  const { rules, mistakes } = rulesIn(message);
  refuseViolations(mistakes);
  return rules;
}

type Mask = ReadonlySet<string>;

function maskOf(mask: FieldMask | undefined): Mask {
  const named = new Set(mask?.paths ?? []);
  const odd = [...named].filter((path) => !maskable.has(path));
  refuseViolations(
    odd.map((path) => ({
      field: "update_mask",
      message: `names "${path.slice(0, 64)}", which is not one of ${[...maskable].join(", ")}`,
    })),
  );
  return named;
}

const maskable: Mask = new Set(["name", "data", "monitor_ids", "rules"]);
