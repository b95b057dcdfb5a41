import * as limits from "#limits/status-limits";
import type { NewsBody, PageNews } from "#service/notify/event";
import { plainLines, plainText } from "#service/notify/message/plain";
import { isoTime } from "#web/page/format";
import type { Window } from "#service/alerting/maintenance";
import { impactUntil } from "#service/status-page/impact-spans";
import type { RepeatFacts } from "#service/status-page/page-facts";
import {
  cancelledLine,
  draftOf,
  type LetterScene,
  ownLinks,
} from "#service/status-site/news/letter-draft";
import { plainFact } from "#service/status-site/news/letter-facts";
import { reportText } from "#service/status-site/view/given-words";
import { repeatsOf, ruleIn } from "#service/status-site/view/repeat-rule";
import { reportPlain } from "#service/status-site/view/report-markup";
import { workMessage, workTime } from "#service/status-site/news/work-state";
import type { NewsLetter, SubscriberRow } from "#service/store/subscriber-store";
import type { EpochMillis } from "#base/units";

/** A letter with news as a message for chats and programs. */
export function letterNotice(letter: NewsLetter, scene: LetterScene): PageNews {
  const draft = draftOf(letter, scene);
  const { subject, tone, lines, facts, message, buttons, footer, thread } = draft;
  return {
    ...headOf(scene, letter.createdAt),
    title: subject,
    tone,
    facts: facts.map((fact) => plainFact(fact, scene.words)),
    lines,
    text: plainLines(message, limits.reportMessageCharsMax),
    links: [...buttons, ...footer.flatMap((part) => (typeof part === "string" ? [] : [part]))],
    thread: `${scene.page.uid}-${thread ?? letter.id}`,
    body: bodyOf(letter, scene),
  };
}

/** What a person has sent who sets a webhook up. */
export function testNotice(
  subscriber: SubscriberRow,
  scene: LetterScene,
  at: EpochMillis,
): PageNews {
  const page = pageSection(scene);
  return {
    ...headOf(scene, at),
    title: `Test · ${plainText(page.name)}`,
    tone: "quiet",
    facts: [],
    lines: ["This is a test of the page's news. Nothing is wrong."],
    text: "",
    links: [{ label: scene.words.texts.news.openPage, url: scene.address }],
    thread: `${scene.page.uid}-test`,
    body: {
      version: "1",
      type: "test",
      data: { page },
      subscription: subscriptionOf(subscriber, scene),
    },
  };
}

const headOf = ({ page, address }: LetterScene, at: EpochMillis) => ({
  type: "page.news" as const,
  at,
  service: { name: page.definition.title, url: address },
  late: null,
});

const pageSection = ({ page: { id, definition }, address }: LetterScene) => ({
  id,
  name: definition.title,
  slug: definition.slug,
  url: address,
});

function subscriptionOf(subscriber: SubscriberRow, scene: LetterScene): NewsBody["subscription"] {
  const { manage, leave } = ownLinks(subscriber, scene);
  return { manage_url: manage, unsubscribe_url: leave };
}

function bodyOf(letter: NewsLetter, scene: LetterScene): NewsBody {
  const subscription = subscriptionOf(letter.subscriber, scene);
  const page = pageSection(scene);
  switch (letter.of) {
    case "report": {
      const status_report = { ...reportSection(letter, scene), page };
      return { version: "1", type: "status_report", data: { status_report }, subscription };
    }
    case "maintenance": {
      const maintenance = workSection(letter, scene);
      return { version: "1", type: "maintenance", data: { maintenance }, subscription };
    }
    case "cancellation": {
      const maintenance = cancelledSection(letter, scene);
      return { version: "1", type: "maintenance", data: { maintenance }, subscription };
    }
  }
}

function workSection(
  letter: Extract<NewsLetter, { readonly of: "maintenance" }>,
  scene: LetterScene,
): object {
  const { id, title, components } = letter.maintenance;
  const { texts } = scene.words;
  const time = workTime(letter, texts);
  return {
    id,
    title,
    event: time.event,
    ...messageOf(workMessage(letter, scene.words)),
    ...timesOf(time.window),
    previous: time.before === null ? null : timesOf(time.before),
    cancelled_date: time.cancelled === null ? null : timesOf(time.cancelled),
    repeats: repeatSection(repeatsOf(letter.maintenance), time.later, scene),
    page: pageSection(scene),
    components: components.map((one) => named(Number(one), scene)),
    cancelled: false,
  };
}

function cancelledSection(
  { work }: Extract<NewsLetter, { readonly of: "cancellation" }>,
  scene: LetterScene,
): object {
  const { id, title, from, to, components, repeats } = work;
  return {
    id,
    title,
    event: "cancelled",
    ...messageOf(cancelledLine(work, scene.words)),
    ...timesOf({ from, to }),
    previous: null,
    cancelled_date: null,
    repeats: repeats === undefined ? null : repeatSection(repeats, [], scene),
    page: pageSection(scene),
    components: components.map((one) => named(one, scene)),
    cancelled: true,
  };
}

function reportSection(
  { report, update: id, createdAt }: Extract<NewsLetter, { readonly of: "report" }>,
  scene: LetterScene,
): object {
  const update = report.updates.find((one) => one.id === id);
  return {
    id: report.id,
    title: report.title,
    update: {
      id,
      status: update?.status ?? report.status,
      ...messageOf(reportText(update?.message ?? "", scene.words)),
      created_at: isoTime(update?.at ?? createdAt),
    },
    components: report.components.map((one) => ({
      ...named(one, scene),
      impact: impactUntil(report, one, id),
    })),
  };
}

/** What people wrote: as plain text, since programs show it as it is, and as they wrote it. */
const messageOf = (markdown: string) => ({
  message: reportPlain(markdown),
  message_markdown: markdown,
});

const timesOf = ({ from, to }: Window) => ({ starts_at: isoTime(from), ends_at: isoTime(to) });

/** In the words of the page, by its rule, and the times that come after the one that is said; null of what happens once. */
function repeatSection(repeats: RepeatFacts, later: readonly Window[], { words }: LetterScene) {
  const rule = ruleIn(words, repeats);
  if (rule === null) return null;
  const next = later.slice(0, limits.laterDaysShown).map(timesOf);
  return { words: rule, rule: repeats.recurrence, time_zone: repeats.timeZone, next };
}

const named = (id: number, { componentNames }: LetterScene) => ({
  id,
  name: componentNames.get(id) ?? "",
});
