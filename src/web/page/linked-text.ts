import { html, type Html } from "#web/page/html";

/** What a person wrote, with its addresses as links. */
export const linkedText = (text: string): readonly Html[] => text.split(address).map(linked);

/** Every second part is an address. */
const linked = (part: string, index: number): Html =>
  index % 2 === 1 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`;

/** Without the full stop or the bracket that a sentence has after it. */
const address = /(\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;
