import { type Control, column, type FormFields } from "#check/form-field";
import { kinds } from "#check/monitor";
import { providers } from "#service/notify/channel";
import { channelFields } from "#service/operator/channels/channel-fields";
import { locationFields } from "#service/operator/locations/location-fields";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { fieldsWith } from "#service/operator/planned/maintenance-fields";
import { reportFields } from "#service/operator/publishing/report-fields";
import {
  lookFormFields,
  settingsFormFields,
} from "#service/operator/publishing/status-page-fields";
import { subscriberFields } from "#service/operator/publishing/subscriber-views";
import { mailFields } from "#service/operator/settings/mail-fields";
import { pageDefaults } from "#service/status-page/page-definition";

/** Whether the form that was sent to this address has a page, which shows it again with what was typed. */
export const hasFormPage = (path: string): boolean =>
  tables.some(([pattern]) => pattern.test(path));

/** What a person may have typed into a form that was sent to this address, in the order of its fields. */
export function fieldsAt(path: string, form: URLSearchParams): FormFields {
  const found = tables.find(([pattern]) => pattern.test(path));
  return found === undefined ? smallFields : found[1](form);
}

const line: Control = { is: "text", width: "line" };
const flag: Control = { is: "flag" };
const several: Control = { is: "several" };
const choice: Control = { is: "choice", choices: [] };
const hidden: Control = { is: "secret", lines: 1 };
const long: Control = { is: "long", lines: 3 };

/** Those of forms without a table. Their passwords and codes are never shown. */
const smallFields: FormFields = {
  name: column("Name", line),
  email: column("E-mail address", line),
  role: column("Role", line),
  access: column("May sign in", line),
  scope: column("Scope", line),
  days: column("Ends after days", line),
  address: column("Public address", line),
  time_zone: column("Time zone", line),
  url: column("URL", hidden),
  monitor: column("Monitors", several),
  monitors: column("Monitors", several),
  location: column("Location", several),
  key: column("Label", line),
  value: column("Value", line),
  description: column("Description", long),
  group: column("Group", choice),
  place: column("Position", line),
  default_open: column("Readers see its components at once", flag),
  message: column("Message", long),
  notify: column("Send it to the subscribers of the page", flag),
  comment: column("Comment for your colleagues", long),
  reason: column("Reason", line),
  length: column("For", line),
  current: column("Current password", hidden),
  password: column("New password", hidden),
  code: column("Code", hidden),
};

const ofAllProviders: FormFields = Object.assign({}, ...providers.map(channelFields));

/** The path of a webhook may be a secret. */
const ofSubscribers: FormFields = {
  ...subscriberFields,
  webhook_url: { ...subscriberFields.webhook_url, control: hidden },
};

/** Its own colours are examples, which no list has. */
const anyPage = { ...pageDefaults, title: "", slug: "" };

const tables: readonly (readonly [path: RegExp, fields: (form: URLSearchParams) => FormFields])[] =
  [
    [
      /^\/monitors\/(?:new|\d+\/edit)$/,
      (form) => monitorFields(kinds.find((kind) => kind === form.get("kind")) ?? "http"),
    ],
    [/^\/channels\/(?:new\/\w+|\d+\/edit)$/, () => ofAllProviders],
    [/^\/locations\/(?:new|\d+\/edit)$/, () => locationFields],
    [/^\/maintenances\/(?:new|\d+\/edit)$/, () => fieldsWith([])],
    [/^\/status-pages(?:\/\d+)?$/, () => settingsFormFields.page],
    [/^\/status-pages\/\d+\/access$/, () => settingsFormFields.access],
    [/^\/status-pages\/\d+\/look$/, () => lookFormFields(anyPage)],
    [/^\/status-pages\/\d+\/subscribers$/, () => ofSubscribers],
    [/^\/settings\/mail$/, () => mailFields],
    [
      /^(?:\/status-pages\/\d+\/reports\/new|\/reports\/\d+(?:\/updates\/\d+\/edit)?)$/,
      () => reportFields.report,
    ],
  ];
