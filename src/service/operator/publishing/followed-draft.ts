import { draftOfTicked, firstMessage } from "#service/operator/publishing/report-draft";
import { reportStatuses } from "#service/status-page/report-words";
import { html, type Html } from "#web/page/html";
import type { PageContent } from "#service/store/page-store";

/* What the form of a new report filled in follows its state and what is ticked, as long as no person has typed over it. */

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

/** A form that was sent, with the first words for its state and what is ticked by now. */
export function withFollowed(form: URLSearchParams, content: PageContent): URLSearchParams {
  const isOwn = (name: string): boolean =>
    !form.has(filledName(name)) || form.get(name) !== form.get(filledName(name));
  const status = reportStatuses.find((one) => one === form.get("status")) ?? "investigating";
  const draft = draftOfTicked(form, content);
  const namesIt = status === "investigating" && draft !== null && !isOwn("title");
  const words = {
    title: draft?.title ?? null,
    message: namesIt ? draft.message : firstMessage(status, content.page.definition.defaultLocale),
  };
  const after = new URLSearchParams(form);
  for (const name of followed) {
    const word = words[name];
    if (word === null || isOwn(name)) continue;
    after.set(name, word);
    after.set(filledName(name), word);
  }
  return after;
}

/** The same for the script of the preview, which puts them into the fields that no person has changed. */
export const followedWords = (typed: URLSearchParams): Html =>
  html`${followed
    .filter((name) => typed.has(filledName(name)))
    .map((name) => html`<p hidden data-fills="${name}">${typed.get(filledName(name)) ?? ""}</p>`)}`;
