import { type ChannelRuleName, channelEvents } from "#service/alerting/channel-rules";
import {
  type Argument,
  type Arguments,
  type Pair,
  type Path,
  pairs,
  type Reading,
  rows,
  section,
  flag,
  text,
  texts,
  type ValuesOf,
  word,
} from "#check/argument";
import type { ArgumentFor } from "#check/field-names";
import { isMapping } from "#base/json";
import { renamedFrom } from "#check/kinds/common-arguments";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import { providers } from "#service/notify/channel";
import { neutralWords } from "#service/notify/provider-words";

/** Which monitors of the files a channel is for: all of them, those of these names, or those with these labels. */
export type MonitorChoice =
  | { readonly is: "all" }
  | { readonly is: "named"; readonly names: readonly string[] }
  | { readonly is: "labelled"; readonly labels: Readonly<Record<string, string>> };

const noMonitors: MonitorChoice = { is: "named", names: [] };
const named = texts({ does: "", fallback: [] });
const labelled = pairs({ does: "", fallback: [] });

const choice: Argument<MonitorChoice> = {
  ...named,
  does: "Whose incidents it gets, in addition to monitors that name it in `notifications`: `all` of these files, a list of names, or `labels` that they have.",
  takes: "`all`, a list of names, or `{ labels: { team: shop } }`",
  fallback: noMonitors,
  read: readChoice,
};

function readChoice(value: unknown, path: Path, reading: Reading): MonitorChoice {
  if (value === "all") return { is: "all" };
  if (Array.isArray(value)) return { is: "named", names: named.read(value, path, reading) };
  const [[key, labels] = ["", null], ...more] = Object.entries(isMapping(value) ? value : {});
  if (key === "labels" && more.length === 0) {
    const read = labelled.read(labels, [...path, key], reading);
    return { is: "labelled", labels: Object.fromEntries(read.map((one) => [one.key, one.value])) };
  }
  reading.report(path, "must be all, a list of names, or a mapping with labels alone");
  return noMonitors;
}

const secretUrl = {
  webhook_url: text({ does: "The webhook's URL. No output shows it.", limit: "https" }),
};
const phone = {
  phone_number: text({ does: "The number, e.g. +4915112345678.", limit: "E.164" }),
};

/** What each provider is given; the rules of providers judge the values. */
export const providerArguments: { readonly [P in (typeof providers)[number]]: Arguments } = {
  discord: secretUrl,
  email: { email: text({ does: "One address, e.g. ops@example.com." }) },
  google_chat: secretUrl,
  grafana_oncall: secretUrl,
  ntfy: {
    topic: text({ does: "The topic.", limit: "64 letters, digits, - and _" }),
    server_url: text({ does: "The server.", fallback: "https://ntfy.sh/" }),
    token: text({ does: "An access token, if the topic needs one.", fallback: "" }),
  },
  pagerduty: {
    integration_key: text({ does: "The key of an Events API v2 integration. It is a secret." }),
  },
  opsgenie: {
    api_key: text({ does: "The key of an API integration. It is a secret." }),
    region: word(["us", "eu"], { does: "Where the account is." }),
  },
  slack: secretUrl,
  sms: phone,
  telegram: { chat_id: text({ does: "The chat's number, or @channel." }) },
  webhook: {
    endpoint: text({ does: "Where each event is posted to. It is a secret.", limit: "https" }),
    headers: rows(
      {
        key: text({ does: "The header's name." }),
        value: text({ does: "Its value. No output shows it.", fallback: "" }),
      },
      {
        does: "Headers in addition to Picket's.",
        limit: `${checkLimits.headersMax} headers`,
        fallback: [],
      },
    ),
  },
  whatsapp: phone,
  ms_teams: secretUrl,
};

/** A section for each provider, under our word and under the interface's. */
const providerSections: Arguments = Object.fromEntries(
  providers.flatMap((provider) => {
    const fields = providerArguments[provider];
    const neutral = neutralWords[provider];
    const own = section(fields, `What a channel of \`${provider}\` is given.`);
    return neutral === null
      ? [[provider, own]]
      : [
          [provider, own],
          [neutral, section(fields, `The same as \`${provider}\`.`)],
        ];
  }),
);

const providerTypes = providers.flatMap((one) => [one, neutralWords[one] ?? []].flat());

const quietHours: QuietHoursArguments = {
  days: texts({
    does: "Days on which they begin: `mon`, `tue`, `wed`, `thu`, `fri`, `sat`, `sun`. Left out: every day.",
    fallback: [],
  }),
  from: text({ does: "Time of day, e.g. `22:00`." }),
  to: text({ does: "Time of day; past midnight if it is not after `from`." }),
};

const rules = {
  all_monitors: flag({
    does: "Whether it is for all monitors of the service, also those of other files and those that are made later. Then `monitors` need not name any.",
    fallback: false,
  }),
  events: texts({
    does: `Which events are sent: ${channelEvents.map((one) => `\`${one}\``).join(", ")}. Left out: all but \`maintenance\`, and for telephones all but \`degraded\` too.`,
    fallback: [],
  }),
  delay: text({
    does: "Sends an incident only if it is still open after this long, e.g. `2m`.",
    limit: "at most 168h",
    fallback: "",
  }),
  reminder: text({
    does: "Repeats after each of these while it lasts, e.g. `4h`. Left out: never.",
    limit: "5m to 168h",
    fallback: "",
  }),
  quiet_hours: rows(quietHours, {
    does: "Times in which nothing is sent. Incidents still open afterwards are sent then.",
    limit: `${alertsLimits.quietHoursMax} entries, not the whole week`,
    fallback: [],
  }),
  locations: texts({
    does: "Names of private locations: what none of them sees is left out. Left out: all count.",
    fallback: [],
  }),
  labels: pairs({
    does: "Leaves out what does not have these labels; an empty value asks only for the label.",
    limit: `${alertsLimits.channelLabelsMax} labels`,
    fallback: [],
  }),
  time_zone: text({
    does: "The zone of quiet hours and of times in messages, e.g. `Europe/Berlin`.",
    fallback: "UTC",
  }),
};

const own = {
  name: text({
    does: "What the channel is called. Left out: the word of its provider.",
    limit: `${checkLimits.nameCharsMax} characters; unique among channels`,
    fallback: "",
  }),
  renamed_from: renamedFrom,
  provider_type: word(providerTypes, {
    does: "The provider of its messages, in our words or the interface's. Another one makes another channel.",
  }),
  monitors: choice,
};

interface QuietHoursArguments extends Arguments {
  readonly days: Argument<readonly string[]>;
  readonly from: Argument<string>;
  readonly to: Argument<string>;
}

/** In addition to these there is a section for each word of a provider. */
export interface ChannelArguments extends ArgumentFor<ChannelRuleName> {
  readonly name: Argument<string>;
  readonly renamed_from: Argument<string>;
  readonly provider_type: Argument<string>;
  readonly monitors: Argument<MonitorChoice>;
  readonly all_monitors: Argument<boolean>;
  readonly events: Argument<readonly string[]>;
  readonly delay: Argument<string>;
  readonly reminder: Argument<string>;
  readonly quiet_hours: Argument<readonly ValuesOf<QuietHoursArguments>[]>;
  readonly locations: Argument<readonly string[]>;
  readonly labels: Argument<readonly Pair[]>;
  readonly time_zone: Argument<string>;
}

/** A notification channel by the names of the specification. */
export const channelArguments: ChannelArguments = { ...own, ...providerSections, ...rules };

export type ChannelValues = ValuesOf<ChannelArguments>;
