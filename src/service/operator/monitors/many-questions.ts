import * as limits from "#limits/pages-limits";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { packed, restField } from "#service/operator/forms/packed-choices";
import type { PageAnswer } from "#service/edge/page-answer";
import { askedNames, ofFilesAsked } from "#service/operator/monitors/asked-names";
import {
  knownField,
  remarksView,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import {
  isAsSeen,
  searchOf,
  seenCount,
  seenField,
  seenWord,
} from "#service/operator/monitors/many-selection";
import { removalCard, tenMinutes } from "#service/operator/deleting/removal-view";
import { canUndo, undoingForms } from "#service/operator/monitors/many-undo";
import { withPicks } from "#service/operator/monitors/picks";
import {
  framed,
  type FormRequest,
  type KnownReader,
  type PageContext,
} from "#service/operator/page-request";
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
  const ours = rows.filter(isOurs);
  const words = form.get("act") === "move" ? "Move" : "Assign";
  const content = html`<h1 class="page">${words} ${counted(ours.length, "monitor")}?</h1>
    ${remarksView(remarks, `${words} anyway`)}
    ${manyAgain(reader, form, {
      selection: foundAgain(rows, form),
      hidden: [
        ["act", words.toLowerCase()],
        ["location", location],
        [knownField, remarks.known],
      ],
      button: html`<button type="submit">${words} anyway</button>`,
    })}`;
  return asked(context, reader, "Monitors · Picket", content);
}

/** Asks before something is done with what the search finds now, which is not what the page showed. */
export function changedPage(
  context: PageContext,
  { form, reader }: FormRequest,
  rows: readonly MonitorRow[],
  { action, words, isOfOurs }: AskedAct,
): PageAnswer {
  const meant = isOfOurs ? rows.filter(isOurs) : rows;
  const what = `${words} ${counted(meant.length, "monitor")}`;
  const content = html`<h1 class="page">${what}?</h1>
    ${changedLine(rows, form)} ${askedNames(meant)} ${isOfOurs ? ofFilesAsked(rows) : null}
    ${manyAgain(reader, form, {
      action,
      selection: namedAgain(rows, form),
      hidden: typedFields.flatMap((name) =>
        form.getAll(name).map((value) => [name, value] as const),
      ),
      button: html`<button type="submit" class="main">${what}</button>`,
    })}`;
  return asked(context, reader, "Monitors · Picket", content);
}

/** What a person types or presses in the bar, which is done as it was if they say so. */
const typedFields = [
  ...(["act", "key", "value", "location"] as const),
  ...(["length", "count", "unit", "reason"] as const),
] as const;

interface AskedAct {
  /** Where it is done. */
  readonly action: string;
  /** What is done, before how many monitors. */
  readonly words: string;
  /** Whether those of files stay as they are. */
  readonly isOfOurs: boolean;
}

const changedLine = (rows: readonly MonitorRow[], form: URLSearchParams): Html =>
  html`<p class="advice" role="alert">${changedWords(rows, form)}</p>`;

function changedWords({ length }: readonly MonitorRow[], form: URLSearchParams): string {
  const before = seenCount(form);
  const now = counted(length, "monitor");
  if (before === null) return `Nothing is done yet: the search finds ${now}.`;
  return before === length
    ? "Nothing is done yet: the search finds other monitors than on your page, and as many."
    : `Nothing is done yet: the search finds ${now}, and ${grouped(before)} were on your page.`;
}

interface ManyAgain {
  readonly action?: string;
  readonly selection: readonly Html[];
  readonly hidden: readonly (readonly [name: string, value: string])[];
  readonly button: Html;
}

/** A form that does it with the same monitors. */
const manyAgain = (
  reader: KnownReader,
  form: URLSearchParams,
  { action = "/monitors/many", selection, hidden, button }: ManyAgain,
): Html =>
  html`<form method="post" action="${action}" class="act">
    <input type="hidden" name="form" value="${reader.formToken}" />
    ${[...hidden, ["query", form.get("query") ?? ""] as const].map(([name, value]) => hiddenField(name, value))}
    ${selection} ${button}
    <a class="button" href="${withPicks(searchOf(form), form)}">Cancel</a>
  </form>`;

/** All that the search finds again, if it finds the same then: there may be too many to name. */
const foundAgain = (rows: readonly MonitorRow[], form: URLSearchParams): readonly Html[] =>
  form.has("all")
    ? [hiddenField("all", "yes"), hiddenField(seenField, seenWord(rows))]
    : [hiddenField(restField("monitor"), namesOf(rows))];

/** These, whatever the search finds then: in an outage it finds others each second. */
function namedAgain(rows: readonly MonitorRow[], form: URLSearchParams): readonly Html[] {
  const named = namesOf(rows);
  // Half of a form is left for the rest of it.
  if (named.length > limits.formBytesMax / 2) return foundAgain(rows, form);
  return [hiddenField(restField("monitor"), named)];
}

const namesOf = (rows: readonly MonitorRow[]): string => packed(rows.map(({ id }) => id));

const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

const isOurs = ({ owner }: MonitorRow): boolean => owner === "";

const asked = (
  { rooms }: PageContext,
  reader: KnownReader,
  title: string,
  content: Html,
): PageAnswer => {
  const at = rooms.clock.wall();
  return framed({ reader }, { title, section: "monitors", document: null, at, content });
};

/** Asks once before many are deleted, and again if the search finds others then. Those of files stay. */
export function askPage(
  context: PageContext,
  reader: KnownReader,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): PageAnswer {
  const ours = rows.filter(isOurs);
  const what = `Delete ${counted(ours.length, "monitor")}`;
  const content = html`<p class="back">
      <a href="${withPicks(searchOf(form), form)}">Monitors</a>
    </p>
    <h1 class="page">${what}?</h1>
    ${isAsSeen(rows, form) ? null : changedLine(rows, form)}
    ${removalCard({
      facts: [["Monitors", askedNames(ours)]],
      effects: ["Their results go with them.", "They leave the status pages that show them."],
      stays: ofFilesAsked(rows),
      undo: undoWords(ours),
      form: manyAgain(reader, form, {
        selection: foundAgain(rows, form),
        hidden: [
          ["act", "delete"],
          ["sure", "yes"],
        ],
        button: html`<button type="submit" class="danger">${what}</button>`,
      }),
    })}`;
  return asked(context, reader, "Delete monitors · Picket", content);
}

function undoWords(rows: readonly MonitorRow[]): string {
  if (rows.length <= limits.undoneAtOnce) return tenMinutes;
  return canUndo(undoingForms(rows, { kind: "delete" }))
    ? `You can undo this for ten minutes, in parts of ${grouped(limits.undoneAtOnce)}.`
    : "You cannot undo this: they are too many. Search for fewer to keep an undo.";
}
