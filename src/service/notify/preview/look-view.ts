import { html, Html } from "#web/page/html";
import type { LookPart, Markup, MessageLook } from "#service/notify/preview/message-looks";

/** A message as its readers would see it. Its classes are of the style of whoever shows it. */
export const lookView = ({ frame, parts }: MessageLook): Html =>
  html`<div class="look ${frame}">${parts.map(partView)}</div>`;

function partView(part: LookPart): Html {
  switch (part.is) {
    case "title":
      return html`<p class="title">${marked(part.text, part.markup)}</p>`;
    case "note":
      return html`<p class="note">${part.text}</p>`;
    case "text":
      return html`<p class="lines">${marked(part.text, part.markup)}</p>`;
    case "facts":
      return html`<dl>
        ${part.rows.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${marked(value, part.markup)}</dd>`,
        )}
      </dl>`;
    case "buttons":
      return html`<p>${part.labels.map((label) => html`<span class="press">${label}</span> `)}</p>`;
    case "code":
      return html`<pre tabindex="0">${part.text}</pre>`;
    case "mail":
      return html`<div class="mail">${new Html(part.markup)}</div>`;
    case "folded":
      return html`<details id="plain">
        <summary>${part.summary}</summary>
        <p class="lines">${part.text}</p>
      </details>`;
  }
}

/** Bold words stay bold, and a link is its words: it leads nowhere in an example. */
function marked(text: string, markup: Markup): Html {
  switch (markup) {
    case "none":
      return html`${text}`;
    case "html":
      // Of our own renderer, which escaped every value.
      return new Html(text.replaceAll(/<a [^>]*>(.*?)<\/a>/gs, '<span class="link">$1</span>'));
    case "marks":
      return new Html(withMarks(html`${text}`.text));
  }
}

/** `<url|words>` and `[words](url)` are links, `*words*` and `**words**` bold, and a backslash escapes. */
const withMarks = (escaped: string): string =>
  escaped
    .replaceAll(/&lt;https?:[^|&\s]+(?:&amp;[^|&\s]+)*\|(.+?)&gt;/g, '<span class="link">$1</span>')
    .replaceAll(/(?<!\\)\[([^\]]+)\]\(https?:[^)]+\)/g, '<span class="link">$1</span>')
    .replaceAll(/\*{1,2}([^*\n]+)\*{1,2}/g, "<b>$1</b>")
    .replaceAll(/\\([^A-Za-z0-9\s])/g, "$1")
    // What the provider's own escape turned into an entity was escaped once more.
    .replaceAll(/&amp;(amp|lt|gt|quot|#39);/g, "&$1;");
