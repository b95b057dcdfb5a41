/**
 * Whether a header carries a credential, by its name: such a header stays behind when a redirect leads to another
 * origin, and its value is never shown. A name too many costs little, one too few a secret.
 */
export const isCredentialHeader = (name: string): boolean =>
  !openHeaders.has(name.toLowerCase()) && credentialName.test(name);

const credentialName =
  /auth(?!ors?\b)|bearer|cookie|credential|jwt|key$|key[-_]|passw|secret|session|signature|token/i;

/** They say how to show who one is, or what a page may do, and hold no credential. */
const openHeaders: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "proxy-authenticate",
  "www-authenticate",
]);
