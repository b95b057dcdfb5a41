import { html, type Html } from "#web/page/html";

interface ListHead {
  readonly title: string;
  /** How many there are and how they stand; null of what is not counted. */
  readonly count: string | Html | null;
  /** What one of them is, or is for. */
  readonly sentence: string | Html;
  /** What is done here most, as links; null for whoever may not. */
  readonly acts: Html | null;
  /** What is done with all that is listed, as a form with the class of acts. */
  readonly form?: Html | null;
}

/** How every list begins: what it is, how many there are, what they are for, and what is done here most. */
export const listHead = ({ title, count, sentence, acts, form = null }: ListHead): Html =>
  html`<div class="title-line list-head">
    <div>
      <h1>${title}</h1>
      ${count === null ? null : html`<p class="lede">${count}</p>`}
      <p class="about">${sentence}</p>
    </div>
    ${acts === null ? null : html`<p class="acts">${acts}</p>`} ${form}
  </div>`;

/** The act that a list is opened for: to make another one. */
export const mainAct = (to: string, words: string): Html =>
  html`<a class="button main" href="${to}">${words}</a>`;
