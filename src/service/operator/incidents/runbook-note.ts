import { html, type Html } from "#web/page/html";
import { linkedText } from "#web/page/linked-text";

/** What a monitor's description says, e.g. where its runbook is. Null if it says nothing. */
export const runbookNote = (description: string): Html | null =>
  description === "" ? null : html`<p class="runbook">${linkedText(description)}</p>`;
