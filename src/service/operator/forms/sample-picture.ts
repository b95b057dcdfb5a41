import type { Sample } from "#check/form-field";
import { html, type Html } from "#web/page/html";

/** A look as a small picture: a card on its ground, with a line of text and its colours. Words next to it name it. */
export const samplePicture = ({ ground, card, line, marks }: Sample): Html =>
  html`<svg class="sample" viewBox="0 0 60 36" aria-hidden="true">
    <rect width="60" height="36" rx="3" fill="${ground}" />
    <rect x="6" y="6" width="48" height="24" rx="2" fill="${card}" stroke="${line}" />
    ${marks.map(
      (mark, place) =>
        html`<rect x="${11 + 8 * place}" y="13" width="6" height="10" rx="1" fill="${mark}" />`,
    )}
  </svg>`;
