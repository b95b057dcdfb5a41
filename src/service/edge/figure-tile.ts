import { html, type Html } from "#web/page/html";

/** A figure with its name, and what it is of, in a list of tiles. */
export const figureTile = (name: string, value: string | Html, note: string | Html = ""): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === "" ? null : html` <span class="note">${note}</span>`}</dd>
  </div>`;
