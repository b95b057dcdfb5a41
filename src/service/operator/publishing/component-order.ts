import { html, type Html } from "#web/page/html";
import { hashOfText } from "#machine/hash-chain";
import { Refusal, violation } from "#service/edge/call-refusal";
import { ownForm } from "#service/operator/form-fields";
import { icon } from "#service/operator/navigation";
import type { FormRequest, KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { additionIn, type AdditionKind } from "#service/operator/publishing/component-additions";
import {
  arranged,
  blocksOf,
  groupKey,
  positionsOf,
} from "#service/operator/publishing/page-arrangement";
import { noComponent, noGroup } from "#service/status-site/page-refusals";
import type { ComponentPlace, PageContent } from "#service/store/page-store";

/** What was moved: a component by its id, or a group by its key. `here`: by dragging, or into another group. */
export interface MovedPart {
  readonly part: string;
  readonly to: "up" | "down" | "here";
}

/** What the page's address says of a part that was just moved. */
export function movedIn(query: URLSearchParams): MovedPart | null {
  const [, part, to] =
    /^((?:group-)?\d{1,15})\.(up|down|here)$/.exec(query.get("moved") ?? "") ?? [];
  if (part === undefined || (to !== "up" && to !== "down" && to !== "here")) return null;
  return { part, to };
}

/** The page's address that says so; the form that was open there stays open. */
export function movedPath(page: number, part: string, form: URLSearchParams): string {
  const to = form.get("to") ?? "";
  const { added, edited } = openIn(form);
  const open = openWord({ added, edited });
  const moved = `moved=${part}.${to === "up" || to === "down" ? to : "here"}`;
  return `/status-pages/${page}?${open === "" ? "" : `${open}&`}${moved}`;
}

/** The one form that is open beside the list: it adds something, or changes a part. */
interface OpenForm {
  readonly added: AdditionKind | null;
  readonly edited: string | null;
}
const openField = "open";

/** The open form, as the page's address says it. */
const openWord = ({ added, edited }: OpenForm): string =>
  added !== null ? `add=${added}` : edited !== null ? `edit=${edited}` : "";

/** Which form was open where something was moved. */
export function openIn(form: URLSearchParams): OpenForm {
  const open = new URLSearchParams(form.get(openField) ?? "");
  const [edited] = /^(?:group-)?\d{1,15}$/.exec(open.get("edit") ?? "") ?? [null];
  return { added: additionIn(open), edited };
}

interface OrderedPart {
  readonly part: string;
  readonly name: string;
  /** Where its form is sent. */
  readonly path: string;
  /** Its place among those that it can pass, and how many these are. */
  readonly place: number;
  readonly count: number;
  /** What the form says of the list: see `seenList`. */
  readonly seen: Html;
}

/** Buttons that move a part past its neighbours; a script lets people drag it, and sends the same form. */
export function orderButtons(
  { part, name, path, place, count, seen }: OrderedPart,
  moved: MovedPart | null,
  reader: KnownReader,
): Html {
  const possible = { up: place > 0, down: place < count - 1 };
  const button = (to: "up" | "down", arrow: string): Html => {
    // Whoever moves it by the keyboard continues there; at an end the button stays, and does nothing.
    const isNext = moved?.part === part && moved.to === to;
    if (!possible[to] && !isNext)
      return html`<span class="arrow" aria-hidden="true">${icon(arrow)}</span>`;
    if (!possible[to])
      return html`<button
        type="button"
        class="small arrow"
        aria-disabled="true"
        aria-label="Move ${name} ${to}"
        title="${to === "up" ? "It is the first" : "It is the last"}"
        autofocus
      >
        ${icon(arrow)}
      </button>`;
    return html`<button
      type="submit"
      name="to"
      value="${to}"
      class="small arrow"
      aria-label="Move ${name} ${to}"
      title="Move ${to}"
      ${isNext ? html` autofocus` : null}
    >
      ${icon(arrow)}
    </button>`;
  };
  return ownForm(
    `${path}/move`,
    reader,
    html`${seen} ${button("up", "M8 13V3M4 7l4-4 4 4")} ${button("down", "M8 3v10M4 9l4 4 4-4")}`,
  );
}

/** What a form that moves something says of the order that it was made for. */
const seenField = "seen";

/** The order of a page's parts as a person sees it, in a word. */
const orderWord = ({ components, groups }: PageContent): string =>
  hashOfText(JSON.stringify([components.map(placeOf), groups.map(({ id }) => id)])).slice(0, 16);

const placeOf = ({ id, group, order, groupOrder }: ComponentPlace): ComponentPlace => ({
  id,
  group,
  order,
  groupOrder,
});

/** What each form that moves something says of the list: its order, and the form that is open. */
export const seenList = (content: PageContent, open: OpenForm): Html =>
  html`<input type="hidden" name="${seenField}" value="${orderWord(content)}" /><input
      type="hidden"
      name="${openField}"
      value="${openWord(open)}"
    />`;

type MoveRequest = Pick<FormRequest, "form" | "part">;

/** Moves a component `up` or `down`, to where another part is, or into a group or out of it. */
export const moveComponent = (
  rooms: PageRooms,
  page: number,
  { form, part }: MoveRequest,
): Promise<void> => move(rooms, page, part, form);

/** Moves a group, with its components, `up` or `down`, or to where another part is. */
export const moveGroup = (
  rooms: PageRooms,
  page: number,
  { form, part }: MoveRequest,
): Promise<void> => move(rooms, page, groupKey(Number(part)), form);

async function move(
  rooms: PageRooms,
  page: number,
  part: string,
  form: URLSearchParams,
): Promise<void> {
  const content = await rooms.statusPages.content(page);
  const { components, groups } = content;
  const isThere =
    components.some(({ id }) => String(id) === part) ||
    groups.some(({ id }) => groupKey(id) === part);
  if (!isThere) throw part.startsWith("group-") ? noGroup(part) : noComponent(part);
  if ((form.get(seenField) ?? orderWord(content)) !== orderWord(content)) throw overtaken();
  const blocks = arranged(blocksOf(content), part, form.get("to") ?? "");
  if (blocks === null)
    throw violation({
      field: "to",
      message: "must be up, down, or a component or a group of the same page",
    });
  // What has its position already is not written again.
  const wanted = positionsOf(blocks)
    .filter(
      ({ row, group, order, groupOrder }) =>
        row.group !== group || row.order !== order || row.groupOrder !== groupOrder,
    )
    .map(({ row: { id }, group, order, groupOrder }) => ({ id, group, order, groupOrder }));
  const seen = components.map(placeOf);
  const at = rooms.clock.wall();
  const outcome = await rooms.store.pages.components.arrange({ page, seen, wanted, at });
  if (outcome === "overtaken") throw overtaken();
}

const overtaken = (): Refusal =>
  new Refusal(
    "aborted",
    "someone else changed the list meanwhile. It is shown as it is now, so move it again",
  );
