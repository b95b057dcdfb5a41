import type { ChannelRules } from "#service/alerting/channel-rules";
import { selects } from "#service/alerting/label-selector";
import { readWordedRules } from "#service/alerting/worded-rules";
import type { Path } from "#check/argument";
import { isMapping } from "#base/json";
import type { MonitorDefinition } from "#check/definition";
import type { FileReading } from "#cli/apply/file-reading";
import { type MonitorName, namedByIds } from "#cli/apply/monitor-name";
import type { WrittenMonitor } from "#cli/apply/written-monitors";
import type { ChannelValues, MonitorChoice } from "#service/resources/channel-arguments";
import { nearest } from "#base/nearest";
import { type Provider, providers } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { rulesOf } from "#service/notify/provider-table";
import { neutralWords, providerOfWord } from "#service/notify/provider-words";
import { channelNameFaults } from "#service/alerting/rule-faults";

/** A channel that files want, with what they say of when it is used. */
export interface WantedChannel {
  readonly name: string;
  readonly renamedFrom: string;
  readonly provider: Provider;
  /** The provider's arguments by their names in the interface: URLs, keys and tokens among them. */
  readonly given: ChannelArguments;
  readonly rules: WrittenRules;
  /** Those that it is for, by whichever side says so. */
  readonly monitors: readonly MonitorName[];
}

/** Rules as a person writes them: locations by name, and no events where the provider's usual ones are meant. */
interface WrittenRules extends Omit<ChannelRules, "locations"> {
  readonly locations: readonly string[];
}

/** A channel of a file, and where it stands there. */
export interface WrittenChannel extends Omit<WantedChannel, "monitors"> {
  readonly path: Path;
  readonly choice: MonitorChoice;
}

/** The channels of a file; what is wrong with them is reported. One without a provider that is known is left out. */
export const writtenChannels = (
  values: readonly ChannelValues[],
  reading: FileReading,
): readonly WrittenChannel[] =>
  values.flatMap((one, index) => {
    const path = ["notifications", index];
    const provider = providerOfWord(one.provider_type);
    if (provider === null) {
      sayNoProvider(one, path, reading);
      return [];
    }
    const name = one.name === "" ? provider : one.name;
    reading.judge(path, channelNameFaults(name));
    const given = givenOf(one, provider, path, reading);
    const rules = rulesIn(one, path, reading);
    return [
      { path, name, renamedFrom: one.renamed_from, provider, given, rules, choice: one.monitors },
    ];
  });

function sayNoProvider({ provider_type }: ChannelValues, path: Path, reading: FileReading): void {
  const at = [...path, "provider_type"];
  if (reading.isMistaken(at)) return;
  const words = providers.flatMap((one) => [one, neutralWords[one] ?? one]);
  const meant = nearest(provider_type, new Set(words));
  const hint = meant === null ? `known are ${providers.join(", ")}` : `did you mean ${meant}?`;
  reading.report(at, `is not a provider; ${hint}`);
}

/** What the provider is given, from its own section; a section of another provider is a mistake. */
function givenOf(
  values: ChannelValues,
  provider: Provider,
  path: Path,
  reading: FileReading,
): ChannelArguments {
  const sections = Object.entries(values).flatMap(([word, value]) => {
    const of = providerOfWord(word);
    return of === null || !isMapping(value) ? [] : [{ word, of, value }];
  });
  for (const { word } of sections.filter(({ of }) => of !== provider))
    reading.reportKey([...path, word], `is not for a channel of ${provider}`);
  const [own, second] = sections.filter(({ of }) => of === provider);
  if (second !== undefined)
    reading.reportKey([...path, second.word], "repeats the section before it; keep one");
  if (own === undefined) {
    reading.report(path, `needs a mapping ${provider} with what the provider is given`);
    return {};
  }
  const read = rulesOf(provider).read(own.value);
  if (!read.ok) reading.judge([...path, own.word], read.mistakes);
  return own.value;
}

function rulesIn(values: ChannelValues, path: Path, reading: FileReading): WrittenRules {
  const { events, delay, reminder, quiet_hours: quietHours, time_zone: timeZone } = values;
  const labels = Object.fromEntries(values.labels.map(({ key, value }) => [key, value]));
  const said = {
    allMonitors: values.all_monitors,
    events,
    delay,
    reminder,
    quietHours,
    labels,
    timeZone,
  };
  const { rules, mistakes } = readWordedRules(said);
  reading.judge(path, mistakes);
  return { ...rules, locations: values.locations };
}

/** The monitors of the files that a channel is for. */
export const chosenMonitors = (
  { name, choice }: Pick<WrittenChannel, "name" | "choice">,
  written: readonly WrittenMonitor[],
): readonly MonitorName[] => [
  ...written
    .filter(
      ({ definition, notifications }) =>
        notifications.includes(name) || chooses(choice, definition),
    )
    .map(({ definition }) => definition),
  ...(choice.is === "named" ? namedByIds(choice.names) : []),
];

function chooses(choice: MonitorChoice, { name, labels }: MonitorDefinition): boolean {
  switch (choice.is) {
    case "all":
      return true;
    case "named":
      return choice.names.includes(name);
    case "labelled":
      return selects(choice.labels, labels);
  }
}
