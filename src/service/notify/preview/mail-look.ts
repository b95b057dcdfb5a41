/**
 * The HTML part of a mail as a part of a page: what its body has, with a paragraph for its heading, since a page has its own,
 * and with links as their words. It is of our own renderer, which escaped every value. Empty if it has no body.
 */
export const mailLook = (document: string): string =>
  (/<main>(.*)<\/main>/s.exec(document)?.[1] ?? "")
    .replaceAll(/<h1 class="(\w+)"([^>]*)>(.*?)<\/h1>/gs, '<p class="mail-head $1"$2>$3</p>')
    .replaceAll(/<a class="other" href="[^"]*">(.*?)<\/a>/gs, '<span class="press">$1</span>')
    .replaceAll(/<p class="links">.*?<\/p>/gs, (links) => asSpans(links, "press main"))
    .replaceAll(/<footer>(.*?)<\/footer>/gs, '<div class="mail-foot">$1</div>')
    .replace(/^.*$/s, (rest) => asSpans(rest, "link"));

const asSpans = (text: string, kind: string): string =>
  text.replaceAll(/<a href="[^"]*">(.*?)<\/a>/gs, `<span class="${kind}">$1</span>`);
