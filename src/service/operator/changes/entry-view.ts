import { cutText } from "#base/text";
import * as limits from "#limits/pages-limits";
import { counted, isoTime, timeOfDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { changesPath, objectWords, pathOfEntry } from "#service/operator/changes/changed-objects";
import { fieldLabel, valueWords } from "#service/operator/changes/field-words";
import { byLabel } from "#service/operator/changes/label-changes";
import type { Picture } from "#service/operator/picture";
import type { AuditedKind } from "#service/store/audit/audited";
import type { ActorKind } from "#service/store/audit/actor";
import type { AuditDeed, AuditEntry } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";

/** What a member of a list is called, e.g. `2` of `monitors`. */
export type MemberNames = (field: string, member: string) => string;

/** Monitors and locations that are there now have their names; any other has its number. */
export const memberNames =
  ({ monitors, locations }: Picture): MemberNames =>
  (field, member) => {
    const all = field === "monitors" ? monitors : field === "locations" ? locations : [];
    return all.find(({ id }) => String(id) === member)?.name ?? member;
  };

/** One entry of the log: a line that says when, who and what, and unfolds to each field before and after. */
export function entryView(entry: AuditEntry, names: MemberNames, isOpen: boolean): Html {
  const path = pathOfEntry(entry);
  return html`<li class="change" id="change-${entry.number}">
    <details ${isOpen ? html` open` : null}>
      <summary>
        <time datetime="${isoTime(entry.at)}">${timeOfDay(entry.at)}</time>
        <span
          ><strong>${whoWords(entry)}</strong> ${deedWords[entry.deed]} ${objectWords(entry)}</span
        >
        <span class="quiet">${gistOf(entry, names)}</span>
      </summary>
      <p><a href="${changesPath(entry.subject)}">All changes of it</a></p>
      ${fieldTable(entry, names)}
    </details>
    ${path === null ? null : html`<a class="to-object" href="${path}" aria-label="Open ${objectWords(entry)}">Open</a>`}
  </li>`;
}

/** What changed, as far as a line has room: one field before and after, or the names of some. */
function gistOf({ fields: all, subject, deed }: AuditEntry, names: MemberNames): string {
  const fields = byLabel(all);
  const [only, ...others] = fields;
  const isOfSome = deed === "changed" || deed === "undone";
  if (only === undefined || !isOfSome) return counted(fields.length, "field");
  if (others.length === 0)
    return `${fieldLabel(subject.kind, only.field)}: ${changeWords(subject.kind, only, names)}`;
  const shown = fields.slice(0, limits.changedFieldsNamed);
  const labels = shown.map(({ field }) => fieldLabel(subject.kind, field)).join(", ");
  const more = fields.length - shown.length;
  return more === 0 ? labels : `${labels} and ${more} more`;
}

/** `30 s → 1 min`; the digests of a secret say nothing here. */
function changeWords(kind: AuditedKind, change: FieldChange, names: MemberNames): string {
  const { field } = change;
  const short = (text: string): string => cutText(text, limits.gistCharsMax);
  switch (change.is) {
    case "text": {
      const shown = (value: string | null): string =>
        short(valueWords(kind, field, namedComponent(field, value, names)));
      return `${shown(change.before)} → ${shown(change.after)}`;
    }
    case "secret":
      return change.after === null ? "removed" : "a new secret";
    case "set": {
      const shown = (what: string, members: readonly string[]): readonly string[] =>
        members.length === 0
          ? []
          : [`${what} ${short(members.map((one) => names(field, one)).join(", "))}`];
      return [...shown("added", change.added), ...shown("removed", change.removed)].join("; ");
    }
  }
}

const deedWords: { readonly [D in AuditDeed]: string } = {
  made: "created",
  changed: "changed",
  undone: "undid a change of",
  deleted: "deleted",
  restored: "restored",
};

const actorWords: { readonly [K in ActorKind]: string } = {
  person: "",
  key: "API key ",
  files: "files of ",
  command: "command ",
  service: "",
};

/** Who it was, and from which address. */
const whoWords = ({ who }: Pick<AuditEntry, "who">): string =>
  `${actorWords[who.kind]}${who.name}${who.from === "" ? "" : ` (${who.from})`}`;

/** The same without the address, which is for owners, on the page of all changes. */
export const nameOfActor = ({ who }: AuditEntry): string => whoWords({ who: { ...who, from: "" } });

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
      ${byLabel(fields).map(
        (field) =>
          html`<tr>
            <th scope="row">${fieldLabel(subject.kind, field.field)}</th>
            ${valuesOf(subject.kind, field, names)}
          </tr>`,
      )}
    </tbody>
  </table>`;

function valuesOf(kind: AuditedKind, change: FieldChange, names: MemberNames): Html {
  const { field } = change;
  switch (change.is) {
    case "text":
      return cells(
        valueWords(kind, field, namedComponent(field, change.before, names)),
        valueWords(kind, field, namedComponent(field, change.after, names)),
      );
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

/** A component of a status page, which has the number of its monitor, with the monitor's name. */
export const namedComponent = (
  field: string,
  value: string | null,
  names: MemberNames,
): string | null =>
  value === null || !field.startsWith("component ")
    ? value
    : value.replace(
        /"monitor":(\d+)/,
        (_, id: string) => `"monitor":${JSON.stringify(names("monitors", id))}`,
      );

const memberWords = (what: string, members: readonly string[]): string =>
  members.length === 0 ? "–" : `${what}: ${members.join(", ")}`;

const cells = (before: string, after: string): Html =>
  html`<td>${before}</td>
    <td>${after}</td>`;

/** Nothing of a secret is known here but its digest. */
export const secretWords = (digest: string | null): string =>
  digest === null ? "–" : `a secret (digest ${digest})`;
