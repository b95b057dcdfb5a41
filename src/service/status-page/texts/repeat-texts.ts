import type { Locale } from "#service/status-page/page-definition";

/** How planned work repeats, in one language. Weekdays come as the language names them. */
interface RepeatTexts {
  /** Before the rule and a colon. */
  readonly label: string;
  /** `every day`, `every 2 days`. */
  readonly day: (count: number) => string;
  readonly week: (count: number) => string;
  readonly month: (count: number) => string;
  readonly year: (count: number) => string;
  /** `30 November`, and a day as `on` has it in a month: `the last Friday of November`. */
  readonly yearDay: (day: number, month: string) => string;
  readonly inMonth: (day: string, month: string) => string;
  /** Each week from Monday to Friday. */
  readonly workdays: string;
  /** `every Tuesday and Friday`. */
  readonly each: (weekdays: readonly string[], and: WordList) => string;
  /** `every 2 weeks on Tuesday`. */
  readonly on: (period: string, days: string) => string;
  /** A weekday, the nth of a month and a date of it, as `on` has them; counted from the month's end where negative. */
  readonly weekday: (name: string) => string;
  readonly nth: (nth: number, name: string) => string;
  readonly date: (day: number) => string;
  readonly until: (date: string) => string;
  readonly times: (count: number) => string;
  /** All of its work is deleted before its next time. */
  readonly cancelled: string;
  /** Before a colon and one of its times. */
  readonly skipped: string;
  /** In the place of a rule of work that repeated before. */
  readonly never: string;
}

type WordList = (words: readonly string[]) => string;

const english: RepeatTexts = {
  label: "Repeats",
  day: (count) => (count === 1 ? "every day" : `every ${count} days`),
  week: (count) => (count === 1 ? "every week" : `every ${count} weeks`),
  month: (count) => (count === 1 ? "every month" : `every ${count} months`),
  year: (count) => (count === 1 ? "every year" : `every ${count} years`),
  yearDay: (day, month) => `${day} ${month}`,
  inMonth: (day, month) => `${day} of ${month}`,
  workdays: "on weekdays",
  each: (weekdays, and) => `every ${and(weekdays)}`,
  on: (period, days) => `${period} on ${days}`,
  weekday: (name) => name,
  nth: (nth, name) => `the ${place(nth, englishOrdinal, "last")} ${name}`,
  date: (day) => `the ${place(day, englishOrdinal, "last")}${day < 0 ? " day" : ""}`,
  until: (date) => `until ${date}`,
  times: (count) => (count === 1 ? "once" : `${count} times`),
  cancelled: "None of its coming times will take place.",
  skipped: "Does not take place",
  never: "no",
};

const german: RepeatTexts = {
  label: "Wiederholt sich",
  day: (count) => (count === 1 ? "jeden Tag" : `alle ${count} Tage`),
  week: (count) => (count === 1 ? "jede Woche" : `alle ${count} Wochen`),
  month: (count) => (count === 1 ? "jeden Monat" : `alle ${count} Monate`),
  year: (count) => (count === 1 ? "jedes Jahr" : `alle ${count} Jahre`),
  yearDay: (day, month) => `${day}. ${month}`,
  inMonth: (day, month) => `${day} im ${month}`,
  workdays: "montags bis freitags",
  each: (weekdays, and) => `jeden ${and(weekdays)}`,
  on: (period, days) => `${period} am ${days}`,
  weekday: (name) => name,
  nth: (nth, name) => `${place(nth, (count) => `${count}.`, "letzten")} ${name}`,
  date: (day) => `${place(day, (count) => `${count}.`, "letzten")}${day < 0 ? " Tag" : ""}`,
  until: (date) => `bis ${date}`,
  times: (count) => `${count}-mal`,
  cancelled: "Keiner der kommenden Termine findet statt.",
  skipped: "Findet nicht statt",
  never: "nein",
};

const french: RepeatTexts = {
  label: "Se répète",
  day: (count) => (count === 1 ? "chaque jour" : `tous les ${count} jours`),
  week: (count) => (count === 1 ? "chaque semaine" : `toutes les ${count} semaines`),
  month: (count) => (count === 1 ? "chaque mois" : `tous les ${count} mois`),
  year: (count) => (count === 1 ? "chaque année" : `tous les ${count} ans`),
  yearDay: (day, month) => `le ${day === 1 ? "1er" : day} ${month}`,
  inMonth: (day, month) => `${day} ${/^[ao]/.test(month) ? "d’" : "de "}${month}`,
  workdays: "du lundi au vendredi",
  each: (weekdays, and) => `tous les ${and(weekdays.map((name) => `${name}s`))}`,
  on: (period, days) => `${period} ${days}`,
  weekday: (name) => `le ${name}`,
  nth: (nth, name) => `le ${place(nth, frenchOrdinal, "dernier")} ${name}`,
  date: (day) =>
    day > 0 ? `le ${day === 1 ? "1er" : day}` : `le ${place(day, frenchOrdinal, "dernier")} jour`,
  until: (date) => `jusqu’au ${date}`,
  times: (count) => `${count} fois`,
  cancelled: "Aucune des prochaines dates n’aura lieu.",
  skipped: "N’a pas lieu",
  never: "non",
};

const turkish: RepeatTexts = {
  label: "Tekrarlanır",
  day: (count) => (count === 1 ? "her gün" : `${count} günde bir`),
  week: (count) => (count === 1 ? "her hafta" : `${count} haftada bir`),
  month: (count) => (count === 1 ? "her ay" : `${count} ayda bir`),
  year: (count) => (count === 1 ? "her yıl" : `${count} yılda bir`),
  yearDay: (day, month) => `${day} ${month}`,
  inMonth: (day, month) => `${small(month)} ayında ${day}`,
  workdays: "hafta içi her gün",
  each: (weekdays, and) => `her ${and(weekdays.map(small))}`,
  on: (period, days) => `${period}, ${days}`,
  weekday: (name) => small(name),
  nth: (nth, name) => turkishPlace(nth, small(name)),
  date: (day) => turkishPlace(day, "gün"),
  until: (date) => `son tarih: ${date}`,
  times: (count) => `${count} kez`,
  cancelled: "Planlanan sonraki bakımların hiçbiri yapılmayacak.",
  skipped: "Yapılmayacak",
  never: "hayır",
};

const hindi: RepeatTexts = {
  label: "दोहराव",
  day: (count) => (count === 1 ? "हर दिन" : `हर ${count} दिन में`),
  week: (count) => (count === 1 ? "हर सप्ताह" : `हर ${count} सप्ताह में`),
  month: (count) => (count === 1 ? "हर महीने" : `हर ${count} महीने में`),
  year: (count) => (count === 1 ? "हर साल" : `हर ${count} साल में`),
  yearDay: (day, month) => `${day} ${month}`,
  inMonth: (day, month) => `${month} के ${day}`,
  workdays: "सोमवार से शुक्रवार तक",
  each: (weekdays, and) => `हर ${and(weekdays)} को`,
  on: (period, days) => `${period} ${days} को`,
  weekday: (name) => name,
  nth: (nth, name) => hindiPlace(nth, name),
  date: (day) => (day > 0 ? `${day} तारीख` : hindiPlace(day, "दिन")),
  until: (date) => `${date} तक`,
  times: (count) => `${count} बार`,
  cancelled: "आगे का कोई भी निर्धारित रखरखाव नहीं होगा।",
  skipped: "नहीं होगा",
  never: "नहीं",
};

const korean: RepeatTexts = {
  label: "반복",
  day: (count) => (count === 1 ? "매일" : `${count}일마다`),
  week: (count) => (count === 1 ? "매주" : `${count}주마다`),
  month: (count) => (count === 1 ? "매월" : `${count}개월마다`),
  year: (count) => (count === 1 ? "매년" : `${count}년마다`),
  yearDay: (day, month) => `${month} ${day}일`,
  inMonth: (day, month) => `${month} ${day}`,
  workdays: "매주 월요일~금요일",
  each: (weekdays, and) => `매주 ${and(weekdays)}`,
  on: (period, days) => `${period} ${days}`,
  weekday: (name) => name,
  nth: (nth, name) => koreanPlace(nth, name),
  date: (day) => (day > 0 ? `${day}일` : koreanPlace(day, "날")),
  until: (date) => `${date}까지`,
  times: (count) => `${count}회`,
  cancelled: "앞으로 예정된 점검은 모두 진행하지 않습니다.",
  skipped: "진행하지 않음",
  never: "없음",
};

export const repeatTexts: { readonly [L in Locale]: RepeatTexts } = {
  en: english,
  fr: french,
  de: german,
  tr: turkish,
  hi: hindi,
  ko: korean,
};

/** `3rd`, `last`, `2nd last`: of what is counted from a month's begin, or where negative from its end. */
function place(nth: number, ordinal: (count: number) => string, last: string): string {
  if (nth > 0) return ordinal(nth);
  return nth === -1 ? last : `${ordinal(-nth)} ${last}`;
}

const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const englishOrdinal = (count: number): string =>
  `${count}${endings[ordinals.select(count)] ?? "th"}`;

const frenchOrdinal = (count: number): string => (count === 1 ? "1er" : `${count}e`);

/** Turkish writes the days of every week small. */
const small = (name: string): string => name.toLocaleLowerCase("tr");

function turkishPlace(nth: number, name: string): string {
  if (nth > 0) return `${nth}. ${name}`;
  return nth === -1 ? `son ${name}` : `sondan ${-nth}. ${name}`;
}

const hindiOrdinals = ["पहले", "दूसरे", "तीसरे", "चौथे", "पाँचवें"];
function hindiPlace(nth: number, name: string): string {
  const counted = hindiOrdinals[Math.abs(nth) - 1] ?? `${Math.abs(nth)}वें`;
  if (nth > 0) return `${counted} ${name}`;
  return nth === -1 ? `अंतिम ${name}` : `अंत से ${counted} ${name}`;
}

function koreanPlace(nth: number, name: string): string {
  if (nth > 0) return `${nth}번째 ${name}`;
  return nth === -1 ? `마지막 ${name}` : `끝에서 ${-nth}번째 ${name}`;
}
