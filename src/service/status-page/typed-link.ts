/**
 * A link as people type it: `acme.test` is `https://acme.test`. What has a scheme, or could be none of this, stays, and is
 * judged by the rules of the page.
 */
export function linkTyped(text: string): string {
  const link = text.trim();
  const isHost = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(link);
  return isHost ? `https://${link}` : link;
}

/** The same of where a reader asks for help: `help@acme.test` is `mailto:help@acme.test`. */
export function contactTyped(text: string): string {
  const link = text.trim();
  return /^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+$/.test(link) ? `mailto:${link}` : linkTyped(link);
}
