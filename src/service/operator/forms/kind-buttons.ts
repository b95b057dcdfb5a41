import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds, kindWords } from "#check/monitor";
import { html, type Html } from "#web/page/html";

/** A button for each kind of monitor, which shows the form of that kind with what was typed. */
export const kindButtons = (chosen: Kind, name: string): Html =>
  html`<div role="group" aria-label="Kind">
    <span class="kinds">
      ${kinds.map(
        (one) =>
          html`<button
            type="submit"
            name="${name}"
            value="${one}"
            data-stay="kind"
            class="small"
            aria-pressed="${one === chosen ? "true" : "false"}"
          >
            <svg viewBox="0 0 20 20" aria-hidden="true"><path d="${kindTable[one].glyph}" /></svg>
            ${kindWords[one].title}
          </button> `,
      )}
    </span>
  </div>`;
