import { createHash } from "node:crypto";
import { undoneAtOnce } from "#limits/pages-limits";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { packed } from "#service/operator/forms/packed-choices";
import type { PageAnswer } from "#service/edge/page-answer";
import {
  knownField,
  remarksView,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import { searchOf } from "#service/operator/monitors/many-selection";
import { framed, type KnownReader, type PageContext } from "#service/operator/page-request";
import type { MonitorRow } from "#service/store/state-store";

/* What a person is asked before something is done with many monitors. */

/** Says what is to be known before it is done, and does it at the second press. */
export function remarksPage(
  context: PageContext,
  reader: KnownReader,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
  remarks: SaveRemarks,
): PageAnswer {
  const location = form.get("location") ?? "";
  const content = html`<h1 class="page">Assign ${counted(rows.length, "monitor")}?</h1>
    ${remarksView(remarks)}
    ${manyAgain(reader, rows, form, {
      hidden: [
        ["act", "assign"],
        ["location", location],
        [knownField, remarks.known],
      ],
      button: html`<button type="submit">Assign anyway</button>`,
    })}`;
  return asked(context, reader, "Monitors · Picket", content);
}

interface ManyAgain {
  readonly hidden: readonly (readonly [name: string, value: string])[];
  readonly button: Html;
}

/** A form that does it with the same monitors: all that the search finds again, for there may be too many to name. */
const manyAgain = (
  reader: KnownReader,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
  { hidden, button }: ManyAgain,
): Html => {
  const query = form.get("query") ?? "";
  return html`<form method="post" action="/monitors/many" class="act">
    <input type="hidden" name="form" value="${reader.formToken}" />
    ${[...hidden, ["query", query] as const].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${
      form.has("all")
        ? html`<input type="hidden" name="all" value="yes" />
            <input type="hidden" name="seen" value="${seenWord(rows)}" />`
        : rows.map(({ id }) => html`<input type="hidden" name="monitor" value="${id}" />`)
    }
    ${button}
    <a href="${searchOf(form)}">Cancel</a>
  </form>`;
};

/** A short word for a set of monitors, whatever their order and number. */
export const seenWord = (rows: readonly MonitorRow[]): string =>
  createHash("sha256")
    .update(packed(rows.map(({ id }) => id)))
    .digest("base64url");

const asked = (
  { rooms }: PageContext,
  reader: KnownReader,
  title: string,
  content: Html,
): PageAnswer => {
  const at = rooms.clock.wall();
  return framed({ reader }, { title, section: "monitors", document: null, at, content });
};

/** Asks once before many are deleted; `left` more are of files, and stay. */
export function askPage(
  context: PageContext,
  reader: KnownReader,
  { rows, left }: { readonly rows: readonly MonitorRow[]; readonly left: number },
  form: URLSearchParams,
): PageAnswer {
  const shown = rows.slice(0, 20).map(({ definition }) => html`<li>${definition.name}</li>`);
  const content = html`<h1 class="page">Delete ${counted(rows.length, "monitor")}?</h1>
    ${form.has("sure") ? html`<p class="advice" role="alert">Nothing is deleted yet: the search finds other monitors now.</p>` : null}
    <p class="advice">
      Their results go with them, and they leave the status pages that show them. ${undoWords(rows)}
    </p>
    ${left === 0 ? null : html`<p class="advice">${counted(left, "monitor")} of files ${left === 1 ? "stays" : "stay"}: delete ${left === 1 ? "it" : "them"} in the files.</p>`}
    <ul>
      ${shown}
    </ul>
    ${rows.length > shown.length ? html`<p>And ${grouped(rows.length - shown.length)} more.</p>` : null}
    ${manyAgain(reader, rows, form, {
      hidden: [
        ["act", "delete"],
        ["sure", "yes"],
      ],
      button: html`<button type="submit" class="danger">
        Delete ${counted(rows.length, "monitor")}
      </button>`,
    })}`;
  return asked(context, reader, "Delete monitors · Picket", content);
}

const undoWords = ({ length }: readonly MonitorRow[]): string =>
  length > undoneAtOnce
    ? `You cannot undo this: only ${grouped(undoneAtOnce)} at once can be put back.`
    : "You can undo this for ten minutes.";
