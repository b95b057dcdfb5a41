import { basisField } from "#service/operator/changes/basis-field";
import type { Basis } from "#service/store/audit/actor";
import { html, type Html } from "#web/page/html";
import * as checkLimits from "#limits/check-limits";
import { refuseViolations } from "#service/edge/call-refusal";
import {
  choiceField,
  ownForm,
  severalField,
  textArea,
  textField,
} from "#service/operator/form-fields";
import type { FormRequest, KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture } from "#service/operator/picture";
import { wholeNumber } from "#service/operator/whole-number";
import { addComponent, addGroup, changeComponent } from "#service/api/component-calls";
import { noComponent, noGroup } from "#service/status-site/page-refusals";
import type { ComponentRow, GroupRow, PageContent } from "#service/store/page-store";

/** Forms that put monitors, parts without a monitor and groups on a page. */
export const additionForms = (
  { page, components, groups }: PageContent,
  { monitors }: Picture,
  reader: KnownReader,
): Html => {
  const there = new Set<number>(components.flatMap(({ monitor }) => monitor ?? []));
  const offered = monitors.filter(({ id }) => !there.has(id));
  const path = `/status-pages/${page.id}`;
  const name = { words: "Name", name: "name", value: "", charsMax: checkLimits.nameCharsMax };
  return html`<details class="act" ${components.length === 0 ? html` open` : null}>
      <summary>Add monitors</summary>
      ${ownForm(
        `${path}/monitors`,
        reader,
        html`${severalField("Monitors", "monitor", offered, [])} ${groupField(groups, null)}
          <button type="submit">Add monitors</button>`,
      )}
    </details>
    <details class="act">
      <summary>Add a part without a monitor</summary>
      ${ownForm(
        `${path}/parts`,
        reader,
        html`${textField({ ...name, isRequired: true })} ${groupField(groups, null)}
          <button type="submit">Add the part</button>`,
      )}
      <p class="words">Its state is what reports say.</p>
    </details>
    <details class="act">
      <summary>Add a group</summary>
      ${ownForm(
        `${path}/groups`,
        reader,
        html`${textField({ ...name, isRequired: true })}<button type="submit">
            Add the group
          </button>`,
      )}
    </details>
    ${groups.map((group) => removalForm(`${path}/groups/${group.id}/remove`, `Remove the group ${group.name}`, reader))}`;
};

const removalForm = (action: string, words: string, reader: KnownReader): Html =>
  ownForm(action, reader, html`<button type="submit">${words}</button>`);

const groupField = (groups: readonly GroupRow[], chosen: number | null): Html | null =>
  groups.length === 0
    ? null
    : choiceField(
        "Group",
        "group",
        [["", "none"], ...groups.map(({ id, name }) => [String(id), name] as const)],
        chosen === null ? "" : String(chosen),
      );

/** Forms that change one component, and remove it. */
export const componentForms = (
  { id, page, name, description, order, group, groupOrder }: ComponentRow,
  groups: readonly GroupRow[],
  reader: KnownReader,
  basis: Basis,
): Html => {
  const path = `/status-pages/${page}/components/${id}`;
  const place = String(group === null ? order : groupOrder);
  return html`<details class="act">
    <summary>Change ${name}</summary>
    ${ownForm(
      path,
      reader,
      html`${basisField(basis)}
        ${textField({ words: "Name", name: "name", value: name, charsMax: checkLimits.nameCharsMax, isRequired: true })}
        ${textArea({ words: "Description", name: "description", value: description, charsMax: checkLimits.descriptionCharsMax })}
        ${groupField(groups, group)}
        ${textField({ words: "Position (small numbers first)", name: "place", value: place, charsMax: 9 })}
        <button type="submit">Save</button>`,
    )}
    ${removalForm(`${path}/remove`, `Remove ${name} from the page`, reader)}
  </details>`;
};

export async function addMonitors(
  rooms: PageRooms,
  page: number,
  { form }: FormRequest,
): Promise<void> {
  const ids = form.getAll("monitor");
  if (ids.length === 0)
    refuseViolations([{ field: "monitors", message: "must have at least one chosen" }]);
  // Those that cannot be added are refused before any is.
  const monitors = await Promise.all(ids.map((id) => rooms.monitors.get(id)));
  for (const { id, definition } of monitors)
    await addComponent(rooms, page, { monitor: id, name: definition.name, groupId: groupIn(form) });
}

export async function addPart(
  rooms: PageRooms,
  page: number,
  { form }: FormRequest,
): Promise<void> {
  await addComponent(rooms, page, { monitor: null, name: nameIn(form), groupId: groupIn(form) });
}

export async function addNamedGroup(
  rooms: PageRooms,
  page: number,
  { form }: FormRequest,
): Promise<void> {
  await addGroup(rooms, { page, name: nameIn(form), defaultOpen: false });
}

export async function changePart(
  rooms: PageRooms,
  page: number,
  { form, part }: FormRequest,
): Promise<void> {
  await componentOf(rooms, page, part);
  const place = wholeNumber(form.get("place"));
  if (place === undefined)
    refuseViolations([{ field: "place", message: "must be a whole number, e.g. 3" }]);
  const group = groupIn(form);
  const order = place ?? 0;
  await changeComponent(rooms, {
    id: part,
    name: nameIn(form),
    description: form.get("description")?.trim() ?? "",
    groupId: group,
    ...(group === "" ? { order } : { groupOrder: order }),
  });
}

export async function removePart(
  rooms: PageRooms,
  page: number,
  { part }: FormRequest,
): Promise<void> {
  const { id } = await componentOf(rooms, page, part);
  await rooms.store.pages.components.delete(id);
}

export async function removeGroup(
  rooms: PageRooms,
  page: number,
  { part }: FormRequest,
): Promise<void> {
  const group = await rooms.store.pages.groups.get(Number(part));
  if (group?.page !== page) throw noGroup(part);
  await rooms.store.pages.groups.delete(group.id);
}

/** A component of this page and no other. */
async function componentOf(rooms: PageRooms, page: number, part: string): Promise<ComponentRow> {
  const row = await rooms.store.pages.components.get(Number(part));
  if (row?.page !== page) throw noComponent(part);
  return row;
}

const nameIn = (form: URLSearchParams): string => form.get("name")?.trim() ?? "";
const groupIn = (form: URLSearchParams): string => form.get("group") ?? "";
