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
import { insteadOf, type LetterFact } from "#service/status-site/news/letter-facts";
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

const linkText = (part: string | Link): string =>
  typeof part === "string" ? part : `${part.label}: ${part.url}`;

function textOf(draft: LetterDraft, words: PageWords): string {
  const { subject, lines, facts, message, buttons, footer } = draft;
  return `${[
    subject,
    lines.join("\n"),
    facts.map((fact) => factText(fact, words)).join("\n"),
    reportPlain(message),
    buttons.map(linkText).join("\n"),
    footer.length === 0 ? "" : `-- \n${footer.map(linkText).join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}

/** What it was before is below it, a little to the right. */
const factText = ({ name, value, before }: LetterFact, words: PageWords): string =>
  `${name}${words.texts.colon}${value}${before === undefined ? "" : `\n  ${insteadOf(before, words)}`}`;

function htmlOf(draft: LetterDraft, scene: MailScene): string {
  const { words } = scene;
  const { subject, state, title, tone, lines, facts, message, buttons, footer } = draft;
  const link = ({ label, url }: Link): Html => html`<a href="${url}">${label}</a> `;
  return mailDocument({
    language: words.locale,
    brand: mailBrand(scene.page.definition, scene.address),
    subject,
    state,
    title,
    tone,
    content: html`${lines.map((line) => html`<p dir="auto">${line}</p>`)}
    ${
      facts.length === 0
        ? null
        : html`<table>
            ${facts.map((fact) => factRow(fact, words))}
          </table>`
    }
    ${message === "" ? null : html`<div class="note" dir="auto">${reportMarkup(message)}</div>`}
    ${buttons.length === 0 ? null : html`<p class="links">${buttons.map(link)}</p>`}`,
    footer:
      footer.length === 0
        ? null
        : html`${footer.map((part) => html`<p>${typeof part === "string" ? part : link(part)}</p>`)}`,
  });
}

const factRow = ({ name, value, before }: LetterFact, words: PageWords): Html =>
  html`<tr>
    <th scope="row">${name}</th>
    <td dir="auto">
      ${together(value)}${before === undefined ? null : html`<br /><span class="before">${together(insteadOf(before, words))}</span>`}
    </td>
  </tr>`;

/** What the end of a line parts only if there is no room for it: days between dots, or the times at the end. */
function together(text: string): Html {
  const days = text.split(" · ");
  if (days.length > 1)
    return html`${days.map((day, index) => html`${whole(index < days.length - 1 ? `${day} ·` : day)} `)}`;
  const [times = ""] = timesAtEnd.exec(text) ?? [];
  return html`${text.slice(0, text.length - times.length)}${times === "" ? null : whole(times)}`;
}

const whole = (text: string): Html => html`<span class="whole">${text}</span>`;

/** `12:00 – 13:00 UTC`, `12:00 (UTC)`, `5:00 pm – 6:00 pm UTC`, `오후 5:00 UTC`. */
const timesAtEnd =
  /(?:(?:오전|오후) )?\d{1,2}:\d\d(?:\s[ap]m)?(?:\s–\s(?:(?:오전|오후) )?\d{1,2}:\d\d(?:\s[ap]m)?)?\s\S+$/i;
