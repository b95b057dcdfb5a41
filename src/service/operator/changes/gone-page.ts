import type { Logger } from "#base/log";
import { timeMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import { undoneWithin } from "#limits/service-limits";
import { auditReadMax } from "#limits/store-limits";
import type { PageAnswer } from "#service/edge/page-answer";
import { asOf, withoutBasis } from "#service/operator/changes/basis-field";
import { kindWords, subjectOfForm } from "#service/operator/changes/changed-objects";
import { gonePart } from "#service/operator/changes/gone-part";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { listOf, roleFor } from "#service/operator/deleting/undo-answers";
import { restoreField, trashKindOf, undoForm } from "#service/operator/deleting/undo-form";
import { isSave } from "#service/operator/forms/is-save";
import { keptFields, type TypedForm } from "#service/operator/kept-fields";
import { framed, type KnownReader, type PageContext } from "#service/operator/page-request";
import type { Section } from "#service/operator/navigation";
import { deletedNotifications } from "#service/operator/planned/deleted-notifications";
import { may } from "#service/operator/roles";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { AuditedKind, Subject } from "#service/store/audit/audited";
import type { TrashKind } from "#service/store/trash/trash-store";
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
  const newest = await newestOf(context, subject);
  if (newest === null) return null;
  if (newest.deed !== "deleted" && (await isThere(context, subject)))
    return shown(context, sent, { section: null, ...(await gonePart(context, sent, newest)) });
  const entry = newest.deed === "deleted" ? newest : await deletionOfPage(context, subject);
  if (entry === null) return null;
  const heading = `This ${kindWords[subject.kind]} was deleted`;
  const view = deletedView(context, sent, { subject, entry });
  return shown(context, sent, { heading, section: null, view });
}

/** The same at the address of what was deleted: a link to it is in messages. Null if nothing is known, or can be read, of that. */
export async function deletedPage(
  context: PageContext,
  path: string,
  reader: KnownReader,
  log: Logger,
): Promise<PageAnswer | null> {
  try {
    return await deletedAt(context, path, reader);
  } catch (error) {
    const fields = { "url.path": path, "error.message": String(error) };
    log.error("it could not be read who deleted something: a page does not say so", fields);
    return null;
  }
}

async function deletedAt(
  context: PageContext,
  path: string,
  reader: KnownReader,
): Promise<PageAnswer | null> {
  const subject = subjectOfForm(path);
  const listed = trashKindOf(subject?.kind ?? "");
  if (subject === null || listed === null) return null;
  const newest = await newestOf(context, subject);
  if (newest === null || (newest.deed !== "deleted" && (await isThere(context, subject))))
    return null;
  const entry = newest.deed === "deleted" ? newest : await deletionOfPage(context, subject);
  if (entry === null) return null;
  return shown(
    context,
    { reader },
    {
      heading: `This ${kindWords[subject.kind]} was deleted`,
      section: sectionOf[listed],
      view: html`${linkView(context, reader, { subject, entry }, wayToList(listed))}
      ${await deletedNotifications(context.rooms, subject)}`,
    },
  );
}

interface GoneView {
  readonly heading: string;
  readonly section: Section | null;
  readonly view: Html;
}

function shown(
  { rooms }: PageContext,
  { reader }: Pick<OwnTypedForm, "reader">,
  { heading, section, view }: GoneView,
): PageAnswer {
  const content = html`<h1 class="page">${heading}</h1>
    ${view}`;
  const frame = { title: `${heading} · Picket`, section, document: null };
  return framed({ reader }, { ...frame, at: rooms.clock.wall(), content }, 404);
}

/** Who deleted it and when, an undo while there is one, and the list. */
function linkView(
  { rooms }: PageContext,
  reader: KnownReader,
  { subject, entry }: Deletion,
  list: Html | null,
): Html {
  const { kind, id } = entry.subject;
  const restorable = trashKindOf(kind);
  const until = after(entry.at, undoneWithin);
  const what = kind === subject.kind ? "it" : `the ${kindWords[kind]}`;
  const isItself = kind === subject.kind && entry.name !== "";
  const name = isItself ? html`<strong>${entry.name}</strong>` : "It";
  const said = html`${name} ${deedWords({ subject, entry })}.`;
  if (entry.who.kind === "files" || restorable === null || until <= rooms.clock.wall()) {
    const why =
      entry.who.kind === "files" ? filesWords({ subject, entry }) : "It can no longer be restored.";
    return html`<p class="lede-line">${said} ${why}</p>
      ${list}`;
  }
  if (!may(reader, roleFor[restorable]))
    return html`<p class="lede-line">
        ${said} Ask an editor to restore ${what} by ${timeMark(until)}.
      </p>
      ${list}`;
  return html`<p class="lede-line">${said} You can undo this until ${timeMark(until)}.</p>
    ${undoForm(reader, kind, [id], { words: "Undo" })} ${list}`;
}

/** The part of the pages that has the list of a kind. */
const sectionOf: { readonly [K in TrashKind]: Section } = {
  monitor: "monitors",
  location: "agents",
  channel: "channels",
  page: "status pages",
  report: "status pages",
  maintenance: "maintenance",
  component: "status pages",
  group: "status pages",
  template: "status pages",
  subscriber: "status pages",
  update: "status pages",
  workUpdate: "maintenance",
};

/** The newest entry of an object; null if nothing is known of it. */
async function newestOf({ rooms }: PageContext, subject: Subject): Promise<AuditEntry | null> {
  const asked = { before: null, after: 0, ...subject, who: "", name: "", limit: 1 };
  const [newest] = await rooms.store.audit.list({ ...asked, since: epochMillis(0), until: null });
  return newest ?? null;
}

/** The deletion of the status page that a report or planned work went with; null if it went with none. */
async function deletionOfPage(context: PageContext, subject: Subject): Promise<AuditEntry | null> {
  const page = await pageOf(context, subject);
  const newest = page === null ? null : await newestOf(context, { kind: "page", id: page });
  return newest?.deed === "deleted" ? newest : null;
}

/** The status page that it was on, as the log says: its own row went with the page. */
async function pageOf({ rooms }: PageContext, subject: Subject): Promise<string | null> {
  const asked = { before: null, after: 0, ...subject, who: "", name: "" };
  const entries = await rooms.store.audit.list({
    ...asked,
    since: epochMillis(0),
    until: null,
    limit: auditReadMax,
  });
  const newest = entries.flatMap(({ fields }) => fields).find(({ field }) => field === "page");
  return newest === undefined || newest.is === "set" ? null : newest.after;
}

/** Whether what goes with a status page is there still. */
async function isThere({ rooms: { store } }: PageContext, { kind, id }: Subject): Promise<boolean> {
  if (kind === "report") return (await store.pages.reports.get(Number(id))) !== null;
  if (kind === "maintenance") return (await store.alerts.maintenances.get(Number(id))) !== null;
  return true;
}

/** What a form is about, and the entry of its deletion, or of that of the status page that it went with. */
interface Deletion {
  readonly subject: Subject;
  readonly entry: AuditEntry;
}

/** An object that is deleted as a whole. */
export function deletedView({ rooms }: PageContext, typed: OwnTypedForm, deletion: Deletion): Html {
  const { entry } = deletion;
  const { kind, id } = entry.subject;
  const said = deletionWords(deletion);
  if (entry.who.kind === "files")
    return html`<p class="lede-line">${said} ${filesWords(deletion)}</p>
      ${keptFields(typed, null)}`;
  const restorable = trashKindOf(kind);
  const isLate = after(entry.at, undoneWithin) <= rooms.clock.wall();
  if (restorable !== null && isLate && isPress(typed))
    return html`<p class="lede-line">${said} It can no longer be restored.</p>
      ${wayToList(restorable)}`;
  if (restorable === null || isLate) return againView(typed, said, deletion.subject.kind);
  const mayRestore = may(typed.reader, roleFor[restorable]);
  const leave = wayTo(
    listOf[restorable],
    mayRestore ? "Leave it deleted" : `All ${listWords[restorable]}`,
  );
  const what = kind === deletion.subject.kind ? "it" : `the ${kindWords[kind]}`;
  if (isPress(typed))
    return html`<p class="lede-line">
        ${said}
        ${mayRestore ? null : html`Ask an editor to restore ${what} by ${timeMark(after(entry.at, undoneWithin))}.`}
      </p>
      ${mayRestore ? undoForm(typed.reader, kind, [id], { words: `Restore ${what}` }) : null}
      ${leave}`;
  const sent = { ...typed, form: asOf(typed.form, { ...entry.subject, version: entry.number }) };
  const { formToken } = typed.reader;
  if (!mayRestore)
    return html`<p class="lede-line">
        ${said} Ask an editor to restore ${what}, then send your form again.
      </p>
      ${keptFields(sent, formToken)}`;
  sent.form.set(restoreField, `${restorable} ${id}`);
  const next = isSave(typed.form) ? "send my form" : "go on with my form";
  return html`<p class="lede-line">${said} To keep your work, restore ${what}.</p>
    ${keptFields(sent, formToken, `Restore ${what}, and ${next}`)} ${leave}`;
}

/** What can be done about what files deleted. */
const filesWords = ({ subject, entry: { subject: whole } }: Deletion): string =>
  whole.kind === subject.kind
    ? "It cannot be restored here: put it back in the files."
    : `It cannot be restored: its ${kindWords[whole.kind]} can be put back in the files, without it.`;

/** Who deleted it and when, e.g. `It was deleted with its status page “Shop” by ann at 12:00:00 UTC, so nothing was saved.` */
const deletionWords = (deletion: Deletion): Html =>
  html`It ${deedWords(deletion)}, so nothing was saved.`;

function deedWords({ subject, entry }: Deletion): Html {
  const { kind } = entry.subject;
  const along =
    kind === subject.kind
      ? ""
      : ` with its ${kindWords[kind]}${entry.name === "" ? "" : ` “${entry.name}”`}`;
  return html`was deleted${along} by ${nameOfActor(entry)} at ${timeMark(entry.at)}`;
}

/** What is at the list of a kind. */
const listWords: { readonly [K in TrashKind]: string } = {
  monitor: "monitors",
  location: "locations",
  channel: "channels",
  page: "status pages",
  report: "status pages",
  maintenance: "planned work",
  component: "status pages",
  group: "status pages",
  template: "status pages",
  subscriber: "status pages",
  update: "status pages",
  workUpdate: "planned work",
};

const wayToList = (kind: TrashKind): Html | null => wayTo(listOf[kind], `All ${listWords[kind]}`);

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
