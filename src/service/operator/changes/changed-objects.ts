import { html, type Html } from "#web/page/html";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { type AuditedKind, auditedKinds, type Subject } from "#service/store/audit/audited";
import { mailServerSetting } from "#service/store/kept-mail-server";

/** What each kind of object is called. */
export const kindWords: { readonly [K in AuditedKind]: string } = {
  monitor: "monitor",
  location: "location",
  channel: "channel",
  page: "status page",
  subscriber: "subscriber",
  report: "report",
  maintenance: "maintenance",
  silence: "silence",
  incident: "incident",
  key: "API key",
  person: "person",
  session: "session",
  setting: "setting",
};

/** What several of a kind are called. */
export const manyWords = (kind: AuditedKind): string =>
  kind === "person" ? "people" : `${kindWords[kind]}s`;

/** Where the pages of each kind begin; null if an object has no page. */
const folders: { readonly [K in AuditedKind]: string | null } = {
  monitor: "/monitors",
  location: "/locations",
  channel: "/channels",
  page: "/status-pages",
  subscriber: null,
  report: "/reports",
  maintenance: "/maintenances",
  silence: null,
  incident: "/incidents",
  key: null,
  person: null,
  session: null,
  setting: null,
};

/** The page of an object; null if it has none. */
export function pathOf({ kind, id }: Subject): string | null {
  const folder = folders[kind];
  return folder === null ? null : `${folder}/${id}`;
}

/** Where its form is, or is led to: of an object that only owners see, too, so for no one else. */
export function formPathOf(subject: Subject): string | null {
  switch (subject.kind) {
    case "person":
      return `/settings/people/${subject.id}`;
    case "setting":
      return subject.id === mailServerSetting ? "/settings/mail" : "/settings/service";
    default:
      return pathOf(subject);
  }
}

/** The object that a form at this address is about; null if it is about none, or its address does not say. */
export function subjectOfForm(action: string): Subject | null {
  const [, folder = "", id = ""] =
    /^(\/settings\/people|\/[\w-]+)\/(\d{1,15})(?:\/|$)/.exec(action) ?? [];
  const kind = auditedKinds.find((known) => formFolders[known] === folder);
  return kind === undefined ? null : { kind, id };
}

/** Where the forms of each kind begin. */
const formFolders: { readonly [K in AuditedKind]: string | null } = {
  ...folders,
  person: "/settings/people",
};

/** The object whose page this is for programs. */
export function subjectOfDocument(document: string): Subject | null {
  const found = /^(\/[\w-]+)\/(\d{1,15})\.json$/.exec(document);
  for (const [kind, words] of Object.entries(folders))
    if (words !== null && words === found?.[1]) {
      const known = Object.keys(kindWords).find((one): one is AuditedKind => one === kind);
      return known === undefined ? null : { kind: known, id: found[2] ?? "" };
    }
  return null;
}

/** All entries of one object. */
export const changesPath = ({ kind, id }: Subject): string =>
  `/changes?${new URLSearchParams({ kind, id }).toString()}`;

/** What an object is called; a key in quotes, because its name alone reads as that of a person. */
export function shownName({ subject, name }: Pick<AuditEntry, "subject" | "name">): string {
  if (name === "") return subject.id;
  return subject.kind === "key" ? `“${name}”` : name;
}

/** An object by its name, e.g. `monitor Shop`. */
export const objectWords = (entry: AuditEntry): string =>
  `${kindWords[entry.subject.kind]} ${shownName(entry)}`;

/** The page or the list of what an entry is about; null if it has none, or is deleted by it. */
export function objectPath({ subject, deed }: AuditEntry): string | null {
  if (deed === "deleted") return null;
  if (subject.kind === "subscriber")
    return `/status-pages/${subject.id.replace(/\..*$/, "")}/subscribers`;
  return subject.kind === "silence" ? "/maintenances" : pathOf(subject);
}

/** An object by its name, which leads to its page while it is there. */
export function objectLink(entry: AuditEntry): Html {
  const { subject, name } = entry;
  const shown = name === "" ? subject.id : name;
  const path = objectPath(entry);
  const what = path === null ? html`${shown}` : html`<a href="${path}">${shown}</a>`;
  return html`${kindWords[subject.kind]} ${what}`;
}
