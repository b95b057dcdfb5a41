import * as limits from "#limits/change-limits";
import { grouped, isoTime, timeOfDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { shownActor, sourceWords } from "#service/operator/changes/actor-name";
import { type Act, isOfOne } from "#service/operator/changes/act-folds";
import { actSentence, isByOwnLink, saidDeed } from "#service/operator/changes/act-sentence";
import {
  changesPath,
  kindWords,
  objectPath,
  objectWords,
  shownName,
} from "#service/operator/changes/changed-objects";
import {
  changedLabel,
  differingParts,
  fieldLabel,
  valueWords,
} from "#service/operator/changes/field-words";
import { commonChange, labelActOf } from "#service/operator/changes/common-change";
import { sessionsOf } from "#service/operator/changes/session-sentence";
import { hasOwnVerb } from "#service/operator/changes/deed-verbs";
import { byPart } from "#service/operator/changes/colour-changes";
import { differingWords } from "#service/operator/changes/differing-words";
import { singleTimeSentence } from "#service/operator/changes/single-times";
import { valueCell } from "#service/operator/changes/value-cell";
import { cutTimed, timedText } from "#service/operator/changes/timed-text";
import type { MemberNames } from "#service/operator/changes/member-names";
import { loggedImpacts } from "#service/operator/changes/logged-impacts";
import { loggedPart } from "#service/operator/changes/part-changes";
import { newSecretWords, secretWords } from "#service/operator/changes/secret-words";
import { icon } from "#service/operator/navigation";
import type { AuditedKind } from "#service/store/audit/audited";
import type { ActorKind } from "#service/store/audit/actor";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";

/** How an act is listed. */
interface ActListing {
  readonly isOpen: boolean;
  /** Where all of its entries are, if there are more than its line unfolds to; null: it unfolds to all. */
  readonly all: string | null;
}

/** What was done at once: a line that says when, who and what, and unfolds to its entries, or to the fields of its only one. */
export function actView(act: Act, names: MemberNames, { isOpen, all }: ActListing): Html {
  const [entry] = act;
  const listed = all === null ? act : act.slice(0, limits.changesShown);
  if (act.length === 1) return entryView(entry, names, isOpen);
  return html`<li class="change">
    <details>
      <summary>${lineOf(act, names)}</summary>
      <ol class="plain changes-list">
        ${listed.map((one) => entryView(one, names, false))}
      </ol>
      ${all === null ? null : html`<p class="words">These are the newest ${listed.length}. <a href="${all}">Show all ${grouped(act.length)}</a></p>`}
    </details>
    ${isOfOne(act) ? objectView(entry) : null}
  </li>`;
}

const entryView = (entry: AuditEntry, names: MemberNames, isOpen: boolean): Html =>
  html`<li class="change" id="change-${entry.number}">
    <details ${isOpen ? html` open` : null}>
      <summary>${lineOf([entry], names)}</summary>
      ${fieldTable(entry, names)}
      <p class="quiet">
        ${momentOf(entry.at)}, ${sourceWords(entry)}
        <a href="${changesPath(entry.subject)}">${allWords(entry)}</a>
      </p>
    </details>
    ${objectView(entry)}
  </li>`;

const allWords = ({ subject: { kind, id }, name }: AuditEntry): string => {
  if (kind !== "session") return `All changes of this ${kindWords[kind]}`;
  return id === ""
    ? "All sign-ins and sessions"
    : `All sign-ins and sessions of ${sessionsOf(id, name)}`;
};

/** Leads to the object, at the end of the line: a line that unfolds has no link in it. */
function objectView(entry: AuditEntry): Html | null {
  const path = objectPath(entry);
  return path === null
    ? null
    : html`<a class="to-object" href="${path}" aria-label="Open ${objectWords(entry)}">Open</a>`;
}

function lineOf(act: Act, names: MemberNames): Html {
  const [newest] = act;
  const isOwn = act.length === 1 || (newest.subject.kind === "monitor" && isOfOne(act));
  const gist = isOwn ? gistOf(newest, names) : gistOfMany(act, names);
  // The day is in the heading above it.
  const at = isoTime(newest.at);
  return html`<time datetime="${at}" data-after="${at}">${timeOfDay(newest.at).slice(0, 8)}</time>
    <span class="actor" title="${actorKinds[newest.who.kind]}"
      >${icon(actorMarks[newest.who.kind])}</span
    >
    <span
      ><strong>${whoDid(act)}</strong> ${actSentence(act, names)}${
        gist === "" ? null : html` <span class="gist">${timedText(gist)}</span>`
      }</span
    >`;
}

/** Line drawings of who changes something: a head, a key, a sheet, a prompt, two links of a chain, a question and a hub. */
const actorMarks: { readonly [K in ActorKind]: string } = {
  person: "M5 5a3 3 0 1 0 6 0 3 3 0 1 0-6 0M2.5 14a5.5 5.5 0 0 1 11 0",
  key: "M2 11a3 3 0 1 0 6 0 3 3 0 1 0-6 0M7.2 8.8L13 3M11 5l2 2",
  files: "M4 1.5h5l3.5 3.5v9.5H4zM9 1.5V5h3.5",
  command: "M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10.5h3",
  link: "M6.5 9.5l3-3M7.5 5L9 3.5a2.5 2.5 0 0 1 3.5 3.5L11 8.5M8.5 11L7 12.5a2.5 2.5 0 0 1-3.5-3.5L5 7.5",
  stranger: "M5.5 5.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.5v1",
  service: "M5.5 8a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3",
};

const actorKinds: { readonly [K in ActorKind]: string } = {
  person: "Person",
  key: "API key",
  files: "Files",
  command: "Command",
  link: "Link",
  stranger: "Not signed in",
  service: "Service",
};

/** Who it was; of what a subscriber did by its own link, that subscriber. */
const whoDid = (act: Act): string =>
  isByOwnLink(act[0]) && isOfOne(act) ? `The subscriber ${shownName(act[0])}` : shownActor(act[0]);

/** What changed, as far as a line has room: one field before and after, or the names of some; empty if the line says it. */
function gistOf(entry: AuditEntry, names: MemberNames): string {
  const { fields: all, subject, deed } = entry;
  const isSaid =
    subject.kind === "incident" ||
    (subject.kind === "location" && hasOwnVerb(entry)) ||
    (subject.kind === "person" && hasOwnVerb(entry)) ||
    saidDeed(entry) !== null;
  if ((deed !== "changed" && deed !== "undone") || isSaid) return "";
  if (labelActOf([entry]) !== null) return "";
  const fields = byPart(all);
  const [only, ...others] = fields;
  if (only === undefined || only.field === "active") return "";
  if (others.length === 0)
    return (
      singleTimeSentence(only) ??
      `${fieldLabel(subject.kind, only.field)}: ${changeWords(subject.kind, only, names)}`
    );
  return fieldNames(fields.map((one) => changedLabel(subject.kind, one)));
}

/** The same of what was done to several objects at once: what all have in common, or which fields were changed. */
function gistOfMany(act: Act, names: MemberNames): string {
  const [{ subject }] = act;
  if (isOfOne(act) || hasOwnVerb(act[0]) || labelActOf(act) !== null) return "";
  const labelOf = (one: FieldChange): string => fieldLabel(subject.kind, one.field);
  const common = commonChange(act);
  if (common === null)
    return fieldNames([...new Set(act.flatMap(({ fields }) => byPart(fields).map(labelOf)))]);
  const { change, isBeforeAlike, isAfterAlike } = common;
  const label = labelOf(change);
  if (!isAfterAlike || (change.is === "set" && !isBeforeAlike)) return label;
  const words = changeWords(subject.kind, change, names);
  return `${label}: ${isBeforeAlike ? words : words.replace(/^.* (?=→ )/, "")}`;
}

/** As many as a line has room for. */
function fieldNames(all: readonly string[]): string {
  const shown = all.slice(0, limits.changedFieldsNamed);
  const more = all.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

/** `30 s → 1 min`; the digests of a secret say nothing here. */
function changeWords(kind: AuditedKind, change: FieldChange, names: MemberNames): string {
  const { field } = change;
  const short = (text: string): string => cutTimed(text, limits.gistCharsMax);
  switch (change.is) {
    case "text": {
      const shown = (value: string | null): string =>
        valueWords(kind, field, namedComponent(field, value, names));
      const [before, after] = differingWords(
        ...mapBoth(differingParts(change.before, change.after), shown),
        limits.gistCharsMax,
      );
      return `${short(before)} → ${short(after)}`;
    }
    case "secret":
      return newSecretWords(change);
    case "set": {
      const shown = (what: string, members: readonly string[]): readonly string[] =>
        members.length === 0
          ? []
          : [`${what} ${short(members.map((one) => names(field, one)).join(", "))}`];
      return [...shown("added", change.added), ...shown("removed", change.removed)].join("; ");
    }
  }
}

const mapBoth = <A, B>([one, other]: readonly [A, A], to: (value: A) => B): readonly [B, B] => [
  to(one),
  to(other),
];

/** Fields before and after, as a table. */
const fieldTable = ({ fields, subject }: AuditEntry, names: MemberNames): Html =>
  html`<table class="changes">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      ${byPart(fields).map(
        (field) =>
          html`<tr>
            <th scope="row">${timedText(changedLabel(subject.kind, field))}</th>
            ${valuesOf(subject.kind, field, names)}
          </tr>`,
      )}
    </tbody>
  </table>`;

function valuesOf(kind: AuditedKind, change: FieldChange, names: MemberNames): Html {
  const { field } = change;
  switch (change.is) {
    case "text":
      return html`${[change.before, change.after].map((value) => valueCell(kind, field, namedComponent(field, value, names)))}`;
    case "secret":
      return cells(secretWords(change.before), secretWords(change.after));
    case "set":
      return cells(
        memberWords(
          "Removed",
          change.removed.map((one) => names(field, one)),
        ),
        memberWords(
          "Added",
          change.added.map((one) => names(field, one)),
        ),
      );
  }
}

/** A component of a status page, which has the numbers of its monitor and its group, with their names; and so an update. */
export function namedComponent(
  field: string,
  value: string | null,
  names: MemberNames,
): string | null {
  if (field === "page" && value !== null) return names("page", value);
  const impacts = loggedImpacts(field, value);
  if (impacts !== null) return impacts.named((component) => names("components", component));
  const part = loggedPart(field, value);
  if (part === null || !field.startsWith("component ")) return value;
  const { group, monitor } = part;
  const {
    order: _order,
    groupOrder: _place,
    group: _group,
    monitor: _monitor,
    ...said
  } = part.said;
  return JSON.stringify({
    ...said,
    ...(monitor === undefined ? {} : { monitor: names("monitors", String(monitor)) }),
    ...(group === undefined ? {} : { group: names("groups", String(group)) }),
    position: (group === undefined ? part.order : part.groupOrder) + 1,
  });
}

const memberWords = (what: string, members: readonly string[]): string =>
  members.length === 0 ? "–" : `${what}: ${members.join(", ")}`;

const cells = (before: string, after: string): Html =>
  html`<td>${timedText(before)}</td>
    <td>${timedText(after)}</td>`;
