import { html, type Html } from "#web/page/html";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Basis } from "#service/store/audit/actor";
import { auditedKinds, type Subject } from "#service/store/audit/audited";

/**
 * What each form that edits an object has in it: the version that it shows. The door of the pages reads it, and a second
 * person's save is not lost: nothing is written over what they have not seen.
 */
export const basisField = ({ kind, id, version }: Basis): Html =>
  html`<input type="hidden" name="${basisName}" value="${kind} ${id} ${version}" />`;

/** The version that a form is about to show. Ask for it before what the form shows is read. */
export const basisNow = async (
  { store }: Pick<PageRooms, "store">,
  subject: Subject,
): Promise<Basis> => ({ ...subject, version: await store.audit.version(subject) });

/** The version that a form showed; null of a form that edits nothing. */
export function basisIn(form: URLSearchParams): Basis | null {
  const found = /^(\w+) (\d{1,15}) (\d{1,15})$/.exec(form.get(basisName) ?? "");
  const kind = auditedKinds.find((known) => known === found?.[1]);
  const [, , id, version] = found ?? [];
  return kind === undefined || id === undefined ? null : { kind, id, version: Number(version) };
}

/** The same form, as of another version. */
export function rebased(form: URLSearchParams, { kind, id, version }: Basis): URLSearchParams {
  const copy = new URLSearchParams(form);
  copy.set(basisName, `${kind} ${id} ${version}`);
  return copy;
}

const basisName = "basis";
