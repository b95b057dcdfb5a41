import { namesShown } from "#limits/pages-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { ownForm } from "#service/operator/form-fields";
import { managedNote } from "#service/operator/managed-note";
import type { KnownReader } from "#service/operator/page-request";

/** One thing that is known of what goes: its name and its value. */
export type RemovalFact = readonly [name: string, value: Html | string];

/** What is about to be deleted, revoked or ended. */
export interface Removal {
  readonly reader: KnownReader;
  /** Where a person comes from and goes back to. */
  readonly back: { readonly path: string; readonly words: string };
  /** The question, e.g. `Delete the monitor Shop?`. */
  readonly title: string;
  readonly facts: readonly RemovalFact[];
  /** What goes with it and what becomes of whoever uses it, in sentences. */
  readonly effects: readonly (Html | string)[];
  /** Whether it can be undone, as a sentence. */
  readonly undo: string;
  /** Where the form is sent, and what its button says. */
  readonly action: string;
  /** The field that says which one it is, and its value; nothing if the address says it. */
  readonly names?: readonly [field: string, value: string];
  readonly button: string;
  /** A button before it that does more: the field that says so, and its words. */
  readonly also?: readonly [field: string, words: string] | null;
  /** Of the files that it is from; empty if a person made it. */
  readonly owner?: string;
}

export const tenMinutes = "You can undo this for ten minutes.";
export const noUndo = "This cannot be undone.";

/** The one question before something goes: what it is, what goes with it, one button that does it, and one that does not. */
export const removalView = (removal: Removal): Html =>
  html`<p class="back"><a href="${removal.back.path}">${removal.back.words}</a></p>
    <h1 class="page">${removal.title}</h1>
    ${(removal.owner ?? "") === "" ? cardOf(removal) : managedNote(removal.owner ?? "")}`;

const cardOf = ({ reader, back, action, names, button, also = null, ...rest }: Removal): Html =>
  removalCard({
    ...rest,
    form: ownForm(
      action,
      reader,
      html`${names === undefined ? null : html`<input type="hidden" name="${names[0]}" value="${names[1]}" />`}
        ${also === null ? null : html`<button type="submit" name="${also[0]}" value="yes" class="danger">${also[1]}</button>`}
        <button type="submit" class="danger">${button}</button>
        <a class="button" href="${back.path}">Cancel</a>`,
    ),
  });

interface RemovalCard extends Pick<Removal, "facts" | "effects" | "undo"> {
  /** What stays as it is, if something does. */
  readonly stays?: Html | null;
  readonly form: Html;
}

/** What goes and what becomes of it, with its form: the same of one and of many. */
export const removalCard = ({ facts, effects, undo, stays = null, form }: RemovalCard): Html =>
  html`<section class="card removal" aria-labelledby="then">
    ${
      facts.length === 0
        ? null
        : html`<dl class="facts">
            ${facts.map(
              ([name, value]) =>
                html`<dt>${name}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>`
    }
    <h2 id="then">What happens then</h2>
    <ul class="remarks">
      ${effects.map((effect) => html`<li>${effect}</li>`)}
    </ul>
    ${stays}
    <p class="undoing">${undo}</p>
    ${form}
  </section>`;

/** `Office, Berlin and 3 more`. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, namesShown);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${grouped(more)} more`;
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}
