import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { NotificationDataSchema } from "#contract/openstatus/notification/v1/notification_pb";
import type { Management } from "#cli/management/management";
import { UsageError } from "#cli/usage-error";
import * as limits from "#limits/service-limits";
import { rulesOf } from "#notify/provider-table";
import { recognisedUrl, type UrlChannel } from "#notify/recognised-url";
import { wireProviders } from "#wire/notification-providers";

/** The channel that `--notify URL` means. No message quotes the URL: whoever has it can post. */
export function parseNotify(text: string): UrlChannel {
  const channel = recognisedUrl(text);
  if (channel === null)
    throw new UsageError(
      "--notify must be an http or https URL of a webhook, https://ntfy.sh/TOPIC, ntfy://HOST/TOPIC or mailto:ADDRESS",
    );
  const read = rulesOf(channel.provider).read(channel.given);
  if (read.ok) return channel;
  const [first] = read.mistakes;
  throw new UsageError(`--notify: ${first?.field ?? "it"} ${first?.message ?? "is wrong"}`);
}

/** Makes the channels for all monitors, in place of those of the last run; gives what each is, for the view. */
export async function settleChannels(
  channels: readonly UrlChannel[],
  monitorIds: readonly string[],
  { notifications }: Pick<Management, "notifications">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const limit = limits.monitorsListMax;
  const before = await notifications.listNotifications({ limit }, { signal });
  for (const { id, name } of before.notifications)
    if (name.startsWith(namePrefix)) await notifications.deleteNotification({ id }, { signal });
  const labels: string[] = [];
  for (const { provider, given } of channels) {
    const { label } = rulesOf(provider);
    const json: JsonValue = JSON.parse(JSON.stringify({ [provider]: given }));
    const request = {
      name: `${namePrefix}${label}`,
      provider: wireProviders[provider],
      data: fromJson(NotificationDataSchema, json),
      monitorIds: [...monitorIds],
    };
    await notifications.createNotification(request, { signal });
    labels.push(label);
  }
  return labels;
}

/** By which the channels of a run are known at the next one, with --data. */
const namePrefix = "picket up: ";
