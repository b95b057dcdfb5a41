import type { Line } from "#service/notify/message/message";

/**
 * Text within Markdown as chats read it: no name makes a link, a mention or a list. Links that stand in a text stay as they
 * are, so that a runbook can be opened.
 */
export const inMarkdown = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join("");

/** A line of a list, whose first words lead to its page. */
export const lineInMarkdown = ({ lead, rest, url }: Line): string =>
  url === null
    ? inMarkdown(`${lead}${rest}`)
    : // A link within a link's text is none.
      `[${escaped(lead)}](${url})${inMarkdown(rest)}`;

const escaped = (text: string): string =>
  text.replace(/[\\*_~`|<>[\]]|^[#+-]/gm, String.raw`\$&`).replace(/^(\d+)\./gm, String.raw`$1\.`);
