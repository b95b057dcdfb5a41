import { html, type Html } from "#web/page/html";

/** Has the script of the form make the name in an address as it may be, and fill it from the title if `from` is that field. */
export const namingMark = (field: string, from: string | null): Html =>
  html`<span
    hidden
    data-names="${field}"
    ${from === null ? null : html` data-from="${from}"`}
  ></span>`;
