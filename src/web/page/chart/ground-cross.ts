import { html, type Html } from "#web/page/html";

/** A failed check, on the ground of a chart: so far from its left in per cent, where the ground is so low. */
export const groundCross = (percent: number, ground: number): Html =>
  html`<svg class="mark" x="${percent}%" y="${ground - 5}">
    <path class="error" d="M-3-3 3 3M3-3-3 3" />
  </svg>`;
