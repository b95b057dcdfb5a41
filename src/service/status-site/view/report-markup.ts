import MarkdownIt from "markdown-it";
import { disguises, html, Html } from "#web/page/html";

/**
 * What people write in reports, as Markdown: emphasis, lists, links and code. HTML in it is shown as text, a link goes to
 * http, https or mailto alone, and nothing is loaded from elsewhere.
 */
export const reportMarkup = (text: string): Html =>
  new Html(markdown.render(text.replace(disguises, "\ufffd")));

const markdown = new MarkdownIt("default", { html: false, linkify: true, breaks: true }).disable([
  "table",
  "heading",
  "lheading",
  "html_block",
  "html_inline",
]);

markdown.validateLink = (url) => /^(https?:|mailto:)/i.test(url.trim());
const { link_open: openLink } = markdown.renderer.rules;
markdown.renderer.rules["link_open"] = (tokens, index, options, environment, self) => {
  tokens[index]?.attrSet("rel", "nofollow noopener");
  return (
    openLink?.(tokens, index, options, environment, self) ??
    self.renderToken(tokens, index, options)
  );
};

// A picture is not loaded: its words are there instead, and lead to it unless they are in a link already.
markdown.renderer.rules["image"] = (tokens, index) => {
  const { words, to } = pictureOf(tokens[index]);
  const depth = tokens
    .slice(0, index)
    .reduce((sum, { type, nesting }) => sum + (type.startsWith("link_") ? nesting : 0), 0);
  const shown = html`${words}`;
  const link = html`<a href="${to}" rel="nofollow noopener">${shown}</a>`;
  return (depth > 0 ? shown : link).text;
};

/** What stands for a picture, and where it is. One without words is called by its address. */
function pictureOf(token: Token | undefined): { readonly words: string; readonly to: string } {
  const to = String(token?.attrGet("src") ?? "");
  const words = plainOf(token?.children ?? []);
  return { words: words === "" ? to : words, to };
}

/** The same where only text is shown, e.g. in calendars and in the text of mails: without marks, and with where links go. */
export function reportPlain(text: string): string {
  const lines: string[] = [];
  const lists: ListPlace[] = [];
  let marker = "";
  for (const token of markdown.parse(text.replace(disguises, "\ufffd"), {})) {
    const { type, level, content } = token;
    if (level === 0 && token.nesting >= 0 && lines.length > 0) lines.push("");
    if (type.endsWith("_list_open"))
      lists.push({
        isCounted: type === "ordered_list_open",
        next: Number(token.attrGet("start") ?? 1),
      });
    if (type.endsWith("_list_close")) lists.pop();
    if (type === "list_item_open") marker = markerOf(lists.at(-1));
    const words =
      type === "inline"
        ? plainOf(token.children ?? [])
        : token.nesting === 0
          ? content.trimEnd()
          : null;
    if (words === null) continue;
    const indent = "  ".repeat(Math.max(0, lists.length - 1));
    const [first = "", ...rest] = words.split("\n");
    const under = " ".repeat(marker.length);
    lines.push(`${indent}${marker}${first}`, ...rest.map((line) => `${indent}${under}${line}`));
    marker = "";
  }
  return lines.join("\n").trim();
}

interface ListPlace {
  readonly isCounted: boolean;
  next: number;
}

function markerOf(list: ListPlace | undefined): string {
  if (list?.isCounted !== true) return "- ";
  list.next += 1;
  return `${list.next - 1}. `;
}

type Token = ReturnType<typeof markdown.parse>[number];

function plainPicture(token: Token, saysWhere: boolean): string {
  const { words, to } = pictureOf(token);
  return saysWhere && words !== to ? `${words} (${to})` : words;
}

function plainOf(tokens: readonly Token[]): string {
  let words = "";
  let opened: { readonly at: number; readonly token: Token } | null = null;
  for (const token of tokens) {
    if (token.type === "softbreak" || token.type === "hardbreak") words += "\n";
    else if (token.type === "link_open") opened = { at: words.length, token };
    else if (token.type === "image") words += plainPicture(token, opened === null);
    else if (token.type !== "link_close") words += token.content;
    else if (opened !== null) {
      const to = opened.token.attrGet("href") ?? "";
      const isNamed = opened.token.info !== "auto" && words.slice(opened.at) !== to;
      words += isNamed ? ` (${to})` : "";
      opened = null;
    }
  }
  return words;
}
