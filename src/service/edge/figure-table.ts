import { html, type Html } from "#web/page/html";

/** A table of figures that is scrolled by itself if it is too wide, with the keyboard as well. */
export const figureTable = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table class="figures">
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
