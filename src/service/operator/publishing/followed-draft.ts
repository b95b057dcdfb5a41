import { draftOfTicked } from "#service/operator/publishing/report-draft";
import { html, type Html } from "#web/page/html";
import type { PageContent } from "#service/store/page-store";

/* What the form of a new report filled in follows what is ticked, as long as no person has typed over it. */

const followed = ["title", "message"] as const;
const filledName = (name: string): string => `filled-${name}`;

/** What the form filled in last, for fields that no person sees. */
export const filledFields = (
  typed: URLSearchParams,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...others,
  ...Object.fromEntries(
    followed.map((name) => [
      filledName(name),
      typed.get(filledName(name)) ?? typed.get(name) ?? "",
    ]),
  ),
});

/** A form that was sent, with the first words for what is ticked by now. */
export function withFollowed(form: URLSearchParams, content: PageContent): URLSearchParams {
  const draft = draftOfTicked(form, content);
  if (draft === null) return form;
  const isOwn = (name: string): boolean =>
    !form.has(filledName(name)) || form.get(name) !== form.get(filledName(name));
  const words = {
    title: draft.title,
    message: isOwn("title") ? draft.neutral : draft.message,
  };
  const after = new URLSearchParams(form);
  for (const name of followed) {
    if (isOwn(name)) continue;
    after.set(name, words[name]);
    after.set(filledName(name), words[name]);
  }
  return after;
}

/** The same for the script of the preview, which puts them into the fields that no person has changed. */
export const followedWords = (typed: URLSearchParams): Html =>
  html`${followed
    .filter((name) => typed.has(filledName(name)))
    .map((name) => html`<p hidden data-fills="${name}">${typed.get(filledName(name)) ?? ""}</p>`)}`;
