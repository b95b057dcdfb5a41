import { html, type Html } from "#web/page/html";
import { namedComponent } from "#service/operator/changes/entry-view";
import { secretWords } from "#service/operator/changes/secret-words";
import { fieldLabel, valueWords } from "#service/operator/changes/field-words";
import { timedText } from "#service/operator/changes/timed-text";
import type { MemberNames } from "#service/operator/changes/member-names";
import type { ThreeWay } from "#service/operator/changes/three-way";
import type { AuditedKind } from "#service/store/audit/audited";

/** Each field that differs, as it was, as they saved it and as a form has it; on a phone, each is a block. */
export function threeWayTable(
  kind: AuditedKind,
  rows: readonly ThreeWay[],
  names: MemberNames,
): Html {
  const hasMine = rows.every(({ mine }) => mine !== undefined);
  return html`<table class="changes versions">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">Theirs</th>
        ${hasMine ? html`<th scope="col">Mine</th>` : null}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        const [before, theirs, mine] = wordsOf(kind, row, names);
        return html`<tr>
          <th scope="row">${timedText(fieldLabel(kind, row.field))}</th>
          ${cell("Before", before, false)} ${cell("Theirs", theirs, theirs !== before)}
          ${hasMine ? cell("Mine", mine, mine !== before) : null}
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function cell(column: string, words: string, isNew: boolean): Html {
  const shown = timedText(words);
  return html`<td data-column="${column}">${isNew ? html`<strong>${shown}</strong>` : shown}</td>`;
}

function wordsOf(
  kind: AuditedKind,
  row: ThreeWay,
  names: MemberNames,
): readonly [before: string, theirs: string, mine: string] {
  const { field } = row;
  switch (row.is) {
    case "text": {
      const shown = (value: string | null = null): string =>
        valueWords(kind, field, namedComponent(field, value, names));
      return [shown(row.before), shown(row.theirs), shown(row.mine)];
    }
    case "secret":
      return [
        secretWords(row.before),
        row.theirs === row.before ? "unchanged" : secretWords(row.theirs),
        row.mine === row.before ? "unchanged" : secretWords(row.mine ?? null),
      ];
    case "set": {
      const shown = (members: readonly string[] = []): string =>
        members.length === 0 ? "–" : members.map((one) => names(field, one)).join(", ");
      return [shown(row.before), shown(row.theirs), shown(row.mine)];
    }
  }
}
