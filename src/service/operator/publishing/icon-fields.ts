import { column, type FormFields } from "#check/form-field";
import * as limits from "#limits/status-limits";
import { type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { scriptTag } from "#service/operator/script-tag";
import { iconHref, iconTypes, isKeptIcon } from "#service/status-page/icon-name";
import type { PageDefinition } from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";
import { html, type Html } from "#web/page/html";

/** The name of the field with the file, and of the box that takes the icon away. */
export const iconFileField = "icon_file";
export const removeIconField = "remove_icon";

/** A file, or an address; what takes away an icon is only there if there is one. */
export const iconFields = (
  address: FormFields[string],
  { icon }: Pick<PageDefinition, "icon">,
): FormFields => ({
  [iconFileField]: {
    ...column(
      "Picture",
      {
        is: "file",
        accept: Object.values(iconTypes).join(","),
        bytesMax: limits.pageIconBytesMax,
      },
      `Choose a file, or drop one here. PNG, JPEG, WebP, ICO or SVG, at most ${limits.pageIconBytesMax / 1024}\u00a0KiB. A wide logo keeps its shape next to the title; the tab shows a square one best.`,
    ),
    group: "icon",
  },
  icon: address,
  ...(icon === ""
    ? {}
    : { [removeIconField]: { ...column("Remove the icon", { is: "flag" }), group: "icon" } }),
});

/** What the field of the address shows. Empty for a file: that has no address which a person would type. */
export const iconAddress = ({ icon }: Pick<PageDefinition, "icon">): string =>
  isKeptIcon(icon) ? "" : icon;

/** What the icon is now, above what it may be instead. */
export const iconGroup = (row: StatusPageRow): FormGroup => ({
  ...openGroup(
    "icon",
    "Icon",
    "Readers see it next to the title, and in the tab of their browser.",
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
