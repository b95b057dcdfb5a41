import { currentRow } from "#browser/row-cursor";

/*
 * After an act a page is loaded anew. The focus goes back to the row that it was in, or else to the sentence that says
 * what was done: not to the top, from where a person would begin again.
 */

const kept = "acted-in";

export function keepFocusAfterActs(): void {
  document.addEventListener("submit", () => {
    const lead = currentRow()?.querySelector("h3 a")?.getAttribute("href") ?? null;
    if (lead !== null) sessionStorage.setItem(kept, lead);
  });
  const lead = sessionStorage.getItem(kept);
  sessionStorage.removeItem(kept);
  const isAfterAct = /[?&](?:notice|acknowledged)=/.test(location.search);
  if (!isAfterAct || document.activeElement !== document.body) return;
  const row =
    lead === null
      ? null
      : document.querySelector<HTMLElement>(`main h3 a[href="${CSS.escape(lead)}"]`);
  const notice = document.querySelector<HTMLElement>("main :is(.notice, .undo)");
  if (row === null && notice !== null) notice.tabIndex = -1;
  // Lines of one cause are folded: its head has the focus then.
  const head = row?.closest("details:not([open])")?.querySelector<HTMLElement>("summary");
  (head ?? row ?? notice)?.focus();
}
