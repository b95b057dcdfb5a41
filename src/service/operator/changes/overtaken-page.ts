import * as limits from "#limits/pages-limits";
import { timeMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import { Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import { rebased } from "#service/operator/changes/basis-field";
import { nameOfActor } from "#service/operator/changes/entry-view";
import { type MemberNames, namesIn } from "#service/operator/changes/member-names";
import { formPathOf, kindWords } from "#service/operator/changes/changed-objects";
import { isShownAgain, rehearsed } from "#service/operator/changes/rehearsal";
import { threeWays } from "#service/operator/changes/three-way";
import { threeWayTable } from "#service/operator/changes/three-way-table";
import { editMark } from "#service/operator/forms/form-turns";
import { deletedView, type OwnTypedForm } from "#service/operator/changes/gone-page";
import { hiddenFields, keptFields, keptTexts } from "#service/operator/kept-fields";
import { framed, type PageContext } from "#service/operator/page-request";
import type { Basis } from "#service/store/audit/actor";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { StoreFault } from "#service/store/store-fault";
import { epochMillis } from "#base/units";

interface OvertakenForm extends OwnTypedForm {
  readonly basis: Basis;
  /** Does what a form asks. */
  readonly act: (form: URLSearchParams) => Promise<PageAnswer>;
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
  const names = await namesIn(context, since);
  const isGone = newest.deed === "deleted";
  const what = kindWords[basis.kind];
  const heading = isGone ? `This ${what} was deleted` : `This ${what} was changed meanwhile`;
  const content = html`<h1 class="page">${heading}</h1>
    ${isGone ? deletedView(context, overtaken, { subject: basis, entry: newest }) : await changedView(overtaken, since, names)}`;
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

async function changedView(
  overtaken: OvertakenForm,
  since: readonly AuditEntry[],
  names: MemberNames,
): Promise<Html> {
  const { form, action, basis } = overtaken;
  const version = since[0]?.number ?? basis.version;
  const mine = { ...overtaken, form: rebased(form, { ...basis, version }) };
  const owner = newOwner(since);
  const changes = owner === null ? await rehearsed(basis, () => mine.act(mine.form)) : null;
  const theirs = since.toReversed().flatMap(({ fields }) => fields);
  const table = threeWayTable(basis.kind, threeWays(theirs, changes), names);
  if (owner !== null)
    return html`<p class="lede-line">
        It belongs to the files of “${owner}” since you opened it, so nothing was saved: change it
        in the files.
      </p>
      ${table} ${keptFields({ action, form: mine.form }, null)} ${wayToTheirs(basis)}`;
  return html`<p class="lede-line">
      Nothing was saved yet: ${saversOf(since)} saved it after you opened it. Decide what is kept:
    </p>
    ${table}
    ${
      changes === null
        ? html`<p class="advice">
              Your form cannot be saved as it is, so it is not compared. What you typed is kept.
            </p>
            ${keptTexts(mine.form)}`
        : null
    }
    ${await choiceOf(mine)}`;
}

/** Their version, mine, or neither yet. What was typed is in the form. */
async function choiceOf(mine: OvertakenForm): Promise<Html> {
  const { action, form, reader, basis } = mine;
  const edited = new URLSearchParams(form);
  edited.set(editMark, "yes");
  const canGoOn = await isShownAgain(() => mine.act(edited));
  return html`<form method="post" action="${action}" class="kept">
    ${hiddenFields(form, reader.formToken)}
    <p class="buttons">
      ${wayToTheirs(basis)}
      <button type="submit">Save mine over theirs</button>
      ${canGoOn ? html`<button type="submit" name="${editMark}" value="yes">Go on editing</button>` : null}
    </p>
  </form>`;
}

function wayToTheirs(basis: Basis): Html | null {
  const path = formPathOf(basis);
  return path === null ? null : html`<a class="button main" href="${path}">Take theirs</a>`;
}

/** `ann, 12:03:10 UTC and ci, 12:05:00 UTC`, the first one first; each person once. */
function saversOf(since: readonly AuditEntry[]): Html {
  const newest = [...new Map(since.toReversed().map((one) => [nameOfActor(one), one])).values()];
  return html`${newest.map(
    (entry, index) =>
      html`${index === 0 ? "" : " and "}<strong>${nameOfActor(entry)}</strong>
        (${timeMark(entry.at)})`,
  )}`;
}

/** The files that own it since; null if none took it over. */
function newOwner(since: readonly AuditEntry[]): string | null {
  const taken = since.flatMap(({ fields }) => fields).find(({ field }) => field === "owner");
  return taken === undefined || taken.is === "set" ? null : taken.after;
}
