import type { ActorKind } from "#service/store/audit/actor";
import type { AuditDeed, AuditEntry } from "#service/store/audit/audit-log";
import type { AuditedKind } from "#service/store/audit/audited";
import type { FieldChange } from "#service/store/audit/field-change";

const deedWords: { readonly [D in AuditDeed]: string } = {
  made: "created",
  changed: "changed",
  undone: "undid a change of",
  deleted: "deleted",
  restored: "restored",
  "signed in": "signed in",
  refused: "could not sign in",
  "signed out": "signed out",
  ended: "ended",
};

/** Whether the verb says what was done, so that the fields need not. */
export const hasOwnVerb = (entry: AuditEntry): boolean =>
  verbOf(entry) !== deedWords.changed && verbOf(entry) !== deedWords.undone;

/** What was done to an object, as people call it: `paused`, `acknowledged`, `changed`. */
export const verbOf = (entry: AuditEntry): string => ownVerb(entry) ?? deedWords[entry.deed];

/** Null if people have no certain word for it. */
function ownVerb(entry: AuditEntry): string | null {
  const { subject, deed, fields, who } = entry;
  const { kind } = subject;
  if (kind === "silence" && deed === "made") return "silenced";
  if (kind === "key" && deed === "deleted") return "revoked";
  if (kind === "subscriber") return subscriberVerb(who.kind, deed);
  if (deed === "undone") return undoVerb(kind, fields);
  if (deed !== "changed") return null;
  switch (kind) {
    case "monitor":
      return pauseVerb(fields);
    case "incident":
      return incidentVerb(fields);
    case "silence":
      return silenceVerb(fields);
    case "person":
      return personVerb(entry);
    case "location":
      return tokenVerb(fields);
    default:
      return null;
  }
}

/** Of a subscriber, what was done by its own link has another name than what an operator did. */
function subscriberVerb(by: ActorKind, deed: AuditDeed): string {
  if (deed === "changed" || deed === "restored") return deed;
  if (by === "link")
    return deed === "deleted" ? "ended the subscription of" : "confirmed the subscription of";
  return deed === "deleted" ? "removed" : "added";
}

/** What a person did about themselves: a sentence ends with it. */
export const ownDeeds: ReadonlySet<string> = new Set(["joined", "set a new password"]);

/** Of passwords and the links by which people choose them; null of anything else that changed. */
function personVerb({ fields, who, name }: AuditEntry): string | null {
  if (isJoining(fields)) return "joined";
  if (who.kind === "stranger") return "asked for a new password for";
  if (fields.some(({ field }) => !["password", "link", "link ends"].includes(field))) return null;
  const [password, link] = [afterOf(fields, "password"), afterOf(fields, "link")];
  if (password === undefined) return typeof link === "string" ? "made a new link for" : null;
  if (password === null) return "reset the password of";
  return who.kind === "person" && who.name === name
    ? "set a new password"
    : "set a new password for";
}

/** What a field became; null: it is there no more, and left out: it stayed. */
function afterOf(fields: readonly FieldChange[], field: string): string | null | undefined {
  const change = fields.find((one) => one.field === field);
  return change === undefined || change.is === "set" ? undefined : change.after;
}

/** They chose their first password, by the link of whoever invited them. */
const isJoining = (fields: readonly FieldChange[]): boolean =>
  fields.some((one) => one.field === "joined" && one.is === "text" && one.before === null);

function pauseVerb([only, ...others]: readonly FieldChange[]): string | null {
  if (only?.field !== "active" || only.is !== "text" || others.length > 0) return null;
  return only.after === "true" ? "resumed" : "paused";
}

/** What it took back: an undone pause has the fields of one that was resumed. */
function undoVerb(kind: AuditedKind, fields: readonly FieldChange[]): string | null {
  if (kind === "monitor") {
    const verb = pauseVerb(fields);
    return verb === null ? null : verb === "resumed" ? "undid pausing" : "undid resuming";
  }
  if (kind === "incident" && commentVerb(fields) !== null) return "undid deleting a comment on";
  const moved = kind === "silence" ? silenceVerb(fields) : null;
  if (moved === null) return null;
  return moved.startsWith("ended")
    ? "undid extending the silence of"
    : "undid ending the silence of";
}

/** A new token leaves the one before it among the old ones; a revocation changes nothing but these. */
function tokenVerb(fields: readonly FieldChange[]): string | null {
  if (fields.some(({ field }) => field !== "token" && field !== "old tokens")) return null;
  return fields.some(({ field }) => field === "token")
    ? "created a new token of"
    : "revoked the old token of";
}

function incidentVerb(fields: readonly FieldChange[]): string | null {
  const by = fields.find(({ field }) => field === "acknowledged by");
  if (by?.is === "text")
    return by.after === null ? "took back the acknowledgement of" : "acknowledged";
  return commentVerb(fields);
}

/** Of a comment that was edited, its own field says so; it goes with one that is deleted. */
function commentVerb(fields: readonly FieldChange[]): string | null {
  if (!fields.every(({ field }) => /^comments?(?: \d+)?$/.test(field))) return null;
  const count = fields.find(({ field }) => field === "comments");
  if (count === undefined || count.is === "set") return "edited a comment on";
  const isFewer = Number(count.after ?? 0) < Number(count.before ?? 0);
  return isFewer ? "deleted a comment on" : "commented on";
}

function silenceVerb([only, ...others]: readonly FieldChange[]): string | null {
  if (only?.field !== "to" || only.is !== "text" || others.length > 0) return null;
  return (only.after ?? "") < (only.before ?? "")
    ? "ended the silence of"
    : "extended the silence of";
}
