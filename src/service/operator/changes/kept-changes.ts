import { html, type Html } from "#web/page/html";
import { namedComponent } from "#service/operator/changes/entry-view";
import { changedLabel, differingParts, valueWords } from "#service/operator/changes/field-words";
import { timedText } from "#service/operator/changes/timed-text";
import type { MemberNames } from "#service/operator/changes/member-names";
import type { AuditedKind } from "#service/store/audit/audited";
import type { FieldChange } from "#service/store/audit/field-change";

/** A change that stays, and whose it is. */
export interface KeptChange {
  readonly change: FieldChange;
  readonly by: string;
}

/** Each field that is kept as one person changed it: before, after, and by whom. On a phone, each is a block. Null if there is none. */
export function keptChanges(
  kind: AuditedKind,
  kept: readonly KeptChange[],
  names: MemberNames,
): Html | null {
  if (kept.length === 0) return null;
  return html`<table class="changes versions">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
        <th scope="col">Changed by</th>
      </tr>
    </thead>
    <tbody>
      ${kept.map(({ change, by }) => {
        const [before, after] = wordsOf(kind, change, names);
        return html`<tr>
          <th scope="row">${timedText(changedLabel(kind, change))}</th>
          <td data-column="Before">${timedText(before)}</td>
          <td data-column="After"><strong>${timedText(after)}</strong></td>
          <td data-column="By">${by}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function wordsOf(
  kind: AuditedKind,
  change: FieldChange,
  names: MemberNames,
): readonly [before: string, after: string] {
  const { field } = change;
  switch (change.is) {
    case "text": {
      const [before, after] = differingParts(
        namedComponent(field, change.before, names),
        namedComponent(field, change.after, names),
      );
      return [valueWords(kind, field, before), valueWords(kind, field, after)];
    }
    case "secret":
      return [
        change.before === null ? "–" : "saved, not shown",
        change.after === null ? "removed" : "a new one, not shown",
      ];
    case "set": {
      const shown = (what: string, members: readonly string[]): string =>
        members.length === 0
          ? "–"
          : `${what} ${members.map((one) => names(field, one)).join(", ")}`;
      return [shown("removed", change.removed), shown("added", change.added)];
    }
  }
}
