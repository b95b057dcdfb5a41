import MarkdownIt from "markdown-it";
import { disguises, Html } from "#web/page/html";

/**
 * What people write in reports, as Markdown: emphasis, lists, links and code. HTML in it is shown as text, a link goes to
 * http, https or mailto alone, and nothing is loaded from elsewhere.
 */
export const reportMarkup = (text: string): Html =>
  new Html(markdown.render(text.replace(disguises, "\ufffd")));

const markdown = new MarkdownIt("default", { html: false, linkify: true, breaks: true }).disable([
  "image",
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
