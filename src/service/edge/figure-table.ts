import { html, type Html } from "#web/page/html";

/** The head of a column, and how the table is sorted by it. */
export type TableHead =
  | string
  | Html
  | { readonly head: Html; readonly sorted: "ascending" | "descending" };

/**
 * A table of figures that is scrolled by itself if it is too wide, with the keyboard as well. Columns after the first are
 * figures and end below each other, unless their heads are among `texts`.
 */
export const figureTable = (
  label: string,
  heads: readonly TableHead[],
  rows: readonly Html[],
  texts: readonly string[] = [],
): Html =>
  html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table class="${["figures", ...textColumns(heads, texts)].join(" ")}">
      <thead>
        <tr>
          ${heads.map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

const headCell = (head: TableHead): Html =>
  typeof head === "object" && "sorted" in head
    ? html`<th scope="col" aria-sort="${head.sorted}">${head.head}</th>`
    : html`<th scope="col">${head}</th>`;

const textColumns = (heads: readonly TableHead[], texts: readonly string[]): readonly string[] =>
  heads.flatMap((head, index) =>
    typeof head === "string" && texts.includes(head) ? [`words-${index + 1}`] : [],
  );
