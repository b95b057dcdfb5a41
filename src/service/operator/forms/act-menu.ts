import { html, type Html } from "#web/page/html";

/**
 * Acts that a page does not show at once, behind one button. It opens without a script, too; `what` is for those who hear
 * the button alone. `if-narrow` is for a menu of what a wide page shows next to it.
 */
export const actMenu = (
  what: string,
  items: readonly (Html | null)[],
  look: "" | "if-narrow" = "",
): Html | null => {
  const shown = items.filter((item) => item !== null);
  if (shown.length === 0) return null;
  return html`<details class="act drop acts-menu ${look}">
    <summary class="button">
      <span aria-hidden="true">⋯</span><span class="unseen">More for ${what}</span>
    </summary>
    <ul class="dropped">
      ${shown.map((item) => html`<li>${item}</li>`)}
    </ul>
  </details>`;
};
