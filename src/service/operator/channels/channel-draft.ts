import { durationText } from "#base/duration";
import type { Mistake } from "#check/findings";
import { isMapping, type Mapping } from "#base/json";
import type { ChannelRules } from "#service/alerting/channel-rules";
import { channelNameFaults } from "#service/alerting/rule-faults";
import { dayWords, readWordedRules } from "#service/alerting/worded-rules";
import { configurationIn } from "#service/channels/channel-message";
import { usualRules } from "#service/channels/usual-rules";
import {
  type Channel,
  type Configuration,
  type Provider,
  providers,
} from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { pastedAddress } from "#service/notify/mail-address";
import { channelFields } from "#service/operator/channels/channel-fields";
import { providerFields } from "#service/operator/channels/provider-fields";
import { typedFor, writtenIn } from "#service/operator/forms/form-reading";
import { stringRecord } from "#service/operator/string-record";
import type { ChannelRow } from "#service/store/channel-store";
import { millis } from "#base/units";

/** What a form says of a channel, and all that is wrong with it by its field. */
interface ChannelDraft {
  readonly name: string;
  readonly given: ChannelArguments;
  readonly rules: ChannelRules;
  readonly mistakes: readonly Mistake[];
}

/** Reads the form of a provider. `saved` is what secrets that were left alone keep. */
export function draftIn(
  provider: Provider,
  typed: URLSearchParams,
  saved: ChannelArguments,
  unsendable: (configuration: Configuration) => Mistake | null,
): ChannelDraft {
  const written = writtenIn(channelFields(provider), typed, saved);
  const name = textIn(written, "name");
  const given = givenIn(provider, written);
  const read = configurationIn(provider, given);
  const wrongUrl = read.ok ? unsendable(read.configuration) : null;
  const events = typed.getAll("events");
  const worded = readWordedRules({
    allMonitors: typed.has("all_monitors"),
    events,
    delay: textIn(written, "delay"),
    reminder: textIn(written, "reminder"),
    quietHours: quietHoursIn(written["quiet_hours"]),
    labels: stringRecord(written["labels"]),
    timeZone: textIn(written, "time_zone") || "UTC",
  });
  const locations = typed.getAll("locations").map(Number);
  return {
    name,
    given,
    rules: { ...worded.rules, locations },
    mistakes: [
      ...channelNameFaults(name),
      ...(read.ok ? [] : read.mistakes),
      ...(wrongUrl === null ? [] : [wrongUrl]),
      ...(events.length === 0
        ? [{ field: "events", message: "must have at least one, or no message is ever sent" }]
        : []),
      ...worded.mistakes,
    ],
  };
}

const givenIn = (provider: Provider, written: Mapping): ChannelArguments =>
  Object.fromEntries(
    Object.keys(providerFields[provider]).flatMap((field) =>
      written[field] === undefined ? [] : [[field, asMeant(provider, written[field])]],
    ),
  );

/** People paste an address of mail as a link, or with the name of whoever has it. */
const asMeant = (provider: Provider, value: unknown): unknown =>
  provider === "email" && typeof value === "string" ? pastedAddress(value) : value;

const textIn = (written: Mapping, field: string): string => {
  const value = written[field];
  return typeof value === "string" ? value : "";
};

const quietHoursIn = (rows: unknown) =>
  (Array.isArray(rows) ? rows.filter(isMapping) : []).map((row) => ({
    days: textIn(row, "days")
      .split(",")
      .filter((day) => day !== ""),
    from: textIn(row, "from"),
    to: textIn(row, "to"),
  }));

/**
 * The empty form of a provider: what a person has who says nothing. `timeZone` is that of the person; null if none is known.
 * `email` is the address that they pasted before.
 */
export const firstDraft = (
  provider: Provider,
  timeZone: string | null,
  email: string | null = null,
): URLSearchParams =>
  typedFor(channelFields(provider), {
    name: "",
    email,
    ...wordsOf({ ...usualRules(provider), allMonitors: true }),
    ...(timeZone === null ? {} : { time_zone: timeZone }),
  });

/** A channel as its form shows it: of secrets only that there are some. */
export const draftOf = (row: ChannelRow, saved: ChannelArguments): URLSearchParams =>
  typedFor(channelFields(row.provider), {
    name: row.name,
    ...saved,
    monitor_ids: row.rules.allMonitors ? [] : row.monitors.map(String),
    ...wordsOf(row.rules),
  });

/** The saved arguments by the names of files; none if its data cannot be opened. */
export const savedArguments = (channel: Channel | null): ChannelArguments =>
  Object.fromEntries(
    Object.entries(channel?.configuration ?? {}).map(([key, value]: [string, unknown]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const wordsOf = (rules: ChannelRules): Mapping => ({
  all_monitors: rules.allMonitors,
  events: rules.events,
  quiet_hours: rules.quietHours.map(({ days, from, to }) => ({
    days: days.map((day) => dayWords[day - 1] ?? "").join(","),
    from,
    to,
  })),
  delay: durationText(rules.delay),
  reminder: durationText(rules.reminder ?? millis(0)),
  locations: rules.locations.map(String),
  labels: rules.labels,
  time_zone: rules.timeZone,
});

/** The provider of a route. */
export function providerNamed(word: string): Provider {
  const provider = providers.find((one) => one === word);
  if (provider === undefined) throw new TypeError(`the route let ${word} pass as a provider`);
  return provider;
}
