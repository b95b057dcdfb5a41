import { html, type Html } from "#web/page/html";
import { scriptTag } from "#service/operator/script-tag";

/** Shows what is typed into a new password's field, which is typed once. Hidden until its script has run. */
export const showButton = (fieldId: string): Html =>
  html`<button
      type="button"
      class="small"
      data-shows="${fieldId}"
      aria-controls="${fieldId}"
      hidden
    >
      Show</button
    >${scriptTag("showing")}`;
