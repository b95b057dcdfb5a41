import { html, type Html } from "#web/page/html";

/** Without a script, the field lets all of it be selected. */
export const copiedLine = (id: string, label: string, text: string): Html =>
  html`<div class="field">
    <label for="shared-${id}">${label}</label>
    <div class="pasting">
      <input id="shared-${id}" class="line" readonly value="${text}" />
      <button type="button" class="copy" data-copies="shared-${id}" aria-label="Copy: ${label}">
        Copy
      </button>
    </div>
  </div>`;

/** The snippet is HTML in itself, before the page that shows it escapes it again. */
export const quoted = (text: string): string => html`${text}`.text;
