/* An address may hold a password, or a token in its query: once saved, they are shown as a mark, and what still has the mark keeps them. */

/** What is shown for a part that is not. */
const addressMask = "••••";

/** An address without its password and its query. */
export const maskedAddress = (address: string): string => {
  const { user, query } = partsOf(address);
  const withoutQuery = query === "" ? address : address.slice(0, -query.length);
  return `${user === "" ? withoutQuery : withoutQuery.replace(`//${user}@`, `//${addressMask}@`)}${
    query === "" ? "" : `?${addressMask}`
  }`;
};

/** What a person typed, with the parts of the saved address for the marks that were left alone. */
export function unmaskedAddress(typed: string, saved: string): string {
  const { user, query } = partsOf(saved);
  const open = user === "" ? typed : typed.replace(`//${addressMask}@`, () => `//${user}@`);
  return query === "" || !open.endsWith(`?${addressMask}`)
    ? open
    : `${open.slice(0, -`?${addressMask}`.length)}${query}`;
}

function partsOf(address: string): { readonly user: string; readonly query: string } {
  const [, user = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)@/i.exec(address) ?? [];
  const [query = ""] = /[?#].*$/s.exec(address) ?? [];
  return { user, query };
}
