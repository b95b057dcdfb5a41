import { type FormFields, type FormField, type Choice, column } from "#check/form-field";
import type { ChannelRuleName } from "#service/alerting/channel-rules";
import type { Provider } from "#service/notify/channel";
import { providerFields } from "#service/operator/channels/provider-fields";
import { emptyNameHelp } from "#service/operator/channels/channel-name";
import { reminderMin } from "#limits/alerts-limits";
import { lengthOf } from "#web/page/format";
import { zoneChoices } from "#service/operator/zones/zone-choices";
import { foldedGroup, type FormGroup, openGroup } from "#service/operator/forms/form-group";

export const channelGroups: readonly FormGroup[] = [
  openGroup("where", "Destination"),
  openGroup("monitors", "Monitors"),
  openGroup("when", "Events and times"),
  { ...foldedGroup("some", "Filters"), none: "All locations and labels" },
];

/** The form of one provider: its own fields, and those that all channels have. */
export const channelFields = (provider: Provider): FormFields => ({
  name: nameField(provider),
  ...providerFields[provider],
  ...rules,
  ...monitors,
});

/** Providers whose messages go to a room, which people name so. */
const rooms: ReadonlySet<Provider> = new Set(["discord", "google_chat", "ms_teams", "slack"]);

const nameField = (provider: Provider): FormField => ({
  group: "where",
  label: "Name",
  help: `Empty: ${emptyNameHelp(provider)}.`,
  control: { is: "text", width: "name", example: rooms.has(provider) ? "#ops" : "Operations" },
});

const monitors: FormFields = {
  monitor_ids: {
    group: "monitors",
    label: "Or only these monitors",
    help: "",
    control: { is: "several" },
  },
};

/** A day or days on which quiet hours begin, as files write them, with a comma between them. */
export const quietDays: readonly Choice[] = [
  ["", "every day"],
  ["mon,tue,wed,thu,fri", "Monday to Friday"],
  ["sat,sun", "Saturday and Sunday"],
  ["mon", "Monday"],
  ["tue", "Tuesday"],
  ["wed", "Wednesday"],
  ["thu", "Thursday"],
  ["fri", "Friday"],
  ["sat", "Saturday"],
  ["sun", "Sunday"],
];

/** A field for every rule of a channel. */
const rules: FormFields<ChannelRuleName> = {
  all_monitors: {
    group: "monitors",
    label: "All monitors, also those made later",
    help: "",
    control: { is: "flag" },
  },
  events: {
    group: "when",
    label: "Events",
    help: "",
    control: { is: "several" },
  },
  quiet_hours: {
    group: "when",
    label: "Quiet hours",
    help: "Nothing is sent then. What is still open is sent as they end. The same From and To: all day.",
    control: {
      is: "rows",
      one: "quiet hours",
      columns: {
        days: column("Begin on", { is: "choice", choices: quietDays }),
        from: column("From", { is: "time" }),
        to: column("To", { is: "time" }),
      },
    },
  },
  time_zone: {
    group: "when",
    label: "Time zone",
    help: "Of quiet hours, and of the times in messages.",
    control: { is: "choice", choices: zoneChoices() },
  },
  delay: {
    group: "when",
    label: "Wait before the first message",
    help: "What ends sooner is not sent, for example within 2\u00A0min.",
    control: { is: "duration", written: "words", example: "2 min", empty: "at once" },
  },
  reminder: {
    group: "when",
    label: "Repeat every",
    help: `Until it is acknowledged, for example 4\u00A0h; ${lengthOf(reminderMin)} at least.`,
    control: { is: "duration", written: "words", example: "4 h", empty: "never" },
  },
  locations: {
    group: "some",
    label: "Only what these locations see",
    help: "None ticked: all.",
    control: { is: "several" },
  },
  labels: {
    group: "some",
    label: "Only monitors with these labels",
    help: "",
    control: {
      is: "pairs",
      one: "label",
      columns: {
        key: column("Label", { is: "text", width: "word", example: "team" }),
        value: column("Value", { is: "text", width: "name", example: "any value" }),
      },
    },
  },
};

/** What each event is called. */
export const eventChoices: readonly Choice[] = [
  ["error", "A monitor fails"],
  ["degraded", "A monitor is slow"],
  ["recovery", "A monitor is up again"],
  ["location", "A location is silent or broken"],
  ["maintenance", "Planned maintenance"],
];
