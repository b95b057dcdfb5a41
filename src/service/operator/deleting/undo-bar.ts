import { html, type Html } from "#web/page/html";

interface UndoBar {
  /** For whoever hears the page. */
  readonly label: string;
  /** What was done, and until when it can be undone. */
  readonly words: Html;
  /** A form with a button, if it can be undone. */
  readonly undo: Html | null;
  /** What closes it: a form, or the address of the page without it. */
  readonly close: Html | string;
  /** What else can be undone. */
  readonly more?: Html | null;
}

/** What was just done, a button that undoes it, and one that closes the bar. */
export const undoBar = ({ label, words, undo, close, more = null }: UndoBar): Html =>
  html`<section class="undo" role="status" aria-label="${label}">
    <p>${words}</p>
    ${undo}
    <div class="close">
      ${
        typeof close === "string"
          ? html`<a class="button bare" href="${close}" aria-label="Close">${closeMark}</a>`
          : close
      }
    </div>
    ${more}
  </section>`;

export const closeMark: Html = html`<span aria-hidden="true">×</span>`;
