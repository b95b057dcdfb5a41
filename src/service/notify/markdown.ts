/**
 * Text within Markdown as chats read it: no name makes a link, a mention or a list. Links that stand in a text stay as they
 * are, so that a runbook can be opened.
 */
export const inMarkdown = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join("");

const escaped = (text: string): string =>
  text.replace(/[\\*_~`|<>[\]]|^[#+-]/gm, String.raw`\$&`).replace(/^(\d+)\./gm, String.raw`$1\.`);
