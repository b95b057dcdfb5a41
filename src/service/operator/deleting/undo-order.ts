import { between, type EpochMillis } from "#base/units";
import { undoneWithin } from "#limits/service-limits";
import type { PageAnswer } from "#service/edge/page-answer";
import { KeptForms } from "#service/operator/kept-forms";
import { undoableUntil } from "#service/operator/monitors/many-undo";
import { contentBegins } from "#service/operator/page-frame";
import type { PageContext, PageRequest } from "#service/operator/page-request";
import { html, Html } from "#web/page/html";

/* The newest act is offered first, whatever it was: a person presses the first Undo. What is older is in one fold of it. */

/** What was deleted, and how it stands with another act that the page itself offers to undo. */
export interface DeletionNotice {
  /** With what else can be undone in its fold. */
  readonly bar: (older: readonly Html[]) => Html;
  /** All deletions in one fold. */
  readonly fold: Html;
  /** Whether the newest deletion came after the act that the page's address names. */
  readonly isNewest: boolean;
}

/** A bar, up to what closes it. */
const actBar = /<section class="undo"[^>]*>(?<act>.*?)<div class="close">.*?<\/section>/s;
const barEnds = "</section>";

/** Markup that says what was done, with the deletions in their place. */
export function withDeletions(
  text: string,
  { bar, fold, isNewest }: DeletionNotice,
): { readonly above: string; readonly text: string } {
  const found = actBar.exec(text);
  if (found === null) return { above: bar([]).text, text };
  const [whole] = found;
  if (isNewest) {
    const older = html`<li>${new Html(found.groups?.["act"] ?? "")}</li>`;
    return { above: bar([older]).text, text: text.replace(whole, () => "") };
  }
  const folded = `${whole.slice(0, -barEnds.length)}${fold.text}${barEnds}`;
  return { above: "", text: text.replace(whole, () => folded) };
}

/** A page with what was deleted: before everything that it says, or in the fold of what was done since. */
export function withUndoNotice(page: PageAnswer, notice: DeletionNotice | Html | null): PageAnswer {
  if (notice === null) return page;
  const { above, text } =
    notice instanceof Html
      ? { above: notice.text, text: page.body }
      : withDeletions(page.body, notice);
  return { ...page, body: text.replace(contentBegins, (begin) => `${begin}${above}`) };
}

/** Whether something came after the act whose undo a page's address names; of an act without one, nothing did. */
export async function isAfterAct(
  { rooms }: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  at: EpochMillis,
): Promise<boolean> {
  const until = await undoableUntil(new KeptForms(rooms), reader, query.get("undo") ?? "");
  return until !== null && between(at, until) < undoneWithin;
}

/** What can be undone, too, behind one button, so that it does not push away what the page is for. */
export const othersFold = (others: readonly Html[]): Html =>
  html`<details class="others">
    <summary>${others.length} more that can be undone</summary>
    <ul>
      ${others}
    </ul>
  </details>`;
