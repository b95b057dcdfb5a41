/** How a column is sorted, in the words of `aria-sort`. */
export type SortDirection = "ascending" | "descending";

/** What the head of a sorted column has behind its words: up if its least value is first. */
export const sortArrow: { readonly [D in SortDirection]: string } = {
  ascending: " ▲",
  descending: " ▼",
};
