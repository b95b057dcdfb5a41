import type { AuditedKind } from "#service/store/audit/audited";
import { valueWords, wholeWords } from "#service/operator/changes/field-words";
import { timedText } from "#service/operator/changes/timed-text";
import { html, type Html } from "#web/page/html";

/** A value in a cell of a table. Of a long one its beginning is shown, and all that the log has of it once a person opens it. */
export function valueCell(kind: AuditedKind, field: string, value: string | null): Html {
  const [words, whole] = [valueWords(kind, field, value), wholeWords(kind, field, value)];
  if (words === whole) return html`<td>${timedText(words)}</td>`;
  return html`<td>
    <details class="whole">
      <summary><span>${timedText(words)}</span><b>Show less</b></summary>
      <div>${timedText(whole)}</div>
    </details>
  </td>`;
}
