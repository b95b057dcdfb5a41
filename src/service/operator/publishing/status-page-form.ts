import { html, type Html } from "#web/page/html";
import type { Basis } from "#service/store/audit/actor";
import { boxForm, type RefusedForm } from "#service/operator/forms/box-form";
import { openGroup, type FormGroup } from "#service/operator/forms/form-group";
import type { KnownReader } from "#service/operator/page-request";
import {
  localeChoices,
  settingsFormFields,
  typedSettings,
} from "#service/operator/publishing/status-page-fields";
import { faintPairs, faintWords } from "#service/status-site/view/faint-colours";
import type { StatusPageRow } from "#service/store/page-store";

const pageGroups: readonly FormGroup[] = [
  openGroup("what", "What it is"),
  openGroup("addresses", "Addresses"),
  openGroup("language", "Language"),
];
const accessGroups: readonly FormGroup[] = [openGroup("access", "")];
const lookGroups: readonly FormGroup[] = [
  openGroup("look", "Colours"),
  openGroup("uptime", "Days and uptime"),
];

interface ChangedPage {
  readonly row: StatusPageRow;
  readonly refused: RefusedForm | null;
  readonly reader: KnownReader;
  readonly basis: Basis;
}

/** What the page is: its title, where it is read, and its languages. */
export const pageForm = ({ row, ...rest }: ChangedPage): Html =>
  boxForm({
    ...rest,
    action: `/status-pages/${row.id}`,
    fields: settingsFormFields.page,
    groups: pageGroups,
    choices: { locales: localeChoices },
    fresh: typedSettings(row),
    submit: "Save the page",
  });

/** Who may read it, and whether search engines may list it. */
export const accessForm = ({ row, ...rest }: ChangedPage): Html =>
  boxForm({
    ...rest,
    action: `/status-pages/${row.id}/access`,
    fields: settingsFormFields.access,
    groups: accessGroups,
    choices: {},
    fresh: typedSettings(row),
    submit: "Save the access",
  });

/** How the page looks, and what it shows of uptime. */
export const lookForm = ({ row, ...rest }: ChangedPage): Html =>
  html`${boxForm({
    ...rest,
    action: `/status-pages/${row.id}/look`,
    fields: settingsFormFields.look,
    groups: lookGroups,
    choices: {},
    fresh: typedSettings(row),
    submit: "Save the look",
  })}
  ${faintNote(row)}`;

function faintNote({ definition }: StatusPageRow): Html | null {
  const faint = faintPairs(definition);
  return faint.length === 0
    ? null
    : html`<p class="words">Hard to read as it is saved: ${faint.map(faintWords).join("; ")}.</p>`;
}
