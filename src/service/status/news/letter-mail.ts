import * as limits from "#limits/status-limits";
import type { Mail } from "#notify/mail";
import { mailDomain } from "#notify/mail-address";
import { mailDocument } from "#notify/mail-document";
import type { Tone } from "#notify/message/message";
import { plainText } from "#notify/message/plain";
import { html, type Html } from "#page/html";
import type { NewsLinks } from "#service/status/news/news-links";
import { localePath } from "#service/status/view/status-frame";
import { reportMarkup } from "#service/status/view/report-markup";
import { type PageWords, wordsIn } from "#service/status/view/words";
import type { Locale } from "#status/page-definition";
import type { StatusPageRow } from "#store/page-store";
import { isActive, type Letter, type SubscriberRow } from "#store/subscriber-store";

export interface LetterScene {
  readonly page: StatusPageRow;
  /** Of the page, without a slash at its end. */
  readonly address: string;
  readonly to: string;
  readonly locale: Locale;
  /** The sender's address, whose domain names the mails. */
  readonly from: string;
  readonly links: NewsLinks;
  readonly componentNames: ReadonlyMap<number, string>;
  /** The token of a link that signs in; empty in every other letter. */
  readonly entryToken: string;
}

/** A letter as a mail in its reader's language. */
export function letterMail(letter: Letter, scene: LetterScene): Mail {
  const words = wordsIn(scene.locale);
  const draft = draftOf(letter, scene, words);
  const { page, to } = scene;
  const domain = mailDomain(scene.from);
  const thread = draft.thread === null ? null : `<${draft.thread}.${page.uid}@${domain}>`;
  return {
    to,
    subject: draft.title,
    text: textOf(draft),
    html: htmlOf(draft, words),
    messageId: `<letter-${letter.id}.${page.uid}@${domain}>`,
    thread,
    leaveUrl: draft.leaveUrl,
  };
}

/** What a mail says, before it is text or HTML. */
interface Draft {
  readonly title: string;
  readonly tone: Tone;
  /** Single sentences before the text that people wrote. */
  readonly lines: readonly string[];
  /** Markdown. */
  readonly message: string;
  readonly buttons: readonly MailLink[];
  readonly footer: readonly (string | MailLink)[];
  readonly leaveUrl: string | null;
  /** Names the mails that belong together; null for one that stands alone. */
  readonly thread: string | null;
}
interface MailLink {
  readonly label: string;
  readonly url: string;
}

function draftOf(letter: Letter, scene: LetterScene, words: PageWords): Draft {
  const { news } = words.texts;
  const link = (label: string, path: string): MailLink => ({ label, url: urlOf(scene, path) });
  switch (letter.of) {
    case "confirmation":
      return confirmationDraft(letter.subscriber, scene, words);
    case "entry":
      return {
        ...plainDraft(`${news.entryTitle}: ${titleOf(scene)}`, news.entryMail),
        buttons: [link(news.enter, `/sign-in/${scene.entryToken}`)],
      };
    case "report": {
      const { report, update: id, subscriber } = letter;
      const update = report.updates.find((one) => one.id === id);
      const status = words.texts.report[update?.status ?? report.status];
      return {
        ...newsDraft(subscriber, scene, words),
        title: plainText(`${status}: ${report.title} · ${scene.page.definition.title}`),
        tone: update?.status === "resolved" ? "up" : "slow",
        lines: [
          update === undefined ? "" : words.moment(update.at),
          affected(report.components, scene, words),
        ],
        message: update?.message ?? "",
        buttons: [link(news.openPage, `/events/report/${report.id}`)],
        thread: `report-${report.id}`,
      };
    }
    case "maintenance": {
      const { maintenance: plan, subscriber } = letter;
      return {
        ...newsDraft(subscriber, scene, words),
        title: plainText(
          `${words.texts.maintenanceComing}: ${plan.title} · ${scene.page.definition.title}`,
        ),
        tone: "quiet",
        lines: [
          `${words.moment(plan.from)} – ${words.moment(plan.to)}`,
          affected(plan.components.map(Number), scene, words) ||
            `${words.texts.affected}: ${words.texts.whole}`,
        ],
        message: plan.message,
        buttons: [link(news.openPage, `/events/maintenance/${plan.id}`)],
        thread: `maintenance-${plan.id}`,
      };
    }
  }
}

/** It holds no word of whoever asked for it: a stranger cannot send anything by it. */
function confirmationDraft(subscriber: SubscriberRow, scene: LetterScene, words: PageWords): Draft {
  const { news } = words.texts;
  if (isActive(subscriber) || subscriber.askedAt === null)
    return {
      ...newsDraft(subscriber, scene, words),
      title: `${news.manageTitle}: ${titleOf(scene)}`,
      lines: [news.knownMail],
      buttons: [
        { label: news.manage, url: urlOf(scene, `/manage/${scene.links.own(subscriber)}`) },
      ],
    };
  const token = scene.links.verify(subscriber, subscriber.askedAt);
  return {
    ...plainDraft(`${news.confirmTitle}: ${titleOf(scene)}`, news.confirmMail),
    buttons: [{ label: news.confirm, url: urlOf(scene, `/verify/${token}`) }],
    footer: [{ label: news.openPage, url: urlOf(scene, "") }],
  };
}

const titleOf = ({ page }: LetterScene): string => plainText(page.definition.title);

const plainDraft = (title: string, line: string): Draft => ({
  title,
  tone: "quiet",
  lines: [line],
  message: "",
  buttons: [],
  footer: [],
  leaveUrl: null,
  thread: null,
});

/** What each mail with news ends with. */
function newsDraft(subscriber: SubscriberRow, scene: LetterScene, words: PageWords): Draft {
  const { news } = words.texts;
  const token = scene.links.own(subscriber);
  const leaveUrl = urlOf(scene, `/unsubscribe/${token}`);
  const footer = [
    news.why,
    { label: news.manage, url: urlOf(scene, `/manage/${token}`) },
    { label: news.leave, url: leaveUrl },
  ];
  return { ...plainDraft("", ""), footer, leaveUrl };
}

const urlOf = ({ address, locale, page }: LetterScene, path: string): string =>
  localePath({ base: address }, locale, page.definition, path);

/** Empty where no name is known. */
function affected(ids: readonly number[], { componentNames }: LetterScene, words: PageWords) {
  const names = ids.flatMap((id) => componentNames.get(id) ?? []);
  const shown = names.slice(0, limits.affectedNamesMax).map((name) => plainText(name));
  const rest = names.length - shown.length;
  if (names.length === 0) return "";
  return `${words.texts.affected}: ${shown.join(", ")}${rest === 0 ? "" : ` +${words.number(rest)}`}`;
}

const linkText = (part: string | MailLink): string =>
  typeof part === "string" ? part : `${part.label}: ${part.url}`;

const textOf = ({ title, lines, message, buttons, footer }: Draft): string =>
  `${[
    title,
    lines.filter((line) => line !== "").join("\n"),
    message,
    buttons.map(linkText).join("\n"),
    footer.length === 0 ? "" : `-- \n${footer.map(linkText).join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;

function htmlOf({ title, tone, lines, message, buttons, footer }: Draft, words: PageWords): string {
  const link = ({ label, url }: MailLink): Html => html`<a href="${url}">${label}</a> `;
  return mailDocument({
    language: words.locale,
    title,
    tone,
    content: html`${lines.filter((line) => line !== "").map((line) => html`<p dir="auto">${line}</p>`)}
    ${message === "" ? null : html`<div class="note" dir="auto">${reportMarkup(message)}</div>`}
    ${buttons.length === 0 ? null : html`<p class="links">${buttons.map(link)}</p>`}`,
    footer: html`${footer.map((part) => html`<p>${typeof part === "string" ? part : link(part)}</p>`)}`,
  });
}
