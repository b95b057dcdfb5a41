import { type FormFields, type FormField, type Control, column } from "#check/form-field";
import type { Provider } from "#service/notify/channel";

/* What each provider is given, as a person types it: a field for each of its arguments, and where to find what it takes. */

const where = (label: string, control: Control, help: string): FormField => ({
  group: "where",
  label,
  help,
  control,
});

const webhookUrl = (help: string): FormFields => ({
  webhook_url: where("Webhook URL", { is: "secret", lines: 1 }, help),
});
const phoneNumber = (help: string): FormFields => ({
  phone_number: where(
    "Phone number",
    { is: "text", width: "name", example: "+49 170 1234567" },
    help,
  ),
});

export const providerFields: { readonly [P in Provider]: FormFields } = {
  discord: webhookUrl(
    "In the channel: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.",
  ),
  email: {
    email: where(
      "E-mail address",
      { is: "text", width: "name", example: "ops@example.com" },
      "For several people, the address of a list.",
    ),
  },
  google_chat: webhookUrl("In the space: Apps & integrations, Webhooks, Add webhook."),
  grafana_oncall: webhookUrl("Integrations, New integration, Formatted webhook."),
  ntfy: {
    topic: where(
      "Topic",
      { is: "text", width: "name", example: "shop-3f9a2c" },
      "Choose one that no one guesses, and subscribe to it in the app. It needs no account.",
    ),
    server_url: where("Server", { is: "address", example: "https://ntfy.sh/" }, ""),
    token: where("Access token", { is: "secret", lines: 1 }, "Only for a topic that asks for one."),
  },
  pagerduty: {
    integration_key: where(
      "Integration key",
      { is: "secret", lines: 1 },
      "In the service: Integrations, Add integration, Events API V2.",
    ),
  },
  opsgenie: {
    api_key: where("API key", { is: "secret", lines: 1 }, "Teams, your team, Integrations, API."),
    region: where(
      "Region",
      {
        is: "choice",
        choices: [
          ["us", "United States"],
          ["eu", "Europe"],
        ],
      },
      "Where the account is.",
    ),
  },
  slack: webhookUrl(
    "At api.slack.com/apps: an app, Incoming Webhooks, Add New Webhook. Mattermost has one, too.",
  ),
  sms: phoneNumber(
    "With + and the country. A text message costs money, so it says only what is down.",
  ),
  telegram: {
    chat_id: where(
      "Chat",
      { is: "text", width: "name", example: "@status or -1001234567890" },
      "Add the service's bot to the chat. A public channel is its @name, any other chat its number.",
    ),
  },
  webhook: {
    endpoint: where(
      "URL",
      { is: "secret", lines: 1 },
      "Each event is posted as signed JSON: one for each monitor, also if many fail for one cause.",
    ),
    headers: where(
      "Headers",
      {
        is: "rows",
        one: "header",
        columns: {
          key: column("Name", { is: "text", width: "name", example: "authorization" }),
          value: column("Value", { is: "secret", lines: 1 }),
        },
      },
      "",
    ),
  },
  whatsapp: phoneNumber("With + and the country."),
  ms_teams: webhookUrl("In the channel: Workflows, Send webhook alerts to a channel."),
};
