/** What a person may have meant by words that are not read, and how that is said. */
export function unreadRule(words: string): string {
  const hint = hints.find(([way]) => way.test(words));
  const [way, said] = hint ?? [];
  return way === undefined || said === undefined
    ? general
    : words.replace(new RegExp(`^.*?${way.source}.*$`), said);
}

const general =
  "is not understood: write for example “second Tuesday of the month”, “weekly on Tuesday and Thursday 22:00-23:30”, “every other Friday for 10 weeks”, “every Tuesday until 31 March 2027” or FREQ=WEEKLY;BYDAY=TU";

const weekday = "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?";

/** Of “every Sunday night” without an hour: work would begin at the hour of “Begins”, which may be at noon. Else null. */
export function hourlessRule(text: string): string | null {
  const [, part] =
    new RegExp(`\\b${weekday} (night|evening|morning|afternoon)s?\\b`, "i").exec(text) ?? [];
  return part === undefined
    ? null
    : `names no hour: write when the ${part.toLowerCase()} begins, for example “every Sunday 22:00-23:30”`;
}

/** Parts of what was typed are in the answer, as words that are read. */
const hints: readonly (readonly [way: RegExp, said: string])[] = [
  [
    /\b(?:bi-?weekly|twice (?:a|every|each|of the) week)\b/,
    "has two readings: write “every 2 weeks on Friday”, or “weekly on Tuesday and Thursday”",
  ],
  [
    /\b(?:bi-?monthly|twice (?:a|every|each|of the) month)\b/,
    "has two readings: write “every 2 months on the 15th”, or “monthly on the 1st and 15th”",
  ],
  [
    /\b(?:(?:2[4-9]|[3-9]\d)[:.h]\d\d|\d{1,2}[:.h][6-9]\d)\b/,
    "has a time that no clock shows: write one from 00:00 to 23:59, for example “every Tuesday 22:00-23:30”. What begins at 24:00 begins at 00:00 of the next day",
  ],
  ...[
    ["third|3rd", 3],
    ["fourth|4th", 4],
  ].map(([nth, weeks]): readonly [RegExp, string] => [
    new RegExp(`\\b(?:every|each) (${nth}) (${weekday})$`),
    `has two readings: write “$1 $2 of the month”, or “every ${weeks} weeks on $2”`,
  ]),
  [
    /\b(?:hourly|hours?|minutes?)\b/,
    "repeats within a day, which no rule does: plan one for each time of the day, for example “daily at 22:00”",
  ],
  [
    /\b(?:except|excluding|but not|other than|without)\b/,
    "leaves days out: write the days that it is on, for example “Monday to Saturday”",
  ],
  [
    /\b(?:start(?:s|ing)?|begin(?:s|ning)?|as of|from) /,
    "has a day on which it begins: choose that in “Begins”, and write only how it repeats",
  ],
  [
    /\b(?:first|last|\d+(?:st|nd|rd|th)) (?:weekday|workday|weekend)s?\b/,
    "counts working days, which no rule does: write for example “last Friday of the month”",
  ],
];
