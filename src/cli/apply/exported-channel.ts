import { variable } from "#cli/apply/exported-monitor";
import type { Notification } from "#contract/openstatus/notification/v1/notification_pb";
import { unusualValues } from "#cli/apply/unusual-values";
import { namedRules } from "#service/alerting/channel-rules";
import { channelArguments } from "#service/resources/channel-arguments";
import { type Provider, providers } from "#service/notify/channel";
import { givenIn } from "#service/channels/channel-message";
import { usualRules } from "#service/channels/usual-rules";
import { dayWords } from "#service/alerting/worded-rules";
import { rulesIn } from "#service/channels/rules-message";

/** What ids mean, for files, which refer by name. */
export interface NamesOfIds {
  readonly monitor: (id: string) => string;
  readonly location: (id: string) => string;
}

/** A channel by the arguments of a file; what lets its holder post is a reference to a variable. */
export function exportedChannel(
  channel: Notification,
  names: NamesOfIds,
): Readonly<Record<string, unknown>> {
  const { word = "", given = {} } = givenIn(channel.data) ?? {};
  const provider = providers.find((one) => one === word);
  const fields = Object.entries(given).flatMap(([field, value]) =>
    own.has(field) || isEmpty(value) ? [] : [[field, shown(channel.name, field, value)] as const],
  );
  return {
    name: channel.name,
    provider_type: word,
    [word]: Object.fromEntries(fields),
    ...unusualValues(
      {
        // Its list has every monitor then, which it need not name.
        monitors:
          channel.rules?.allMonitors === true
            ? []
            : channel.monitorIds.map(names.monitor).toSorted(),
        ...(provider === undefined ? {} : rulesOf(channel, provider, names)),
      },
      channelArguments,
    ),
  };
}

/** Made by the service. */
const own: ReadonlySet<string> = new Set(["signing_secrets"]);
const isEmpty = (value: unknown): boolean =>
  value === "" || (Array.isArray(value) && value.length === 0);
const open: ReadonlySet<string> = new Set(
  "email phone_number chat_id topic server_url region".split(" "),
);

function shown(name: string, field: string, value: unknown): unknown {
  if (open.has(field)) return value;
  if (!Array.isArray(value)) return variable(name, field);
  return value.map(({ key }: { readonly key: string }) => ({ key, value: variable(name, key) }));
}

/** Events that are as usual for the provider say nothing. */
function rulesOf(channel: Notification, provider: Provider, names: NamesOfIds): object {
  if (channel.rules === undefined) return {};
  const usual = usualRules(provider);
  const { rules } = rulesIn(channel.rules, usual);
  const same = JSON.stringify(rules.events) === JSON.stringify(usual.events);
  return namedRules({
    ...rules,
    events: same ? [] : rules.events,
    delay: secondsOf(rules.delay),
    reminder: secondsOf(rules.reminder ?? 0),
    quietHours: rules.quietHours.map(({ days, from, to }) => ({
      ...(days.length === 0 ? {} : { days: days.map((day) => dayWords[day - 1]) }),
      from,
      to,
    })),
    locations: rules.locations.map((id) => names.location(String(id))),
  });
}

const secondsOf = (millis: number): string => (millis === 0 ? "" : `${millis / 1_000}s`);
