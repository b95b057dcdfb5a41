import { dayAndTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { undoneWithin } from "#limits/service-limits";
import type { PageAnswer } from "#service/edge/page-answer";
import { asOf, withoutBasis } from "#service/operator/changes/basis-field";
import { kindWords, pathOf, subjectOfForm } from "#service/operator/changes/changed-objects";
import { nameOfActor } from "#service/operator/changes/entry-view";
import { listOf, roleFor } from "#service/operator/deleting/undo-answers";
import { restoreField, trashKindOf, undoForm } from "#service/operator/deleting/undo-form";
import { keptFields, type TypedForm } from "#service/operator/kept-fields";
import { framed, type KnownReader, type PageContext } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { AuditedKind } from "#service/store/audit/audited";
import { after, epochMillis } from "#base/units";

/** A form that this reader sent. */
export interface OwnTypedForm extends TypedForm {
  readonly reader: KnownReader;
}

/**
 * What a person sees whose form is about something that is not there any more: who deleted it, what they typed, and what
 * they can do. Null if nothing is known of it, so that the address alone may be wrong.
 */
export async function gonePage(
  context: PageContext,
  sent: OwnTypedForm,
): Promise<PageAnswer | null> {
  const subject = subjectOfForm(sent.action);
  if (subject === null) return null;
  const asked = { before: null, after: 0, ...subject, who: "", name: "", limit: 1 };
  const [newest] = await context.rooms.store.audit.list({ ...asked, since: epochMillis(0) });
  if (newest === undefined) return null;
  const isWhole = newest.deed === "deleted";
  const heading = isWhole
    ? `This ${kindWords[subject.kind]} was deleted`
    : "This was deleted meanwhile";
  const content = html`<h1 class="page">${heading}</h1>
    ${isWhole ? deletedView(context, sent, newest) : partView(sent, newest)}`;
  const frame = { title: `${heading} · Picket`, section: null, document: null };
  return framed(sent, { ...frame, at: context.rooms.clock.wall(), content }, 404);
}

/** An object that is there, without the part that a form is about. */
const partView = (typed: OwnTypedForm, { subject }: AuditEntry): Html =>
  html`<p class="lede-line">
      What the form is about was deleted after you opened it, so nothing was saved.
    </p>
    ${keptFields(typed, null)} ${wayTo(pathOf(subject), `Back to the ${kindWords[subject.kind]}`)}`;

/** An object that is deleted as a whole. */
export function deletedView({ rooms }: PageContext, typed: OwnTypedForm, gone: AuditEntry): Html {
  const { kind, id } = gone.subject;
  const said = html`It was deleted by ${nameOfActor(gone)} at ${dayAndTime(gone.at)}, so nothing was
  saved.`;
  if (gone.who.kind === "files")
    return html`<p class="lede-line">
        ${said} It cannot be restored here: put it back in the files.
      </p>
      ${keptFields(typed, null)}`;
  const restorable = trashKindOf(kind);
  const isLate = after(gone.at, undoneWithin) <= rooms.clock.wall();
  if (restorable === null || isLate) return againView(typed, said, kind);
  const leave = wayTo(listOf[restorable], "Leave it deleted");
  const mayRestore = may(typed.reader, roleFor[restorable]);
  if (isPress(typed))
    return html`<p class="lede-line">${said}</p>
      ${mayRestore ? undoForm(typed.reader, kind, [id], { words: "Restore it" }) : null} ${leave}`;
  const sent = { ...typed, form: asOf(typed.form, { ...gone.subject, version: gone.number }) };
  const { formToken } = typed.reader;
  if (!mayRestore)
    return html`<p class="lede-line">
        ${said} Ask an editor to restore it, then send your form again.
      </p>
      ${keptFields(sent, formToken)}`;
  sent.form.set(restoreField, `${restorable} ${id}`);
  return html`<p class="lede-line">${said} To keep your work, restore it.</p>
    ${keptFields(sent, formToken, "Restore it, and send my form")} ${leave}`;
}

/** A form that is one button, of which nothing is to be kept. */
const isPress = ({ form }: TypedForm): boolean => [...form.keys()].every((name) => name === "form");

/** What cannot be put back is created again. */
function againView(typed: OwnTypedForm, said: Html, kind: AuditedKind): Html {
  const lede = html`<p class="lede-line">
    ${said} It cannot be restored: create it again, with what you typed.
  </p>`;
  if (kind === "maintenance" && typed.action.endsWith("/edit")) {
    const again = { action: "/maintenances/new", form: withoutBasis(typed.form) };
    return html`${lede} ${keptFields(again, typed.reader.formToken, "Schedule it again")}`;
  }
  return html`${lede} ${keptFields(typed, null)} ${wayTo(placesOf[kind] ?? null, "Start again")}`;
}

/** Where something of a kind is made. */
const placesOf: { readonly [K in AuditedKind]?: string } = {
  monitor: "/monitors/new",
  location: "/locations/new",
  channel: "/channels/new",
  page: "/status-pages",
  report: "/status-pages",
  maintenance: "/maintenances/new",
  person: "/settings/people",
};

const wayTo = (path: string | null, words: string): Html | null =>
  path === null ? null : html`<p><a class="button" href="${path}">${words}</a></p>`;
