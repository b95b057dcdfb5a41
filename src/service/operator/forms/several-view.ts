import * as limits from "#limits/pages-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { Choice } from "#check/form-field";
import { fieldId } from "#service/operator/forms/field-id";
import type { ShownForm } from "#service/operator/forms/shown-form";
import { findButton, findField } from "#service/operator/forms/form-turns";

/** Boxes to tick. Of very many, those that are ticked, and those that a search by name finds. */
export function severalView(name: string, label: string, shown: ShownForm): Html {
  const all = shown.choices[name] ?? [];
  if (all.length === 0) return html`<p class="help">There is none to tick yet.</p>`;
  const chosen = new Set(shown.typed.getAll(name));
  if (all.length > limits.boxesListedMax) return searched(name, label, { all, chosen, shown });
  const search = all.length < limits.boxesNarrowedFrom ? null : narrowing(label);
  return html`${search} ${boxes(name, { all, chosen, shown })}`;
}

interface Boxes {
  readonly all: readonly Choice[];
  readonly chosen: ReadonlySet<string>;
  readonly shown: ShownForm;
}

const boxes = (name: string, { all, chosen, shown }: Boxes): Html =>
  html`<div class="boxes">
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
  </div>`;

/** What is ticked comes first, so that nothing is lost by another search. */
function searched(name: string, label: string, { all, chosen, shown }: Boxes): Html {
  const text = (shown.typed.get(findField(name)) ?? "").trim();
  const ticked = all.filter(([value]) => chosen.has(value));
  const found = all.filter(
    ([value, words]) => !chosen.has(value) && words.toLowerCase().includes(text.toLowerCase()),
  );
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
    <p class="help">${grouped(ticked.length)} of ${grouped(all.length)} selected.${rest}</p>
    ${boxes(name, { all: [...ticked, ...listed], chosen, shown })}`;
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
