import { html, type Html } from "#web/page/html";

/** How a monitor stands, the most urgent first: its last verdict, or that it has none yet. */
export const standings = ["error", "degraded", "unchecked", "success"] as const;
export type Standing = (typeof standings)[number];

/** What a standing is called, and the shape that says it to those who do not see its colour. */
export const standingWords: { readonly [S in Standing]: string } = {
  error: "Failing",
  degraded: "Degraded",
  unchecked: "Not checked yet",
  success: "Passing",
};

const shapes: { readonly [S in Standing]: Html } = {
  error: html`<path class="fill" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" /><path
      class="cut"
      d="M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"
    />`,
  degraded: html`<path class="fill" d="M8 1.2 15.4 14.6H.6z" /><path
      class="cut"
      d="M8 6v4M8 12v.6"
    />`,
  unchecked: html`<circle class="outline" cx="8" cy="8" r="6.2" />`,
  success: html`<circle class="fill" cx="8" cy="8" r="7" /><path
      class="cut"
      d="m4.6 8.2 2.3 2.4 4.5-5"
    />`,
};

/** What a person has stopped: it is no verdict. */
export const pausedMark = (words: string): Html =>
  html`<span class="mark unchecked"
    ><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path class="fill" d="M3.500 2.500h3v11h-3zM9.500 2.500h3v11h-3z" /></svg
    >${words}</span
  >`;

/** What is worked on as planned: a clock. */
export const plannedMark = (words: string): Html =>
  html`<span class="mark planned"
    ><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <circle class="fill" cx="8" cy="8" r="7" />
      <path class="cut" d="M8 4v4.200l2.800 1.800" /></svg
    >${words}</span
  >`;

/** A shape and a word; the colour only underlines them. */
export const verdictMark = (
  standing: Standing,
  words: string | Html = standingWords[standing],
): Html =>
  html`<span class="mark ${standing}"
    ><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">${shapes[standing]}</svg
    >${words}</span
  >`;
