import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  type NotificationData,
  NotificationDataSchema,
} from "#contract/openstatus/notification/v1/notification_pb";
import type { Provider } from "#service/notify/channel";

/** What a provider is given, by the names of the interface, as a message whose case is the provider's. */
export function notificationData(
  provider: Provider,
  given: Readonly<Record<string, unknown>>,
): NotificationData {
  const fields = Object.entries(given).map(([name, value]) => [name, wireValue(name, value)]);
  const json: JsonValue = JSON.parse(JSON.stringify({ [provider]: Object.fromEntries(fields) }));
  return fromJson(NotificationDataSchema, json);
}

const wireValue = (name: string, value: unknown): unknown =>
  name === "region" ? `OPSGENIE_REGION_${String(value).toUpperCase()}` : value;
