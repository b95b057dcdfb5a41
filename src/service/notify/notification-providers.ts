import { NotificationProvider } from "#contract/openstatus/notification/v1/notification_pb";
import type { Provider } from "#service/notify/channel";

/** The providers' numbers in the contract. */
export const wireProviders: { readonly [P in Provider]: NotificationProvider } = {
  discord: NotificationProvider.DISCORD,
  email: NotificationProvider.EMAIL,
  google_chat: NotificationProvider.GOOGLE_CHAT,
  grafana_oncall: NotificationProvider.GRAFANA_ONCALL,
  ntfy: NotificationProvider.NTFY,
  pagerduty: NotificationProvider.PAGERDUTY,
  opsgenie: NotificationProvider.OPSGENIE,
  slack: NotificationProvider.SLACK,
  sms: NotificationProvider.SMS,
  telegram: NotificationProvider.TELEGRAM,
  webhook: NotificationProvider.WEBHOOK,
  whatsapp: NotificationProvider.WHATSAPP,
  ms_teams: NotificationProvider.MS_TEAMS,
};
