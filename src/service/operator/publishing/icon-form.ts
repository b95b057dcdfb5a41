import { column, type FormFields } from "#check/form-field";
import * as limits from "#limits/status-limits";
import { boxForm } from "#service/operator/forms/box-form";
import { type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { settingsFormFields } from "#service/operator/publishing/status-page-fields";
import type { ChangedPage } from "#service/operator/publishing/status-page-form";
import { scriptTag } from "#service/operator/script-tag";
import { iconHref, iconTypes, isKeptIcon } from "#service/status-page/icon-name";
import type { StatusPageRow } from "#service/store/page-store";
import { html, type Html } from "#web/page/html";

/** The name of the field with the file, and of the button that takes the icon away. */
export const iconFileField = "icon_file";
export const removeIconButton = "remove_icon";

/** A file, or an address. */
export const iconFields: FormFields = {
  [iconFileField]: {
    ...column(
      "Picture",
      {
        is: "file",
        accept: Object.values(iconTypes).join(","),
        bytesMax: limits.pageIconBytesMax,
      },
      `Choose a file, or drop one here. PNG, JPEG, WebP, ICO or SVG, best square, at most ${limits.pageIconBytesMax / 1024}\u00a0KiB.`,
    ),
    group: "icon",
  },
  ...settingsFormFields.icon,
};

export const iconAction = ({ id }: Pick<StatusPageRow, "id">): string => `/status-pages/${id}/icon`;

/** The icon of a page: what it is now, and what it may be instead. */
export const iconForm = ({ row, ...rest }: ChangedPage): Html =>
  boxForm({
    ...rest,
    action: iconAction(row),
    fields: iconFields,
    groups: [groupOf(row)],
    choices: {},
    fresh: freshIcon(row),
    submit: "Save the icon",
    ...(row.definition.icon === "" ? {} : { actions: removeButton }),
  });

const removeButton = html`<button type="submit" name="${removeIconButton}" value="yes">
  Remove the icon
</button>`;

/** What is in its fields until someone types. */
export const freshIcon = (row: StatusPageRow): URLSearchParams =>
  new URLSearchParams({ icon: addressOf(row) });

/** Empty for a file: that has no address which a person would type. */
const addressOf = ({ definition: { icon } }: StatusPageRow): string =>
  isKeptIcon(icon) ? "" : icon;

const groupOf = (row: StatusPageRow): FormGroup => ({
  ...openGroup(
    "icon",
    "",
    "Readers see it next to the title, and in the tab of their browser. It is saved apart from the look.",
  ),
  fills: html`<p class="icon-now" data-icon>${shownNow(row)}</p>
    ${scriptTag("icon-preview")}`,
});

/** What lies elsewhere is shown in the preview alone: these pages load nothing from other hosts. */
function shownNow({ id, definition }: StatusPageRow): Html {
  const { icon } = definition;
  if (icon === "") return html`<span class="none"></span> <span>No icon yet</span>`;
  if (!isKeptIcon(icon))
    return html`<span class="none"></span>
      <span>From ${URL.parse(icon)?.hostname ?? icon}; the preview shows it</span>`;
  const address = iconHref(definition, `/status-pages/${id}/preview`);
  return html`<img src="${address}" alt="" width="48" height="48" /> <span>The icon now</span>`;
}
