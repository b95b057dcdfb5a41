import type { ServiceName } from "#service/notify/event-facts";
import { mailDocument } from "#service/notify/mail-document";
import type { Message } from "#service/notify/message/message";
import { acknowledgeLink } from "#service/notify/message/parts";
import { html, type Html } from "#web/page/html";

/** A message as a mail in HTML. */
export function mailHtml(message: Message, service: ServiceName): string {
  const { title, reason, facts, lines, note, tone, links } = message;
  const main = acknowledgeLink(message);
  return mailDocument({
    language: "en",
    title,
    tone,
    content: html`${reason === "" ? null : html`<p class="reason" dir="auto">${reason}</p>`}
    ${facts.length === 0 ? null : factTable(facts)} ${lines.length === 0 ? null : list(lines)}
    ${note === "" ? null : html`<p class="note" dir="auto">${broken(note)}</p>`}
    ${main.length + links.length === 0 ? null : buttons(main, links)}`,
    footer: html`<p>Sent by ${serviceLink(service)}.</p>`,
  });
}

const factTable = (facts: Message["facts"]): Html =>
  html`<table>
    ${facts.map(
      ({ name, value }) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td dir="auto">${value}</td>
        </tr>`,
    )}
  </table>`;

const list = (lines: Message["lines"]): Html =>
  html`<ul>
    ${lines.map(
      ({ lead, rest, url }) =>
        html`<li dir="auto">
          ${url === null ? lead : html`<a href="${url}">${lead}</a>`}${rest}
        </li>`,
    )}
  </ul>`;

/** What its reader is to do stands first and is filled; if there is nothing to do, all of them are. */
const buttons = (main: Message["links"], others: Message["links"]): Html =>
  html`<p class="links">
    ${main.map(({ label, url }) => html`<a href="${url}">${label}</a> `)}
    ${others.map(({ label, url }) => html`<a ${main.length === 0 ? null : html`class="other" `}href="${url}">${label}</a> `)}
  </p>`;

const broken = (text: string): readonly Html[] =>
  text.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`));

const serviceLink = ({ name, url }: ServiceName): Html =>
  url === null ? html`${name}` : html`<a href="${url}">${name}</a>`;
