import type { PageAnswer } from "#service/edge/page-answer";
import { html, type Html } from "#web/page/html";
import { subjectOfForm } from "#service/operator/changes/changed-objects";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Basis } from "#service/store/audit/actor";
import { mailServerSetting } from "#service/store/kept-mail-server";
import { publicAddressSetting } from "#service/store/state-store";
import { type AuditedKind, auditedKinds, type Subject } from "#service/store/audit/audited";

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
  const found = /^(\w+) ([\w -]{1,64}) (\d{1,15})$/.exec(form.get(basisName) ?? "");
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

/** The same form, as of a version of an object if it edits that one; a form that edits another one stays as it is. */
export function asOf(form: URLSearchParams, { kind, id, version }: Basis): URLSearchParams {
  const basis = basisIn(form);
  const isOfIt = basis?.kind === kind && basis.id === id;
  return isOfIt ? rebased(form, { ...basis, version }) : new URLSearchParams(form);
}

/** The same form, as of nothing that is saved. */
export function withoutBasis(form: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(form);
  copy.delete(basisName);
  return copy;
}

/** The same form, as of nothing that is saved if it names an object that its address does not edit: ours never does. */
export function withOwnBasis(action: string, form: URLSearchParams): URLSearchParams {
  const basis = basisIn(form);
  const own = editedAt(action) ?? subjectOfForm(action);
  const isOwn = basis !== null && basis.kind === own?.kind && basis.id === own.id;
  return isOwn || !form.has(basisName) ? form : withoutBasis(form);
}

/** The object whose form is at this address; null of every other address. */
export function editedAt(pathname: string): Subject | null {
  if (pathname === "/settings/service") return { kind: "setting", id: publicAddressSetting };
  if (pathname === "/settings/mail") return { kind: "setting", id: mailServerSetting };
  for (const [path, kind] of editPaths) {
    const [, id] = path.exec(pathname) ?? [];
    if (id !== undefined) return { kind, id };
  }
  return null;
}

/** An API key is not here: nothing of it is edited. */
const editPaths: readonly (readonly [path: RegExp, kind: AuditedKind])[] = [
  [/^\/monitors\/(\d{1,15})\/edit$/, "monitor"],
  [/^\/channels\/(\d{1,15})\/edit$/, "channel"],
  [/^\/locations\/(\d{1,15})\/edit$/, "location"],
  [/^\/maintenances\/(\d{1,15})\/edit$/, "maintenance"],
  [/^\/reports\/(\d{1,15})$/, "report"],
  [/^\/reports\/(\d{1,15})\/updates\/\d{1,15}\/edit$/, "report"],
  [/^\/status-pages\/(\d{1,15})\/templates\/\d{1,15}\/edit$/, "page"],
  [/^\/incidents\/(\d{1,15})\/comments\/\d{1,15}\/edit$/, "incident"],
  [/^\/settings\/people\/(\d{1,15})$/, "person"],
];

/** Where the form is that is sent to this address, if that is not where it is sent to. */
export const formPage = (action: string): string =>
  action
    .replace(/^(\/status-pages\/\d+)$/, "$1/settings")
    .replace(/^(\/status-pages\/\d+)\/components\/(\d+)$/, "$1?edit=$2")
    .replace(/^(\/status-pages\/\d+)\/groups\/(\d+)$/, "$1?edit=group-$2");

/** A page whose form at this address has the version that it shows in it, whoever wrote the form. */
export function withBasis(page: PageAnswer, action: string, basis: Basis): PageAnswer {
  if (!page.type.startsWith("text/html")) return page;
  // No value that we write has a bracket in its tag.
  const tags = [...page.body.matchAll(/<form\b[^>]*>/g)];
  const found = tags.find(
    ([tag]) => / action="([^"]*)"/.exec(tag.replaceAll(/\s/g, " "))?.[1] === action,
  );
  if (found === undefined) return page;
  const end = found.index + found[0].length;
  const body = `${page.body.slice(0, end)}${basisField(basis).text}${page.body.slice(end)}`;
  return { ...page, body };
}

const basisName = "basis";
