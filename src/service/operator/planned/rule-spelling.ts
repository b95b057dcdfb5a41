import { codesOf } from "#service/operator/planned/day-words";

/** The words of a rule in small letters, and in the one way in which they are read: `weekly tue and thu` of `Weekly: Tue/Thu`. */
export function spelled(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .replaceAll(/[–—−]/g, "-")
    .trim()
    .replace(/\.$/, "");
  const words = ways.reduce((said, [way, read]) => said.replaceAll(way, read), plain);
  return withTimeLast(withWeekdaysNamed(words));
}

/** Ways to say something, and how it is read. */
const ways: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z])[:;](?= )/g, ","],
  [/(?<=[a-z]) ?\/ ?(?=[a-z\d])/g, " and "],
  [/\b(?:every |each |on )?alternat(?:e|ing) /g, "every other "],
  [/\bonce (?:a|per|every|each) (?=day|night|week|month|year)/g, "every "],
  [/(?<!for |over )\b(?:a|per) (?=day|week|month|quarter|year)/g, "of the "],
  [/\b(?:working|business) days?\b/g, "weekdays"],
  [/\b(?:half[- ]?yearly|semi-?annually|every half year)\b/g, "every 6 months"],
  [/\bweds\b/g, "wednesday"],
  [
    /(?<=\b(?:mon|tues?|wednes|wed|thurs?|thu|fri|satur|sat|sun)(?:day)?s?) (?:night|evening|morning|afternoon)s?\b/g,
    "",
  ],
  // A date alone is that of each month.
  [
    /^(?:(?:on|every|each) )?(?:the )?(\d{1,2}(?:st|nd|rd|th)(?:(?:,| and|, and) (?:the )?\d{1,2}(?:st|nd|rd|th))*)(?=$|,? at |,? for |,? until )/g,
    "$1 of the month",
  ],
];

/** `monday, tuesday, wednesday` of `monday to wednesday` and `mon-wed`. */
const withWeekdaysNamed = (words: string): string =>
  words.replaceAll(
    /\b([a-z]+)(?: ?- ?| to | through | thru )([a-z]+)\b/g,
    (said: string, from: string, to: string) => {
      const [first, last] = [from, to].map(dayNumber);
      if (first === undefined || last === undefined || first < 0 || last < 0) return said;
      const count = ((last - first + 7) % 7) + 1;
      return Array.from({ length: count }, (_, day) => names[(first + day) % 7] ?? "").join(", ");
    },
  );

function dayNumber(word: string): number {
  const codes = codesOf(word);
  return codes?.length === 1
    ? names.findIndex((name) => name.slice(0, 2).toUpperCase() === codes[0])
    : -1;
}

const names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** `every tuesday 22:00-23:30` of `22:00-23:30 every tuesday`. */
const withTimeLast = (words: string): string =>
  words.replace(
    /^((?:(?:at|from|between) )?\d{1,2}(?::\d{2}|(?::\d{2})? ?[ap]m)(?:(?: ?- ?| to | until | and )\d{1,2}(?::\d{2})?(?: ?[ap]m)?)?),? (?:on )?([a-z].*|\d+(?:st|nd|rd|th).*)$/,
    "$2 $1",
  );
