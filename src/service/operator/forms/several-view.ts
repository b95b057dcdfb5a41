import * as limits from "#limits/pages-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { Choice } from "#check/form-field";
import { fieldId } from "#service/operator/forms/field-id";
import type { FixedBox, ShownForm } from "#service/operator/forms/shown-form";
import { findButton, findField } from "#service/operator/forms/form-turns";
import { packed, restField } from "#service/operator/forms/packed-choices";

/** Boxes to tick. Of very many, those that are ticked, and those that a search by name finds. */
export function severalView(name: string, label: string, shown: ShownForm): Html {
  const all = shown.choices[name] ?? [];
  const note = shown.notes[name];
  const fixed = fixedFirst(shown.fixed[name] ?? []);
  // What is said of the field leads here also if it has no box.
  if (all.length === 0 && fixed.length === 0)
    return html`<p
      class="help"
      id="${fieldId(name, shown)}"
      tabindex="-1"
      data-follows="note-${name}"
    >
      ${note ?? "There is none to tick yet."}
    </p>`;
  const noted =
    note === undefined ? null : html`<p class="help" data-follows="note-${name}">${note}</p>`;
  const chosen = new Set(shown.typed.getAll(name));
  if (all.length > limits.boxesListedMax)
    return html`${searched(name, label, { all, chosen, fixed, shown })} ${noted}`;
  const search = all.length < limits.boxesNarrowedFrom ? null : narrowing(label);
  return html`${search} ${boxes(name, { all, chosen, fixed, shown })} ${noted}`;
}

/** Those that are ticked first, and no more than a person reads. */
const fixedFirst = (fixed: readonly FixedBox[]): readonly FixedBox[] =>
  fixed.toSorted((a, b) => Number(b.isTicked) - Number(a.isTicked)).slice(0, limits.boxesFoundMax);

interface Boxes {
  readonly all: readonly Choice[];
  readonly chosen: ReadonlySet<string>;
  readonly fixed: readonly FixedBox[];
  readonly shown: ShownForm;
}

const boxes = (name: string, { all, chosen, fixed, shown }: Boxes): Html =>
  html`<div
    class="boxes"
    ${all.length === 0 ? html` id="${fieldId(name, shown)}" tabindex="-1"` : null}
  >
    ${all.map(
      ([value, words], index) =>
        html`<label class="tick"
          ><input
            type="checkbox"
            name="${name}"
            value="${value}"
            ${index === 0 ? html` id="${fieldId(name, shown)}"` : null}
            ${chosen.has(value) ? html` checked` : null}
          />
          ${words}</label
        >`,
    )}
    ${fixed.map(
      ({ words, isTicked }) =>
        html`<label class="tick fixed"
          ><input type="checkbox" disabled ${isTicked ? html` checked` : null} /> ${words}</label
        >`,
    )}
  </div>`;

/** What is ticked comes first. Of very many those are listed that the search finds; the others stay ticked. */
function searched(name: string, label: string, { all, chosen, fixed, shown }: Boxes): Html {
  const text = (shown.typed.get(findField(name)) ?? "").trim();
  const isFound = ([, words]: Choice): boolean => words.toLowerCase().includes(text.toLowerCase());
  const ticked = all.filter(([value]) => chosen.has(value));
  const kept = ticked.length > limits.boxesListedMax && ticked.every(([value]) => isNumber(value));
  const own = kept ? ticked.filter(isFound).slice(0, limits.boxesFoundMax) : ticked;
  const found = all.filter((one) => !chosen.has(one[0]) && isFound(one));
  const listed = found.slice(0, limits.boxesFoundMax);
  const rest =
    listed.length === found.length
      ? ""
      : ` The first ${listed.length} of ${grouped(found.length)} are listed: type more of the name.`;
  return html`<p class="pasting">
      <input
        type="search"
        class="name"
        name="${findField(name)}"
        value="${text}"
        placeholder="Part of a name"
        autocomplete="off"
        aria-label="Find in ${label}"
      />
      <button
        type="submit"
        name="${findButton}"
        value="${name}"
        data-stay="${fieldId(name, shown)}"
      >
        Find
      </button>
    </p>
    <p class="help">
      ${grouped(ticked.length)} of ${grouped(all.length)}
      selected.${own.length === ticked.length ? "" : ` ${grouped(own.length)} of them are listed: find others by a part of the name.`}${rest}
    </p>
    ${kept ? restInput(name, ticked, own) : null}
    ${boxes(name, { all: [...own, ...listed], chosen, fixed, shown })}`;
}

const isNumber = (value: string): boolean => /^[1-9]\d{0,14}$/.test(value);

/** What is ticked and not listed. */
function restInput(name: string, ticked: readonly Choice[], listed: readonly Choice[]): Html {
  const shown = new Set(listed);
  const rest = ticked.filter((one) => !shown.has(one)).map(([value]) => Number(value));
  return html`<input type="hidden" name="${restField(name)}" value="${packed(rest)}" />`;
}

/** With a script a person finds some among many, and ticks them together. */
const narrowing = (label: string): Html =>
  html`<p class="narrowing">
    <input
      type="search"
      class="word"
      placeholder="Find"
      autocomplete="off"
      aria-label="Find in ${label}"
      data-narrows
    />
    <button type="button" class="small" data-ticks="all">Select all shown</button>
    <button type="button" class="small" data-ticks="none">Clear</button>
  </p>`;
