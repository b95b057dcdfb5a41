import type { Link, Tone } from "#service/notify/message/message";
import { plainText } from "#service/notify/message/plain";
import type { NewsLinks } from "#service/status-site/news/news-links";
import { impactOfReport } from "#service/status-page/impact-spans";
import type { ReportFacts } from "#service/status-page/page-facts";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import {
  affectedByWork,
  affectedFact,
  type LetterFact,
  namesOf,
  reportFacts,
} from "#service/status-site/news/letter-facts";
import {
  ruleFacts,
  unsaidMessage,
  workFacts,
  workTime,
} from "#service/status-site/news/work-state";
import { reportText } from "#service/status-site/view/given-words";
import { localePath } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import type { StatusPageRow } from "#service/store/page-store";
import {
  isActive,
  type Letter,
  type NewsLetter,
  type SubscriberRow,
} from "#service/store/subscriber-store";

/** What a letter says in its reader's language, before it is a mail or a message of a chat. */
export interface LetterDraft {
  /** With the page's name, for lists of mails. */
  readonly subject: string;
  /** Of a report or of planned work; empty in every other letter. */
  readonly state: string;
  /** Without the state and the page's name, which a mail has above it. */
  readonly title: string;
  readonly tone: Tone;
  /** Sentences of the program. */
  readonly lines: readonly string[];
  /** When it is and what it concerns. */
  readonly facts: readonly LetterFact[];
  /** Markdown. */
  readonly message: string;
  readonly buttons: readonly Link[];
  /** What stands at its end, and the links there. */
  readonly footer: readonly (string | Link)[];
  /** Null if its reader has nothing to leave. */
  readonly leaveUrl: string | null;
  /** Names the letters that belong together; null for one that stands alone. */
  readonly thread: string | null;
}

/** What is known of the page and the reader that a letter is for. */
export interface LetterScene {
  readonly page: StatusPageRow;
  /** Of the page, without a slash at its end. */
  readonly address: string;
  readonly words: PageWords;
  readonly links: NewsLinks;
  readonly componentNames: ReadonlyMap<number, string>;
  /** The token of a link that signs in; empty in every other letter. */
  readonly entryToken: string;
}

export function draftOf(letter: Letter, scene: LetterScene): LetterDraft {
  const { news } = scene.words.texts;
  switch (letter.of) {
    case "confirmation":
      return confirmationDraft(letter.subscriber, scene);
    case "entry":
      return {
        ...plainDraft(news.entryTitle, news.entryMail, scene),
        buttons: [{ label: news.enter, url: urlOf(scene, `/sign-in/${scene.entryToken}`) }],
      };
    case "report":
    case "maintenance":
      return newsDraft(letter, scene);
    case "cancellation":
      return cancelledDraft(letter, scene);
  }
}

/** Where a letter's reader changes the subscription, and where it ends. */
export function ownLinks(
  subscriber: SubscriberRow,
  scene: LetterScene,
): { readonly manage: string; readonly leave: string } {
  const token = scene.links.own(subscriber);
  return {
    manage: urlOf(scene, `/manage/${token}`),
    leave: urlOf(scene, `/unsubscribe/${token}`),
  };
}

function newsDraft(
  letter: Exclude<NewsLetter, CancellationLetter>,
  scene: LetterScene,
): LetterDraft {
  const { texts } = scene.words;
  switch (letter.of) {
    case "report": {
      const { report, update: id, subscriber } = letter;
      const update = report.updates.find((one) => one.id === id);
      return {
        ...endedDraft(subscriber, scene),
        ...newsTitle(texts.report[update?.status ?? report.status], report.title, scene),
        tone: update?.status === "resolved" ? "up" : toneOf(report),
        facts: reportFacts(letter, scene),
        message: reportText(update?.message ?? "", scene.words),
        buttons: [{ label: texts.news.openPage, url: urlOf(scene, `/events/report/${report.id}`) }],
        thread: `report-${report.id}`,
      };
    }
    case "maintenance":
      return workDraft(letter, scene);
  }
}

function workDraft(letter: WorkLetter, scene: LetterScene): LetterDraft {
  const { maintenance: plan, subscriber } = letter;
  const { words } = scene;
  const { texts } = words;
  const facts = workFacts(letter, words);
  return {
    ...endedDraft(subscriber, scene),
    ...newsTitle(workTime(letter, texts).state, plan.title, scene),
    tone: "quiet",
    facts: [...facts, affectedByWork(letter, scene)],
    message: unsaidMessage(letter, facts, words),
    buttons: [{ label: texts.news.openPage, url: urlOf(scene, `/events/maintenance/${plan.id}`) }],
    thread: `maintenance-${plan.id}`,
  };
}

const newsTitle = (
  state: string,
  name: string,
  { words, page }: LetterScene,
): Pick<LetterDraft, "subject" | "state" | "title"> => ({
  subject: plainText(`${state}${words.texts.colon}${name} · ${page.definition.title}`),
  state,
  title: plainText(name),
});

type WorkLetter = Extract<NewsLetter, { readonly of: "maintenance" }>;
type CancellationLetter = Extract<NewsLetter, { readonly of: "cancellation" }>;

/** Its page is gone: the link leads to the whole. */
function cancelledDraft({ work, subscriber }: CancellationLetter, scene: LetterScene): LetterDraft {
  const { words } = scene;
  const { news, whole } = words.texts;
  const time = { name: news.when, value: words.period(work.from, work.to) };
  const rule = work.repeats === undefined ? [] : ruleFacts(words, work.repeats);
  return {
    ...endedDraft(subscriber, scene),
    ...newsTitle(news.cancelled, work.title, scene),
    lines: [cancelledLine(work, words)],
    facts: [time, ...rule, ...affectedFact(namesOf(work.components, scene) || whole, scene)],
    buttons: [{ label: news.openPage, url: urlOf(scene, "") }],
    thread: `maintenance-${work.id}`,
  };
}

/** Of work that repeats, none of its times takes place. */
export const cancelledLine = (
  { repeats }: CancellationLetter["work"],
  { locale, texts }: PageWords,
): string => (repeats === undefined ? texts.news.cancelledMail : repeatTexts[locale].cancelled);

/** As the report on the page: what is down is red. */
function toneOf(report: ReportFacts): Tone {
  const impact = impactOfReport(report);
  return impact === "major_outage" || impact === "partial_outage" ? "down" : "slow";
}

/** It holds no word of whoever asked for it: a stranger cannot send anything by it. */
function confirmationDraft(subscriber: SubscriberRow, scene: LetterScene): LetterDraft {
  const { news, components } = scene.words.texts;
  if (isActive(subscriber) || subscriber.askedAt === null)
    return {
      ...endedDraft(subscriber, scene, news.manageTitle),
      lines: [news.knownMail],
      buttons: [{ label: news.manage, url: ownLinks(subscriber, scene).manage }],
    };
  const token = scene.links.verify(subscriber, subscriber.askedAt);
  const chosen = chosenNames(subscriber, scene);
  return {
    ...plainDraft(news.confirmTitle, "", scene),
    lines: [news.confirmMail, news.confirmWithin],
    facts: chosen === "" ? [] : [{ name: components, value: chosen }],
    buttons: [{ label: news.confirm, url: urlOf(scene, `/verify/${token}`) }],
    footer: [{ label: news.openPage, url: urlOf(scene, "") }],
  };
}

/** What the news are about; empty if all that was chosen is gone. */
const chosenNames = ({ components }: SubscriberRow, scene: LetterScene): string =>
  components === null ? scene.words.texts.whole : namesOf(components, scene);

const plainDraft = (title: string, line: string, { page, words }: LetterScene): LetterDraft => ({
  subject: `${title}${words.texts.colon}${plainText(page.definition.title)}`,
  state: "",
  title,
  tone: "quiet",
  lines: line === "" ? [] : [line],
  facts: [],
  message: "",
  buttons: [],
  footer: [],
  leaveUrl: null,
  thread: null,
});

/** What each letter with news ends with. */
function endedDraft(subscriber: SubscriberRow, scene: LetterScene, title = ""): LetterDraft {
  const { news } = scene.words.texts;
  const { manage, leave } = ownLinks(subscriber, scene);
  const footer = [news.why, { label: news.manage, url: manage }, { label: news.leave, url: leave }];
  return { ...plainDraft(title, "", scene), footer, leaveUrl: leave };
}

const urlOf = ({ address, words, page }: LetterScene, path: string): string =>
  localePath({ base: address }, words.locale, page.definition, path);
