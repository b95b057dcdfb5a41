import { cutText } from "#base/text";
import { changedObjectsNamed, gistCharsMax } from "#limits/change-limits";
import { type Act, isOfOne } from "#service/operator/changes/act-folds";
import { labelActOf } from "#service/operator/changes/common-change";
import { kindWords, manyWords, shownName } from "#service/operator/changes/changed-objects";
import { ownDeeds, verbOf } from "#service/operator/changes/deed-verbs";
import { sessionSentence } from "#service/operator/changes/session-sentence";
import type { MemberNames } from "#service/operator/changes/member-names";
import {
  isMoved,
  moveOf,
  partChange,
  type PartChange,
  partDeed,
  type PartDeed,
} from "#service/operator/changes/part-changes";
import type { AuditDeed, AuditEntry } from "#service/store/audit/audit-log";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** What was done, after who did it: `added 6 components to status page Shop: API, Web, Mail and 3 more`. */
export function actSentence(act: Act, names: MemberNames): Html {
  const [newest] = act;
  const done = labelActOf(act);
  const what =
    done === null
      ? html`${verbOf(newest)}`
      : html`${done.verb} label <b>${cutText(done.label, gistCharsMax)}</b> ${done.joint}`;
  if (!isOfOne(act)) {
    const count = `${grouped(act.length)} ${manyWords(newest.subject.kind)}`;
    return html`${what} ${count}: ${someOf(act.map(objectName))}`;
  }
  if (isByOwnLink(newest))
    return html`${subscriberDeeds[newest.deed] ?? newest.deed} the subscription`;
  if (newest.subject.kind === "session") return sessionSentence(newest);
  if (done !== null) return html`${what} ${objectOf(newest)}`;
  // Who did it is who it is about.
  if (newest.subject.kind === "person" && ownDeeds.has(verbOf(newest)))
    return html`${verbOf(newest)}`;
  return partSentence(act, names) ?? html`${verbOf(newest)} ${objectOf(newest)}`;
}

/** Whether a subscriber did it by its own link: it is who it is about. */
export const isByOwnLink = ({ subject, who, deed }: AuditEntry): boolean =>
  subject.kind === "subscriber" && who.kind === "link" && deed in subscriberDeeds;

const subscriberDeeds: { readonly [D in AuditDeed]?: string } = {
  made: "confirmed",
  deleted: "ended",
};

/** `status page Shop`; what is silenced has no kind: `Shop at Berlin`. */
const objectOf = (entry: AuditEntry): Html =>
  entry.subject.kind === "silence" && entry.name !== ""
    ? objectName(entry)
    : html`${kindWords[entry.subject.kind]} ${objectName(entry)}`;

const objectName = ({ subject, name }: AuditEntry): Html =>
  html`<b>${shownName({ subject, name })}</b>`;

/** What was done to parts of a status page, if a sentence says it; of what was undone, that a part is there again. */
export function saidDeed({ subject, deed, fields }: AuditEntry): PartDeed | null {
  if (subject.kind !== "page") return null;
  const done = partDeed(fields);
  return deed === "changed" || (deed === "undone" && done === "added") ? done : null;
}

/** Of the components and groups of a status page; null of anything else. */
function partSentence(act: Act, names: MemberNames): Html | null {
  const [newest] = act;
  const deed = saidDeed(newest);
  if (deed === null) return null;
  // In the order in which it was done.
  const parts = act
    .toReversed()
    .flatMap(({ fields }) => fields.flatMap((one) => partChange(one) ?? []));
  if (deed === "moved")
    return act.length === 1 ? moveSentence(parts, newest, names) : orderSentence(newest);
  return changeSentence(
    deed,
    parts.filter((part) => !isMoved(part)),
    newest,
  );
}

const joints: { readonly [D in Exclude<PartDeed, "moved">]: string } = {
  added: "to",
  removed: "from",
  changed: "of",
};

function changeSentence(
  deed: Exclude<PartDeed, "moved">,
  parts: readonly PartChange[],
  page: AuditEntry,
): Html {
  const shown = [...new Set(parts.map(nameOf))];
  const kinds = new Set(parts.map(({ kind }) => kind));
  const [kind = "component"] = kinds.size === 1 ? kinds : ["part" as const];
  const [only] = shown;
  const isUndo = page.deed === "undone";
  const verb = isUndo ? "undid removing" : deed;
  const of = html`${isUndo ? joints.removed : joints[deed]} ${objectOf(page)}`;
  if (shown.length === 1) return html`${verb} ${kind} <b>${only ?? ""}</b> ${of}`;
  return html`${verb} ${shown.length} ${kind}s ${of}: ${someOf(shown)}`;
}

const nameOf = ({ field, before, after }: PartChange): string =>
  (after ?? before)?.name ?? field.replace(/^\w+ /, "");

const orderSentence = (page: AuditEntry): Html =>
  html`changed the order of components of ${objectOf(page)}`;

function moveSentence(parts: readonly PartChange[], page: AuditEntry, names: MemberNames): Html {
  const move = moveOf(parts);
  if (move === null) return orderSentence(page);
  const moved = html`moved <b>${move.moved}</b>`;
  if (move.to !== "group")
    return html`${moved} ${move.to} <b>${move.other}</b> on ${objectOf(page)}`;
  return move.group === null
    ? html`${moved} out of its group on ${objectOf(page)}`
    : html`${moved} to group <b>${names("groups", String(move.group))}</b> on ${objectOf(page)}`;
}

/** `API, Web, Mail and 3 more`. */
function someOf(all: readonly (string | Html)[]): Html {
  const shown = all.slice(0, changedObjectsNamed);
  const more = all.length - shown.length;
  return html`${shown.map((one, index) => html`${index === 0 ? null : more === 0 && index === shown.length - 1 ? " and " : ", "}${one}`)}${more === 0 ? null : ` and ${grouped(more)} more`}`;
}
