import * as limits from "#limits/pages-limits";
import { dayAndTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import { rebased } from "#service/operator/changes/basis-field";
import {
  fieldTable,
  type MemberNames,
  memberNames,
  nameOfActor,
} from "#service/operator/changes/entry-view";
import { formPathOf, kindWords } from "#service/operator/changes/changed-objects";
import { deletedView, type OwnTypedForm } from "#service/operator/changes/gone-page";
import { keptFields } from "#service/operator/kept-fields";
import { framed, type PageContext } from "#service/operator/page-request";
import type { Basis } from "#service/store/audit/actor";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { StoreFault } from "#service/store/store-fault";
import { epochMillis } from "#base/units";

interface OvertakenForm extends OwnTypedForm {
  readonly basis: Basis;
}

/**
 * What a person sees whose form was overtaken: someone changed or deleted the object since they opened it. What they
 * typed is kept, and they decide. Null if nothing of that happened.
 */
export async function overtakenPage(
  context: PageContext,
  overtaken: OvertakenForm,
): Promise<PageAnswer | null> {
  const { basis, reader } = overtaken;
  const since = await entriesSince(context, basis);
  const [newest] = since;
  if (newest === undefined) return null;
  const names = memberNames(await context.pictures.now());
  const isGone = newest.deed === "deleted";
  const what = kindWords[basis.kind];
  const heading = isGone ? `This ${what} was deleted` : `This ${what} was changed meanwhile`;
  const content = html`<h1 class="page">${heading}</h1>
    ${isGone ? deletedView(context, overtaken, { subject: basis, entry: newest }) : changedView(overtaken, since, names)}`;
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
const entriesSince = (
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

function changedView(
  overtaken: OvertakenForm,
  since: readonly AuditEntry[],
  names: MemberNames,
): Html {
  const { form, action, basis, reader } = overtaken;
  const version = since[0]?.number ?? basis.version;
  const path = formPathOf(basis);
  const owner = newOwner(since);
  const mine = { action, form: rebased(form, { ...basis, version }) };
  return html`<p class="lede-line">
      ${
        owner === null
          ? "Nothing was saved yet. Someone else saved it after you opened it: see what they changed, then decide."
          : `It belongs to the files of “${owner}” since you opened it, so nothing was saved: change it in the files.`
      }
    </p>
    ${since.map(
      (entry) =>
        html`<section class="change">
          <h2>${nameOfActor(entry)}, ${dayAndTime(entry.at)}</h2>
          ${fieldTable(entry, names)}
        </section>`,
    )}
    ${keptFields(mine, owner === null ? reader.formToken : null, "Save mine over it")}
    ${path === null ? null : html`<p><a class="button" href="${path}">Keep theirs</a></p>`}`;
}

/** The files that own it since; null if none took it over. */
function newOwner(since: readonly AuditEntry[]): string | null {
  const taken = since.flatMap(({ fields }) => fields).find(({ field }) => field === "owner");
  return taken === undefined || taken.is === "set" ? null : taken.after;
}
