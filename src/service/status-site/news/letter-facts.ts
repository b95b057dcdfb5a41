import * as limits from "#limits/status-limits";
import type { Fact } from "#service/notify/message/message";
import { plainText } from "#service/notify/message/plain";
import { stateOfImpact } from "#service/status-page/component-state";
import { impactUntil } from "#service/status-page/impact-spans";
import { lengthOfReport } from "#service/status-page/report-length";
import type { PageWords } from "#service/status-site/view/words";
import type { NewsLetter } from "#service/store/subscriber-store";
import { after } from "#base/units";

/** A word for what it is, and what it is: a row of a mail's table. */
export interface LetterFact extends Fact {
  /** What it was by what was said before; left out if that is the same. */
  readonly before?: string;
}

interface FactScene {
  readonly words: PageWords;
  readonly componentNames: ReadonlyMap<number, string>;
}

type ReportLetter = Extract<NewsLetter, { readonly of: "report" }>;
type WorkLetter = Extract<NewsLetter, { readonly of: "maintenance" }>;
type Update = ReportLetter["report"]["updates"][number];

/** When it was, and what it concerns. */
export function reportFacts(letter: ReportLetter, scene: FactScene): readonly LetterFact[] {
  const { report, update: id } = letter;
  const update = report.updates.find((one) => one.id === id);
  const times = update === undefined ? [] : timesOfReport(letter, update, scene.words);
  const names = namesOf(report.components, scene, impactOf(letter, scene));
  return [...times, ...affectedFact(names, scene)];
}

/** Since when something is wrong and when this was said; of what is over, from when to when and how long. */
function timesOfReport({ report }: ReportLetter, { at }: Update, words: PageWords): LetterFact[] {
  const { began, maintenanceUpdate, news } = words.texts;
  const said = { name: maintenanceUpdate, value: words.moment(at) };
  const begin = report.updates.at(-1)?.at ?? at;
  const length = lengthOfReport(report, at);
  const begun = words.moment(begin);
  if (length === null) {
    const first = { name: began, value: begun };
    return begun === said.value ? [first] : [first, said];
  }
  const end = after(begin, length);
  return [
    { name: news.when, value: words.period(begin, end) },
    { name: news.duration, value: words.duration(length) },
    ...(words.moment(end) === said.value ? [] : [said]),
  ];
}

/** What planned work concerns, and what it concerned by what was said before. */
export function affectedByWork({ maintenance, said }: WorkLetter, scene: FactScene): LetterFact {
  const { affected, whole } = scene.words.texts;
  const value = namesOf(maintenance.components.map(Number), scene) || whole;
  const ids = "components" in said ? said.components : undefined;
  const old = ids?.length === 0 ? whole : namesOf(ids ?? [], scene);
  return { name: affected, value, ...(old === "" || old === value ? {} : { before: old }) };
}

/** None if no name is known. */
export const affectedFact = (names: string, { words }: Pick<FactScene, "words">): LetterFact[] =>
  names === "" ? [] : [{ name: words.texts.affected, value: names }];

/** `Instead of: 22 Nov 2026, 15:00 – 15:30 UTC`. */
export const insteadOf = (before: string, { texts }: PageWords): string =>
  `${texts.news.before}${texts.colon}${before}`;

/** On one line, for chats: what it was is in brackets. */
export const plainFact = ({ name, value, before }: LetterFact, words: PageWords): Fact => ({
  name,
  value:
    before === undefined
      ? value
      : `${value} (${lowerFirst(insteadOf(before, words), words.locale)})`,
});

/** ` (partial outage)`, as the page calls it in the midst of a sentence; empty once it is over, and if nothing was said. */
const impactOf =
  ({ report, update }: ReportLetter, { words }: FactScene) =>
  (component: number): string => {
    const impact = impactUntil(report, component, update);
    const isOver = report.updates.find(({ id }) => id === update)?.status === "resolved";
    if (impact === null || isOver) return "";
    const state = words.texts.state[stateOfImpact[impact]];
    // German writes nouns with a capital.
    const small = words.locale === "de" ? state : lowerFirst(state, words.locale);
    return ` (${small})`;
  };

const lowerFirst = (text: string, locale: string): string =>
  `${text.slice(0, 1).toLocaleLowerCase(locale)}${text.slice(1)}`;

/** Those that are on the page still, each with what is said of it. */
export function namesOf(
  ids: readonly number[],
  { componentNames, words }: FactScene,
  said: (id: number) => string = () => "",
): string {
  const names = ids.flatMap((id) => {
    const name = componentNames.get(id);
    return name === undefined ? [] : [`${plainText(name)}${said(id)}`];
  });
  const shown = names.slice(0, limits.affectedNamesMax);
  const rest = names.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : ` +${words.number(rest)}`}`;
}
