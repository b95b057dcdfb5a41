import { createHash } from "node:crypto";
import { html, type Html } from "#web/page/html";
import { filledIn } from "#service/operator/changes/filled-form";
import type { FormGroup } from "#service/operator/forms/form-group";
import { openMark, rowCount } from "#service/operator/forms/form-rows";
import type { ShownForm } from "#service/operator/forms/shown-form";

/** What the group has in it, and the names of its fields. */
interface FoldedContent {
  readonly names: readonly string[];
  /** What it says while it is folded. */
  readonly summed: string;
  readonly content: Html;
}

/**
 * A group that a person opens. A form that comes back has those open that were: a script says which, and without it those
 * that have something else in them than the form began with. One with a mistake opens by itself.
 */
export function foldedView(
  { key, legend }: FormGroup,
  { names, summed, content }: FoldedContent,
  shown: ShownForm,
): Html {
  const id = `${shown.idPrefix}group-${key}`;
  const group = `${key} ${digestOf(names.join(" "))}`;
  const now = digestOf(filledIn(content.text).form.toString());
  const begun = begunWith(group, shown.typed);
  const isOpen = wasOpen(id, names, shown.typed, begun === null ? null : begun !== now);
  const isWrong = shown.mistakes.some(({ field }) => names.some((name) => isOf(field, name)));
  return html`<details class="group" id="${id}" ${isOpen || isWrong ? html` open` : null}>
    <summary>
      ${legend}
      <span class="summed">${summed}</span>
    </summary>
    <fieldset>
      <legend class="unseen">${legend}</legend>
      <input type="hidden" name="${foldedMark}" value="${group} ${begun ?? now}" />
      ${content}
    </fieldset>
  </details>`;
}

/** Whether a refusal of `headers[2].key` is about `headers`. */
export const isOf = (mistaken: string, name: string): boolean =>
  mistaken === name || mistaken.startsWith(`${name}[`) || mistaken.startsWith(`${name}.`);

/** Whether it comes back, and is not opened now. */
export const isPosted = (typed: URLSearchParams): boolean => typed.has("form");

/** `isChanged` is null of a form that does not say what it began with: its rows are shown. */
function wasOpen(
  id: string,
  names: readonly string[],
  typed: URLSearchParams,
  isChanged: boolean | null,
): boolean {
  const opened = typed.getAll(openMark);
  if (names.some((name) => opened.includes(name))) return true;
  if (opened.includes(saidByScript)) return opened.includes(id);
  return isChanged ?? (isPosted(typed) && names.some((name) => rowCount(typed, name) > 0));
}

/** What a script sends in addition to the ids of the groups that are open: there may be none. */
const saidByScript = "";

/** Says of a group what it had in it as the form was opened. */
const foldedMark = "folded";

/** Null of a form that does not say: it is opened now, or was of another kind, whose group has other fields. */
function begunWith(group: string, typed: URLSearchParams): string | null {
  const said = typed.getAll(foldedMark).find((one) => one.startsWith(`${group} `));
  return said?.slice(group.length + 1) ?? null;
}

/** Equal for what a browser would send alike. */
const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 12);
