import { localeChoices } from "#service/operator/publishing/locale-choices";
import { html, type Html } from "#web/page/html";
import type { Basis } from "#service/store/audit/actor";
import { boxForm, type RefusedForm } from "#service/operator/forms/box-form";
import { foldedGroup, openGroup, type FormGroup } from "#service/operator/forms/form-group";
import type { KnownReader } from "#service/operator/page-request";
import { faintNotes } from "#service/operator/publishing/faint-notes";
import { namingMark } from "#service/operator/publishing/naming-mark";
import { iconAddress, iconGroup } from "#service/operator/publishing/icon-fields";
import { draftAddress, draftOf, lookPreview } from "#service/operator/publishing/look-draft";
import { withChosenTheme } from "#service/operator/publishing/look-fields";
import {
  lookFormFields,
  settingsFormFields,
  typedSettings,
} from "#service/operator/publishing/status-page-fields";
import type { StatusPageRow } from "#service/store/page-store";

const pageGroups: readonly FormGroup[] = [
  openGroup("what", "What it is"),
  openGroup("addresses", "Addresses"),
  openGroup("language", "Language and time zone"),
];
const accessGroups: readonly FormGroup[] = [openGroup("access", "")];
const lookGroups = (row: StatusPageRow): readonly FormGroup[] => [
  iconGroup(row),
  openGroup("look", "Colours", "What you leave empty is as the theme has it."),
  foldedGroup("colours", "More colours"),
  openGroup("uptime", "Days and uptime"),
];

interface ChangedPage {
  readonly row: StatusPageRow;
  readonly refused: RefusedForm | null;
  readonly reader: KnownReader;
  readonly basis: Basis;
}

/** What the page is: its title, where it is read, and its languages. */
export const pageForm = ({ row, ...rest }: ChangedPage, domainNote: string | null): Html =>
  html`${boxForm({
    ...rest,
    notes: domainNote === null ? {} : { custom_domain: domainNote },
    action: `/status-pages/${row.id}`,
    fields: settingsFormFields.page,
    groups: pageGroups,
    choices: { locales: localeChoices },
    fresh: typedSettings(row),
    submit: "Save the page",
    stays: true,
  })}${namingMark("slug", null)}`;

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
    stays: true,
  });

/** How the page looks, its icon, and what it shows of uptime. What is hard to read is said at its colour. */
export const lookForm = ({ row, ...rest }: ChangedPage): Html =>
  boxForm({
    ...rest,
    notes: notesOf(row, lookTyped(row, rest.refused)),
    action: lookAction(row),
    fields: lookFormFields({
      ...row.definition,
      ...withChosenTheme(row.definition, lookTyped(row, rest.refused)),
    }),
    groups: lookGroups(row),
    choices: {},
    fresh: freshLook(row),
    extra: lookPreview(row, lookTyped(row, rest.refused)),
    submit: "Save the look",
    stays: true,
  });

function freshLook(row: StatusPageRow): URLSearchParams {
  const fresh = typedSettings(row);
  fresh.set("icon", iconAddress(row.definition));
  return fresh;
}

function notesOf(row: StatusPageRow, typed: URLSearchParams): Readonly<Record<string, string>> {
  const draft = draftOf(row, typed);
  return draft === null ? {} : faintNotes(draft, typed);
}

const lookAction = ({ id }: StatusPageRow): string => `/status-pages/${id}/look`;

/** The look as its form says it: as it was typed, or as it is saved. */
const lookTyped = (row: StatusPageRow, refused: RefusedForm | null): URLSearchParams =>
  refused?.action === lookAction(row) ? refused.state.typed : typedSettings(row);

/** Where the page is shown: with the look that was typed and is not saved yet, too. */
export const previewAddress = (row: StatusPageRow, refused: RefusedForm | null): string =>
  refused?.action === lookAction(row)
    ? draftAddress(row, refused.state.typed)
    : `/status-pages/${row.id}/preview`;
