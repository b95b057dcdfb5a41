import { filesOf } from "#service/operator/managed-note";
import { kindTable } from "#check/kinds/kind-table";
import type { Choice, FormFields } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import type { Kind } from "#check/monitor";
import type { FormState } from "#service/operator/forms/form-group";
import { optionsOf } from "#service/operator/forms/input-view";
import { kindButtons } from "#service/operator/forms/kind-buttons";
import type { ShownForm } from "#service/operator/forms/shown-form";
import { formView } from "#service/operator/forms/form-view";
import {
  knownField,
  noRemarks,
  remarksView,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import {
  type LackedPlaces,
  monitorFields,
  monitorGroupsFor,
  newMonitorFields,
  shownFields,
  withoutLacked,
} from "#service/operator/monitors/fields-of-kinds";
import {
  asTypedField,
  type FillNote,
  leftOutField,
  leftOutIn,
} from "#service/operator/monitors/target-field";
import { placeField, tryField } from "#service/operator/monitors/as-kind";
import { withMeasured } from "#service/operator/monitors/measured-latency";
import { thresholdNotes } from "#service/operator/monitors/slow-threshold";
import { severalOffer, submitWords } from "#service/operator/pasted/several-offer";
import { keptKinds } from "#service/operator/monitors/kind-switch";
import { backOf, type KnownReader } from "#service/operator/page-request";

/** What a monitor's form shows. */
export interface MonitorFormPage {
  readonly kind: Kind;
  /** The monitor that is changed; null: a new one is made. */
  readonly monitor: { readonly id: number; readonly name: string } | null;
  /** The monitor whose secrets a copy keeps; null: it is no copy. */
  readonly copied: number | null;
  /** Where a person continues when it is made; empty: to the monitor. */
  readonly next: string;
  /** Who owns it, if files do; empty: people change it here. */
  readonly owner: string;
  readonly state: FormState;
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Behind those lists what files own. */
  readonly fixed: ShownForm["fixed"];
  /** The locations from which it can be tried. */
  readonly tryable: readonly Choice[];
  /** Locations that have a running agent, by their ids. */
  readonly running: ReadonlySet<string>;
  /** What there is none of yet. */
  readonly lacked: LackedPlaces;
  /** How long its checks took, as a sentence; empty: nothing is known of that. */
  readonly measured: string;
  /** What is to be known of those lists. */
  readonly notes: Readonly<Record<string, string | Html>>;
  readonly reader: KnownReader;
  /** What it makes, in words. */
  readonly summary: Html;
  readonly filled: FillNote;
  /** How many addresses its target has, if each is to become a monitor; 0: it is for one. */
  readonly several: number;
  /** What a trial said; null: none was asked for. */
  readonly tried: Html | null;
  /** What is to be read before it is saved. */
  readonly remarks: SaveRemarks;
}

/** The buttons of a monitor's form that do not save it. */
export const formButtons: Readonly<Record<"kind" | "fill" | "unfill" | "try", string>> = {
  kind: "to",
  fill: "fill",
  unfill: "unfill",
  try: tryField,
};

/** A form that makes or changes a monitor of one kind. */
export function monitorFormView(page: MonitorFormPage): Html {
  const { kind, monitor, copied, owner, state, choices, reader } = page;
  const title =
    monitor === null ? (copied === null ? "New monitor" : "Copy of a monitor") : monitor.name;
  const back = backFrom(page);
  return html`<p class="back">
      <a href="${back.path}">${back.words}</a>
    </p>
    <h1 class="page">${monitor === null ? title : `Edit ${title}`}</h1>
    ${
      owner === ""
        ? null
        : html`<p class="advice" role="status">
            This monitor is managed by ${filesOf(owner)}: change it there, then run
            <code>picket apply</code>. <code>${exportCommand(owner)}</code> prints it as a file.
          </p>`
    }
    ${remarksView(page.remarks)}
    ${formView({
      action: pathOf(page),
      reader,
      fields: fieldsOf(page),
      groups: monitorGroupsFor(state.typed, page.lacked),
      state,
      choices,
      fixed: page.fixed,
      notes: { ...page.notes, ...thresholdNotes(state.typed) },
      hidden: hiddenOf(page),
      lead: monitor === null ? leadOf(page) : null,
      ...(monitor === null && copied === null ? { begins: targetField(kind) } : {}),
      extra: extraOf(page),
      isLocked: owner !== "",
      actions: null,
      submit: submitWords(page),
      plainly: submitWords({ ...page, remarks: noRemarks }),
      cancel: back.path,
    })}`;
}

/** A target that was just filled in is where a person continues, too. */
const targetField = (kind: Kind): string => (kind === "http" ? "url" : "uri");

const backFrom = ({ monitor, next }: MonitorFormPage): ReturnType<typeof backOf> =>
  monitor === null
    ? backOf(next, { path: "/", words: "Monitors" })
    : { path: `/monitors/${monitor.id}`, words: monitor.name };

/** A trial, and what the form makes: what was seen is in view at once. Of a monitor of files the page has neither words nor a trial before there is a location. */
function extraOf(page: MonitorFormPage): Html | null {
  if (page.owner === "") return html`${trialOf(page)} ${page.summary}`;
  return page.tryable.length === 0 ? null : trialOf(page);
}

/** What is shown of the fields of its kind. */
function fieldsOf({ kind, monitor, state, lacked, measured }: MonitorFormPage): FormFields {
  const all = monitor === null ? newMonitorFields(kind) : monitorFields(kind);
  const shown = withoutLacked(shownFields(kind, all, state.typed), lacked, state.mistakes);
  return withMeasured(shown, measured);
}

/** Fields that no person sees; those that say nothing are left out. */
const hiddenOf = ({ kind, remarks, state, copied, next }: MonitorFormPage) =>
  Object.fromEntries(
    Object.entries({
      kind,
      [knownField]: remarks.known,
      [asTypedField]: state.typed.get(asTypedField) ?? "",
      [leftOutField]:
        leftOutIn(state.typed, kind) === "" ? "" : (state.typed.get(leftOutField) ?? ""),
      ...keptKinds(state.typed),
      copied: copied === null ? "" : String(copied),
      next,
    }).filter(([, value]) => value !== ""),
  );

/** The owner as one word of a shell, whatever is in it. */
const exportCommand = (owner: string): string =>
  `picket export --owner '${owner.replaceAll("'", `'\\''`)}'`;

/** A check of what is typed, before it is saved. Without scripts its button sends the form, which comes back with what was seen. */
function trialOf(page: MonitorFormPage): Html {
  const { tryable: places, state } = page;
  const chosen = state.typed.get(placeField) ?? placeToTry(page);
  return html`<section class="group trial" id="trial" aria-labelledby="trial-title">
    <h2 id="trial-title">Try it</h2>
    ${
      places.length === 0
        ? html`<p class="help">
            Once a location has an agent, it can check here what you typed, before you save it.
          </p>`
        : html`<div class="field">
            <label for="field-at">From location</label>
            <span class="trial-place">
              <select id="field-at" name="${placeField}">
                ${optionsOf(places, chosen)}
              </select>
              ${tryButton(page)}
            </span>
          </div>`
    }
    <div id="tried" role="status" data-busy="An agent checks it at">
      ${places.length === 0 ? null : triedOf(page)}
    </div>
  </section>`;
}

/** The first location of the list that is ticked, and has an agent, if there is one. */
function placeToTry({ tryable, fixed, running, state }: MonitorFormPage): string {
  const places = tryable.map(([value]) => value);
  const has = new Set((fixed["locations"] ?? []).flatMap((one) => (one.isTicked ? one.value : [])));
  const ticked = places.filter((one) => state.typed.has("locations", one) || has.has(one));
  const [first = ""] = [ticked, places].flatMap((some) => some.filter((one) => running.has(one)));
  return first === "" ? (ticked[0] ?? "") : first;
}

/** What a trial said, why there was none, or what it would say. */
function triedOf(page: MonitorFormPage): Html {
  const { tried, state } = page;
  if (tried !== null) return tried;
  const [first] = state.mistakes;
  if (first === undefined || !state.typed.has(formButtons.try)) return beforeTrial(page);
  const count = state.mistakes.length;
  return html`<p class="why">
    It was not tried: ${count === 1 ? "a field needs" : `${count} fields need`} another look.
  </p>`;
}

function beforeTrial({ kind, owner }: MonitorFormPage): Html {
  const hasRules = Object.values(monitorFields(kind)).some(({ group }) => group === "must");
  const typed = owner === "" ? "you typed" : "the files say";
  const rules = hasRules ? "what each assertion says, and " : "";
  return html`<p class="help before-trial">
    An agent checks once what ${typed}. Nothing is saved. You see
    ${rules}${kindTable[kind].trialShows}.
  </p>`;
}

const pathOf = ({ monitor }: MonitorFormPage): string =>
  monitor === null ? "/monitors/new" : `/monitors/${monitor.id}/edit`;

const tryButton = (page: MonitorFormPage): Html =>
  html`<button
    type="submit"
    name="${formButtons.try}"
    value="yes"
    formaction="${pathOf(page)}#trial"
    data-stay="trial"
  >
    Try now
  </button>`;

/** The kinds, and what fills the form in. Both are buttons of the form, so nothing that was typed is lost. */
const leadOf = ({ kind, filled, state, several }: MonitorFormPage): Html =>
  html`<div class="lead">
    ${kindButtons(kind, formButtons.kind)}
    <button
      type="submit"
      name="${formButtons.fill}"
      value="yes"
      data-stay="group-what"
      class="small fills"
    >
      Fill in from the target
    </button>
    <p class="filled" role="status">${severalOffer(several) ?? filledView(filled)}</p>
    ${leftOutView(leftOutIn(state.typed, kind))}
  </div>`;

/** What of a command is not checked is not to be missed. */
const leftOutView = (words: string): Html | null =>
  words === "" ? null : html`<p class="notice warn" role="status">${words}</p>`;

const filledView = ({ words, undo }: FillNote): Html =>
  undo === ""
    ? html`${words}`
    : html`${words}
        <button
          type="submit"
          name="${formButtons.unfill}"
          value="${undo}"
          data-stay="group-what"
          class="small"
        >
          Undo
        </button>`;
