import { html, type Html } from "#web/page/html";

/** What a monitor's description says, e.g. where its runbook is: addresses in it are links. Null if it says nothing. */
export const runbookNote = (description: string): Html | null =>
  description === ""
    ? null
    : html`<p class="runbook">${description.split(address).map(linked)}</p>`;

/** Every second part is an address. */
const linked = (part: string, index: number): Html =>
  index % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`;

/** Without the full stop or the bracket that a sentence has after it. */
const address = /(\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;
