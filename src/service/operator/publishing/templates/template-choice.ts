import { html, type Html } from "#web/page/html";
import { choiceField, choicesOf } from "#service/operator/form-fields";
import type { PageRooms } from "#service/operator/page-rooms";
import { typedImpacts, withoutOwnImpacts } from "#service/operator/publishing/report-impacts";
import { wholeNumber } from "#service/operator/whole-number";
import type { ComponentRow } from "#service/store/page-store";
import type { TemplateRow, TemplateUse } from "#service/store/templates/template-store";

/* A form begins with a template by its address: `?template=3`. */

/** What there is to begin with, and what a form was begun with. */
export interface OfferedTemplates {
  readonly all: readonly TemplateRow[];
  readonly chosen: TemplateRow | null;
}

export const noTemplates: OfferedTemplates = { all: [], chosen: null };

/** Of a status page, for forms of one use; none without a page. */
export async function offeredTemplates(
  { store }: Pick<PageRooms, "store">,
  page: number | null,
  use: TemplateUse,
  query: URLSearchParams,
): Promise<OfferedTemplates> {
  const known = page === null ? [] : await store.pages.templates.of(page);
  const all = known.filter((one) => one.use === use);
  const id = wholeNumber(query.get("template"));
  return { all, chosen: all.find((one) => one.id === id) ?? null };
}

/** Above a form, which it fills in; null if there is nothing to choose. `hidden` is what else its address says. */
export const templateChoice = (
  action: string,
  { all, chosen }: OfferedTemplates,
  hidden: Readonly<Record<string, string>> = {},
): Html | null =>
  all.length === 0
    ? null
    : html`<form class="filter begin-with" method="get" action="${action}">
        ${Object.entries(hidden).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${choiceField("Begin with a template", "template", choicesOf(all), String(chosen?.id ?? ""))}
        <button type="submit">Fill in</button>
      </form>`;

/** What is said above a form that was begun with one. */
export const chosenWords = ({ chosen }: OfferedTemplates): string =>
  chosen === null
    ? ""
    : `Filled in from the template “${chosen.name}”. Check it before you publish.`;

export const chosenLine = (templates: OfferedTemplates): Html | null =>
  templates.chosen === null ? null : html`<p class="lede-line">${chosenWords(templates)}</p>`;

/** A form of a report with the words of a template. What this does not say stays as the form has it. */
export function withTemplate(
  typed: URLSearchParams,
  { title, status, message, impacts }: TemplateRow,
  components: readonly ComponentRow[],
): URLSearchParams {
  const filled = new URLSearchParams(typed);
  if (title !== "") setOwn(filled, "title", title);
  filled.set("status", status);
  setOwn(filled, "message", message);
  const there = new Set(components.map(({ id }) => id));
  const stated = impacts.filter(({ component }) => there.has(component));
  const [first] = stated;
  if (first === undefined) return filled;
  filled.delete("components");
  withoutOwnImpacts(filled);
  for (const { component } of stated) filled.append("components", String(component));
  filled.set("impact", first.impact);
  for (const [field, impact] of typedImpacts(stated)) filled.set(field, impact);
  return filled;
}

/** What a person wrote before does not follow what is ticked: `followed-draft.ts`. */
function setOwn(typed: URLSearchParams, name: "title" | "message", words: string): void {
  typed.set(name, words);
  typed.set(`filled-${name}`, "");
}
