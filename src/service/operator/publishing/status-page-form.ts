import { html, type Html } from "#web/page/html";
import type { Basis } from "#service/store/audit/actor";
import { foldedForm, type RefusedForm } from "#service/operator/forms/box-form";
import { openGroup, type FormGroup } from "#service/operator/forms/form-group";
import type { KnownReader } from "#service/operator/page-request";
import {
  localeChoices,
  settingsFields,
  typedSettings,
} from "#service/operator/publishing/status-page-fields";
import { faintPairs, faintWords } from "#service/status-site/view/faint-colours";
import type { StatusPageRow } from "#service/store/page-store";

const groups: readonly FormGroup[] = [
  openGroup("what", "What it is"),
  openGroup("access", "Who may read it"),
  openGroup("addresses", "Addresses"),
  openGroup("language", "Language"),
  openGroup("look", "Colours"),
  openGroup("uptime", "Days and uptime"),
];

/** The settings of a page as a form. */
export const settingsForm = (
  row: StatusPageRow,
  refused: RefusedForm | null,
  reader: KnownReader,
  basis: Basis,
): Html =>
  foldedForm(
    "Change the settings",
    {
      action: `/status-pages/${row.id}`,
      reader,
      fields: settingsFields,
      groups,
      choices: { locales: localeChoices },
      fresh: typedSettings(row),
      refused,
      basis,
      submit: "Save",
    },
    { after: faintNote(row) },
  );

function faintNote({ definition }: StatusPageRow): Html | null {
  const faint = faintPairs(definition);
  return faint.length === 0
    ? null
    : html`<p class="words">Hard to read as it is saved: ${faint.map(faintWords).join("; ")}.</p>`;
}
