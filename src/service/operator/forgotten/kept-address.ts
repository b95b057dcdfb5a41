import type { SecretBox } from "#service/edge/secret-box";

/*
 * Whoever has changed a password signs in next, and need not type their e-mail address again. The address of the page has
 * it sealed: logs of proxies and the history of a browser do not name people.
 */

/** The name that says in the address of the page to sign in what led there. */
export const changedName = "password-changed";

/** The page to sign in, for someone whose password was changed. */
export const passwordChangedPath = (box: Pick<SecretBox, "seal">, email: string): string =>
  `/sign-in?${new URLSearchParams({ [changedName]: box.seal(email, purpose) }).toString()}`;

/** Empty if there is none, or one that this service did not seal. */
export const keptAddressIn = (box: Pick<SecretBox, "open">, query: URLSearchParams): string =>
  box.open(query.get(changedName) ?? "", purpose) ?? "";

const purpose = "the e-mail address of someone whose password was changed";
