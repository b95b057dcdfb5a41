import { html, type Html } from "#web/page/html";

/**
 * A table of figures that is scrolled by itself if it is too wide, with the keyboard as well. Columns after the first are
 * figures and end below each other, unless their heads are among `texts`.
 */
export const figureTable = (
  label: string,
  heads: readonly (string | Html)[],
  rows: readonly Html[],
  texts: readonly string[] = [],
): Html =>
  html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table class="${["figures", ...textColumns(heads, texts)].join(" ")}">
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

const textColumns = (
  heads: readonly (string | Html)[],
  texts: readonly string[],
): readonly string[] =>
  heads.flatMap((head, index) =>
    typeof head === "string" && texts.includes(head) ? [`words-${index + 1}`] : [],
  );
