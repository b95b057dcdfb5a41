import { html, type Html } from "#web/page/html";
import { scriptTag } from "#service/operator/script-tag";

/**
 * A new password's field, with a button in its line that shows what is typed, since it is typed once. The button is hidden
 * until its script has run.
 */
export const withShowButton = (field: Html, fieldId: string): Html =>
  html`<span class="shows"
      >${field}<button
        type="button"
        class="small"
        data-shows="${fieldId}"
        aria-controls="${fieldId}"
        hidden
      >
        Show
      </button></span
    >${scriptTag("showing")}`;
