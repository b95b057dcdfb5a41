import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import { deletedView } from "#service/operator/changes/gone-page";
import { kindWords } from "#service/operator/changes/changed-objects";
import { mergedView, type OvertakenForm } from "#service/operator/changes/merged-view";
import { namesIn } from "#service/operator/changes/member-names";
import { isRefusedAs } from "#service/operator/changes/rehearsal";
import { framed, type PageContext } from "#service/operator/page-request";
import type { Basis } from "#service/store/audit/actor";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { StoreFault } from "#service/store/store-fault";
import { epochMillis } from "#base/units";

/**
 * What a person sees whose form was overtaken: someone changed or deleted the object since they opened it. What only one
 * of them changed is kept, they choose the rest, and nothing is saved before that. Null if nothing of that happened.
 */
export async function overtakenPage(
  context: PageContext,
  overtaken: OvertakenForm,
): Promise<PageAnswer | null> {
  const { basis, reader, form } = overtaken;
  const since = await entriesSince(context, basis);
  const [newest] = since;
  if (newest === undefined) return null;
  const isGone = newest.deed === "deleted";
  // Only the part is gone that the form is about: whoever acts hears of that.
  if (!isGone && (await isRefusedAs(isAbsence, () => overtaken.act(form)))) return null;
  const what = kindWords[basis.kind];
  const heading = isGone ? `This ${what} was deleted` : `This ${what} was changed meanwhile`;
  const view: Html = isGone
    ? deletedView(context, overtaken, { subject: basis, entry: newest })
    : await mergedView(overtaken, since, await namesIn(context, since));
  const content = html`<h1 class="page">${heading}</h1>
    ${view}`;
  const frame = { title: `${heading} · Picket`, section: null, document: null };
  return framed({ reader }, { ...frame, at: context.rooms.clock.wall(), content }, 409);
}

/** Whether an error may mean that someone else was quicker. */
export const isOvertaking = (error: unknown): boolean =>
  (error instanceof StoreFault && error.code === "overtaken") || isAbsence(error);

/** Whether something that a form needs is not there. */
export const isAbsence = (error: unknown): boolean =>
  error instanceof Refusal && error.code === "not_found";

/** Entries that the person has not seen, the newest first. */
export const entriesSince = (
  { rooms }: PageContext,
  { kind, id, version }: Basis,
): Promise<readonly AuditEntry[]> =>
  rooms.store.audit.list({
    before: null,
    after: version,
    kind,
    id,
    who: "",
    name: "",
    since: epochMillis(0),
    until: null,
    limit: limits.overtakingShown,
  });
