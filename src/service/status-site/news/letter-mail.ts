import type { Mail } from "#service/notify/mail";
import { mailDomain } from "#service/notify/mail-address";
import { mailDocument } from "#service/notify/mail-document";
import type { Link } from "#service/notify/message/message";
import { html, type Html } from "#web/page/html";
import {
  draftOf,
  type LetterDraft,
  type LetterScene,
} from "#service/status-site/news/letter-draft";
import { mailBrand } from "#service/status-site/news/mail-brand";
import { reportMarkup, reportPlain } from "#service/status-site/view/report-markup";
import type { PageWords } from "#service/status-site/view/words";
import type { Letter } from "#service/store/subscriber-store";

interface MailScene extends LetterScene {
  readonly to: string;
  /** The sender's address, whose domain names the mails. */
  readonly from: string;
}

/** A letter as a mail in its reader's language. */
export function letterMail(letter: Letter, scene: MailScene): Mail {
  const draft = draftOf(letter, scene);
  const { page, to, words } = scene;
  const domain = mailDomain(scene.from);
  const thread = draft.thread === null ? null : `<${draft.thread}.${page.uid}@${domain}>`;
  return {
    to,
    subject: draft.subject,
    text: textOf(draft, words),
    html: htmlOf(draft, scene),
    messageId: `<letter-${letter.id}.${page.uid}@${domain}>`,
    thread,
    leaveUrl: draft.leaveUrl,
  };
}

const linesOf = ({ lines, affected }: LetterDraft, { texts }: PageWords): readonly string[] => [
  ...lines,
  ...(affected === "" ? [] : [`${texts.affected}${texts.colon}${affected}`]),
];

const linkText = (part: string | Link): string =>
  typeof part === "string" ? part : `${part.label}: ${part.url}`;

function textOf(draft: LetterDraft, words: PageWords): string {
  const { subject, message, buttons, footer } = draft;
  return `${[
    subject,
    linesOf(draft, words).join("\n"),
    reportPlain(message),
    buttons.map(linkText).join("\n"),
    footer.length === 0 ? "" : `-- \n${footer.map(linkText).join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}

function htmlOf(draft: LetterDraft, scene: MailScene): string {
  const { words } = scene;
  const { subject, state, title, tone, message, buttons, footer } = draft;
  const link = ({ label, url }: Link): Html => html`<a href="${url}">${label}</a> `;
  return mailDocument({
    language: words.locale,
    brand: mailBrand(scene.page.definition, scene.address),
    subject,
    state,
    title,
    tone,
    content: html`${linesOf(draft, words).map((line) => html`<p dir="auto">${line}</p>`)}
    ${message === "" ? null : html`<div class="note" dir="auto">${reportMarkup(message)}</div>`}
    ${buttons.length === 0 ? null : html`<p class="links">${buttons.map(link)}</p>`}`,
    footer: html`${footer.map((part) => html`<p>${typeof part === "string" ? part : link(part)}</p>`)}`,
  });
}
