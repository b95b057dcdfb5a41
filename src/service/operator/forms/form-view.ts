import { capital } from "#base/text";
import type { Choice, FormField, FormFields } from "#check/form-field";
import type { Mistake } from "#check/findings";
import { html, type Html } from "#web/page/html";
import { formPage } from "#service/operator/changes/basis-field";
import { fieldId } from "#service/operator/forms/field-id";
import { fieldView, labelIn } from "#service/operator/forms/field-view";
import { afterLabel, isOfMany, mistakesHead } from "#service/operator/forms/refusal-words";
import type { ShownForm } from "#service/operator/forms/shown-form";
import type { FormGroup, FormState } from "#service/operator/forms/form-group";
import { foldedView, isOf, isPosted } from "#service/operator/forms/folded-group";
import { filledIn } from "#service/operator/forms/filled-in";
import { byReturn, enterMark } from "#service/operator/forms/form-rows";
import { summaryOf } from "#service/operator/forms/group-summary";
import { scriptTag } from "#service/operator/script-tag";
import type { KnownReader } from "#service/operator/page-request";

interface FormView {
  /** Where it is sent. */
  readonly action: string;
  /** The address that loads it again, if that is its own alone; left out: that of all forms of its action. */
  readonly page?: string;
  readonly reader: KnownReader;
  readonly fields: FormFields;
  readonly groups: readonly FormGroup[];
  readonly state: FormState;
  /** What there is to choose, by the names of the fields that are lists of boxes. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** What such a list shows in addition, and no one ticks; left out if there is nothing. */
  readonly fixed?: ShownForm["fixed"];
  /** What is to be known of such a list; left out if there is nothing. */
  readonly notes?: Readonly<Record<string, string | Html>>;
  /** Fields that no person sees. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Before the groups; null: nothing is. */
  readonly lead: Html | null;
  /** Whether it is shown only: nothing in it can be changed or sent. */
  readonly isLocked: boolean;
  /** What the button says. */
  readonly submit: string;
  /** What a script has it say once something is changed, e.g. after “Save anyway”; left out: the same. */
  readonly plainly?: string;
  /** Where a person goes who does not send it; null: it is on the page where they are. */
  readonly cancel: string | null;
  /** Next to the groups, e.g. how a message looks; null: nothing is. */
  readonly extra: Html | null;
  /** Whether it makes something new: a person begins to type in its first empty field. Left out: the cursor is in none. */
  readonly isNew?: boolean;
  /** Another field in which a person begins to type; left out: as `isNew` says. */
  readonly begins?: string;
  /** Whether its buttons stay in view also as one of several forms of a page; left out: only if it is alone there. */
  readonly stays?: boolean;
  /** Whether its page is for something else, so that page keys act next to it; left out: its page is for it. */
  readonly isAside?: boolean;
  /** The field in which they continue once a button filled others; left out: the cursor stays at the button. */
  readonly continues?: string;
  /** The button that Return in a field of one line presses, for a form that is sent by its own button alone; left out: that. */
  readonly returns?: string;
  /** Other buttons next to the one that sends it, and what they said; null: there are none. */
  readonly actions: Html | null;
}

/** A form in one column of groups. What is wrong is listed above it, and said at each field. */
export const formView = (view: FormView): Html => formIn(view, "");

/** The same as one of several forms of a page, whose ids begin with a prefix. */
export function formIn(view: FormView, idPrefix: string): Html {
  const { action, reader, fields, groups, state, hidden, submit, lead, extra } = view;
  const mistakes = inFormOrder(view);
  const isOpening = mistakes.length === 0 && !isPosted(state.typed);
  const next = mistakes.length === 0 ? (view.continues ?? null) : focusedName(fields, mistakes);
  const first = isOpening ? (view.begins ?? beginOf(view)) : next;
  const { choices, fixed = {}, notes = {} } = view;
  const shown: ShownForm = { ...state, mistakes, first, choices, fixed, notes, idPrefix };
  return html`${mistakeSummary(fields, shown)}
    <form
      method="post"
      action="${action}"
      ${hasFile(fields) ? html` enctype="multipart/form-data"` : null}
      class="form"
      ${addressOf(view)}
      ${view.isLocked || view.isAside === true ? null : filledIn}
      novalidate
    >
      <button
        type="submit"
        name="${view.returns ?? enterMark}"
        value="${view.returns === undefined ? "yes" : byReturn}"
        class="default"
        tabindex="-1"
        aria-hidden="true"
      ></button>
      <input type="hidden" name="form" value="${reader.formToken}" />
      ${Object.entries(hidden).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      ${lead}
      <fieldset ${view.isLocked ? html` disabled` : null}>
        <legend class="unseen">${submit}</legend>
        ${groups.flatMap((group) => groupView(group, fields, shown) ?? [])}
      </fieldset>
      ${extra === null ? null : html`<div class="extra">${extra}</div>`}
      ${view.isLocked ? null : actionBar(view, view.stays ?? idPrefix === "")}
    </form>
    ${scriptTag("form")}`;
}

/** By which address a script loads it again; of a form that came back, also that nothing of it is saved. */
function addressOf({ action, page, state, isLocked }: FormView): Html | null {
  if (isPosted(state.typed) && !isLocked) return html` data-unsaved="${page ?? formPage(action)}"`;
  return page === undefined ? null : html` data-page="${page}"`;
}

/** Where a person begins: in the first empty field of the first group with a field that is typed into. */
function beginOf({ isNew = false, fields, groups, state: { typed } }: FormView): string | null {
  const names = groups
    .filter(({ isFolded }) => isNew && !isFolded)
    .map(({ key }) => Object.keys(fields).filter((name) => isTypedIn(fields[name], key)))
    .find(({ length }) => length > 0);
  return names?.find((name) => (typed.get(name) ?? "").trim() === "") ?? null;
}

const isTypedIn = (field: FormField | undefined, group: string): boolean =>
  field?.group === group && ["text", "address", "long"].includes(field.control.is);

const hasFile = (fields: FormFields): boolean =>
  Object.values(fields).some(({ control }) => control.is === "file");

/** What can be done with the form: it stays in view, however long the form is. */
const actionBar = ({ submit, plainly, cancel, actions }: FormView, stays: boolean): Html =>
  html`<div class="actions${stays ? " stays" : ""}">
    <p class="buttons">
      <button
        type="submit"
        class="main"
        ${plainly === undefined ? null : html` data-follows="submit"`}
        ${plainly === undefined || plainly === submit ? null : html` data-plainly="${plainly}"`}
      >
        ${submit}
      </button>
      ${actions} ${cancel === null ? null : html`<a href="${cancel}">Cancel</a>`}
    </p>
  </div>`;

function groupView(group: FormGroup, fields: FormFields, shown: ShownForm): Html | null {
  const own = Object.entries(fields).filter(([, field]) => field.group === group.key);
  const { lacks = "" } = group;
  if (own.length === 0 && lacks === "") return null;
  const help =
    group.help === "" ? null : html`<p class="help" data-follows="${group.key}">${group.help}</p>`;
  const content = html`${help} ${group.fills ?? null}
  ${own.map(([name, field]) => fieldView(name, field, shown))}
  ${lacks === "" ? null : html`<p class="help">${lacks}</p>`}`;
  if (group.legend === "") return content;
  if (!group.isFolded)
    return html`<fieldset class="group" id="${shown.idPrefix}group-${group.key}">
      <legend>${group.legend}</legend>
      ${content}
    </fieldset>`;
  const summed = summaryOf(Object.fromEntries(own), shown, group.none);
  return foldedView(group, { names: own.map(([name]) => name), summed, content }, shown);
}

/** What is wrong from the top of the form to its end. What is about no field comes first. */
function inFormOrder({ fields, groups, state }: FormView): readonly Mistake[] {
  const names = groups.flatMap(({ key }) =>
    Object.keys(fields).filter((name) => fields[name]?.group === key),
  );
  const place = ({ field }: Mistake): number => names.findIndex((name) => isOf(field, name));
  return state.mistakes.toSorted((a, b) => place(a) - place(b));
}

/** The input of the first mistake, where a person continues; null if that is about no single input. */
function focusedName(fields: FormFields, [first]: readonly Mistake[]): string | null {
  if (first === undefined) return null;
  const name = Object.keys(fields).find((one) => isOf(first.field, one));
  return name === undefined ? null : labelIn(fields, first.field).name;
}

/** What is wrong, each with a link to its field. Nothing if nothing is. */
function mistakeSummary(fields: FormFields, shown: ShownForm): Html | null {
  const { mistakes, isUnsent = false } = shown;
  if (mistakes.length === 0 || isUnsent) return null;
  return html`<div
    class="mistakes"
    role="alert"
    tabindex="-1"
    ${shown.first === null ? html` autofocus` : null}
  >
    <h2>${mistakesHead(mistakes.length, { isAct: false, isAtField: true })}</h2>
    <ul>
      ${mistakes.map((mistake) => html`<li>${mistakeLine(fields, mistake, shown)}</li>`)}
    </ul>
  </div>`;
}

function mistakeLine(fields: FormFields, { field, message }: Mistake, shown: ShownForm): Html {
  const name = Object.keys(fields).find((one) => isOf(field, one));
  if (name === undefined) return html`${field === "" ? capital(message) : `${field} ${message}`}.`;
  const words = labelIn(fields, field);
  const control = fields[words.name]?.control;
  const said = control !== undefined && words.name === field && isOfMany(control);
  return html`<a href="#${fieldId(words.name, shown)}">${afterLabel(words.label, message, said)}</a
    >.`;
}
