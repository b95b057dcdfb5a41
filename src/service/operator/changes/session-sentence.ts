import { verbOf } from "#service/operator/changes/deed-verbs";
import type { AuditEntry } from "#service/store/audit/audit-log";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** What happened about sessions, after who it was: `signed in by password`, `could not sign in as Vera by password, 12 times`. */
export function sessionSentence(entry: AuditEntry): Html {
  const { deed, who, name, subject } = entry;
  const fact = (field: string): string => factIn(entry, field);
  if (deed === "refused") {
    const times = Number(fact("times"));
    return html`could not sign
    in${refusedAs(entry, fact("by"))}${times === 1 ? null : `, ${grouped(times)} times`}`;
  }
  if (deed === "ended") {
    const isOwn = who.kind === "person" && who.name === name;
    const sessions = counted(Number(fact("sessions")), "session");
    return isOwn
      ? html`ended ${sessions} of theirs`
      : html`ended ${sessions} of <b>${sessionsOf(subject.id, name)}</b>`;
  }
  const [by, times] = [fact("by"), Number(fact("times"))];
  // A key signs in with itself.
  const isPlain = by === "" || who.kind === "key";
  const done = isPlain ? verbOf(entry) : `signed in by ${by}`;
  if (times === 0) return html`${done}`;
  return html`${done}${isPlain ? "" : ","}
  ${times === 1 ? "once more" : `${grouped(times)} times more`}`;
}

/** Whose sessions they are: a key's name alone reads as that of a person. */
export const sessionsOf = (who: string, name: string): string =>
  who.startsWith("key ") ? `key “${name}”` : name;

/** A key, and the identity provider, come without a name. */
function refusedAs({ subject, name }: AuditEntry, by: string): Html {
  if (subject.id !== "") return html` as <b>${name}</b> by ${by}`;
  if (by === "") return html` with ${name}`;
  return by === "password" ? html` by ${by}, with ${name}` : html` by ${by}`;
}

function factIn({ fields }: AuditEntry, field: string): string {
  const fact = fields.find((one) => one.field === field);
  return fact?.is === "text" ? (fact.after ?? "") : "";
}
