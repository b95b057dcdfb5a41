import { timeMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import { undoneWithin } from "#limits/service-limits";
import { auditReadMax } from "#limits/store-limits";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { asOf } from "#service/operator/changes/basis-field";
import { kindWords, pathOf } from "#service/operator/changes/changed-objects";
import { roleFor, trashWords, undoableSince } from "#service/operator/deleting/undo-answers";
import { restoreField } from "#service/operator/deleting/undo-form";
import { isSave } from "#service/operator/forms/is-save";
import { keptFields, type TypedForm } from "#service/operator/kept-fields";
import { filesOf } from "#service/operator/managed-note";
import type { KnownReader, PageContext } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { isUpdate, type TrashKind, type TrashRow } from "#service/store/trash/trash-store";
import { after, epochMillis } from "#base/units";

interface SentPart extends TypedForm {
  readonly reader: KnownReader;
}
interface GonePart {
  readonly heading: string;
  readonly view: Html;
}

/** What is said if an object is there, without the part that a form is about: `newest` is the object's newest entry. */
export async function gonePart(
  context: PageContext,
  sent: SentPart,
  newest: AuditEntry,
): Promise<GonePart> {
  const kind = partKindOf(sent.action);
  const id = Number(/(\d+)(?:\/[a-z]+)?$/.exec(sent.action)?.[1] ?? 0);
  const { trash } = context.rooms.store;
  const row = kind === null ? null : await trash.get(kind, id, undoableSince(context));
  const back = pathOf(newest.subject);
  const whole = kindWords[newest.subject.kind];
  if (row === null)
    return {
      heading: "This was deleted meanwhile",
      view: html`<p class="lede-line">
          What the form is about was deleted after you opened it, so nothing was saved.
        </p>
        ${keptFields(sent, null)} ${wayTo(back, `Back to the ${whole}`)}`,
    };
  return {
    heading: `This ${trashWords[row.kind]} was removed`,
    view: html`${await removedView(context, sent, row, newest)}
    ${wayTo(back, may(sent.reader, roleFor[row.kind]) ? "Leave it removed" : `Back to the ${whole}`)}`,
  };
}

/** Null for a part that cannot be put back. */
function partKindOf(action: string): TrashKind | null {
  const [, part] =
    /^\/[a-z-]+\/\d+\/(components|groups|templates|updates)\/\d+(?:\/[a-z]+)?$/.exec(action) ?? [];
  switch (part) {
    case "components":
      return "component";
    case "groups":
      return "group";
    case "templates":
      return "template";
    case "updates":
      return action.startsWith("/maintenances/") ? "workUpdate" : "update";
    case undefined:
    default:
      return null;
  }
}

async function removedView(
  context: PageContext,
  sent: SentPart,
  row: TrashRow,
  { subject, number }: AuditEntry,
): Promise<Html> {
  const { kind, id, name, deletedAt, owner } = row;
  const who = await removerOf(context, row, subject);
  const what = isUpdate(kind)
    ? html`The update of <strong>${name}</strong>`
    : html`<strong>${name}</strong>`;
  const said = html`${what} was removed${who === null ? null : ` by ${who}`} at
  ${timeMark(deletedAt)}, so nothing was saved.`;
  const word = trashWords[kind];
  if (owner !== "")
    return html`<p class="lede-line">
        ${said} It cannot be restored here: put it back in ${filesOf(owner)}.
      </p>
      ${keptFields(sent, null)}`;
  const { formToken } = sent.reader;
  if (!may(sent.reader, roleFor[kind]))
    return html`<p class="lede-line">
        ${said} Ask an editor to restore the ${word} by ${timeMark(after(deletedAt, undoneWithin))},
        then send your form again.
      </p>
      ${keptFields(sent, formToken)}`;
  const form = asOf(sent.form, { ...subject, version: number });
  form.set(restoreField, `${kind} ${id}`);
  const next = isSave(sent.form) ? "send my form" : "go on with my form";
  return html`<p class="lede-line">${said} To keep your work, restore the ${word}.</p>
    ${keptFields({ ...sent, form }, formToken, `Restore the ${word}, and ${next}`)}`;
}

/** As the log of its object has it; null if the log does not say. */
async function removerOf(
  { rooms }: PageContext,
  { deletedAt }: TrashRow,
  { kind, id }: AuditEntry["subject"],
): Promise<string | null> {
  const asked = { before: null, after: 0, kind, id, who: "", name: "", limit: auditReadMax };
  const since = epochMillis(deletedAt - 1);
  const entries = await rooms.store.audit.list({ ...asked, since, until: null });
  const entry = entries.find(({ at }) => at === deletedAt);
  return entry === undefined ? null : nameOfActor(entry);
}

const wayTo = (path: string | null, words: string): Html | null =>
  path === null ? null : html`<p><a class="button" href="${path}">${words}</a></p>`;
