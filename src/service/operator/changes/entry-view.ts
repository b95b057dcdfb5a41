import { cutText } from "#base/text";
import { shownValueCharsMax } from "#limits/pages-limits";
import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { changesPath, objectLink } from "#service/operator/changes/changed-objects";
import type { ActorKind } from "#service/store/audit/actor";
import type { AuditDeed, AuditEntry } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";

/** One entry of the log: when, who, what, and each field before and after. */
export const entryView = (entry: AuditEntry): Html =>
  html`<li class="change" id="change-${entry.number}">
    <p>
      <time datetime="${isoTime(entry.at)}">${dayAndTime(entry.at)}</time>
      <strong>${whoWords(entry)}</strong> ${deedWords[entry.deed]} ${objectLink(entry)}
      <a class="quiet" href="${changesPath(entry.subject)}">All changes of it</a>
    </p>
    ${fieldsView(entry)}
  </li>`;

const deedWords: { readonly [D in AuditDeed]: string } = {
  made: "created",
  changed: "changed",
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
export const whoWords = ({ who }: Pick<AuditEntry, "who">): string =>
  `${actorWords[who.kind]}${who.name}${who.from === "" ? "" : ` (${who.from})`}`;

/** What was made or deleted has all its fields, which are folded away. */
function fieldsView({ deed, fields }: AuditEntry): Html {
  const all = fieldTable(fields);
  if (deed === "changed") return all;
  return html`<details>
    <summary>${fields.length === 1 ? "1 field" : `${fields.length} fields`}</summary>
    ${all}
  </details>`;
}

/** Fields before and after, as a table. */
export const fieldTable = (fields: readonly FieldChange[]): Html =>
  html`<table class="changes">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      ${fields.map(
        (field) =>
          html`<tr>
            <th scope="row">${field.field}</th>
            ${valuesOf(field)}
          </tr>`,
      )}
    </tbody>
  </table>`;

function valuesOf(change: FieldChange): Html {
  switch (change.is) {
    case "text":
      return cells(textWords(change.before), textWords(change.after));
    case "secret":
      return cells(secretWords(change.before), secretWords(change.after));
    case "set":
      return cells(
        change.removed.length === 0 ? "–" : `without ${change.removed.join(", ")}`,
        change.added.length === 0 ? "–" : `with ${change.added.join(", ")}`,
      );
  }
}

const cells = (before: string, after: string): Html =>
  html`<td>${before}</td>
    <td>${after}</td>`;

const textWords = (value: string | null): string =>
  value === null ? "–" : cutText(value, shownValueCharsMax);

/** Nothing of a secret is known here but its digest. */
const secretWords = (digest: string | null): string =>
  digest === null ? "–" : `a secret (digest ${digest})`;
