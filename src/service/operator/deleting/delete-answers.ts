import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { absent } from "#service/edge/call-refusal";
import {
  type AskedKind,
  deleteView,
  goesUncounted,
  whatGoes,
} from "#service/operator/deleting/delete-view";
import { furtherEffects } from "#service/operator/deleting/further-effects";
import { factsOf } from "#service/operator/deleting/deletion-facts";
import { listOf, roleFor } from "#service/operator/deleting/undo-answers";
import { isAway } from "#service/store/store-fault";
import { withUndo } from "#service/operator/deleting/undo-form";
import { refuseManaged } from "#service/operator/managed-note";
import { kindWords } from "#service/operator/changes/changed-objects";
import {
  framed,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { isPart, isUpdate, trashKinds } from "#service/store/trash/trash-store";

/** What each kind of object that can be put back is deleted by. Another form that deletes ends with `withUndo`, too. */
const pathsOf: { readonly [K in AskedKind]: RegExp } = {
  monitor: /^\/monitors\/(?<id>\d{1,15})\/delete$/,
  page: /^\/status-pages\/(?<id>\d{1,15})\/delete$/,
  report: /^\/reports\/(?<id>\d{1,15})\/delete$/,
};

const askedKinds = trashKinds.filter(
  (kind): kind is AskedKind =>
    kind !== "location" &&
    kind !== "channel" &&
    kind !== "maintenance" &&
    kind !== "subscriber" &&
    !isUpdate(kind) &&
    !isPart(kind),
);

/** Asks once, and says what goes with it. */
const askPage = (kind: AskedKind): OperatorPage => ({
  role: roleFor[kind],
  path: pathsOf[kind],
  answer: async (context, { id, reader }): Promise<PageAnswer> => {
    const asked = await askedAbout(context.rooms, kind, id);
    const facts = await factsOf[kind](context.rooms, id);
    return framed(
      { reader },
      {
        title: `Delete ${asked.name} · Picket`,
        section: sectionOf[kind],
        document: null,
        at: context.rooms.clock.wall(),
        content: deleteView({ kind, id, ...asked, facts, reader }),
      },
    );
  },
});

/** A monitor can be deleted while its results cannot be read. */
async function askedAbout(rooms: PageRooms, kind: AskedKind, id: string) {
  try {
    const all = await rooms.store.trash.belongings(kind, Number(id));
    if (all === null) throw noObject(kind, id);
    return {
      name: all.name,
      owner: all.owner,
      goes: [...whatGoes[kind](all), ...(await furtherEffects[kind](rooms, id))],
    };
  } catch (error) {
    if (kind !== "monitor" || !isAway(error)) throw error;
    const { definition, owner } = await rooms.monitors.get(id);
    return { name: definition.name, owner, goes: goesUncounted };
  }
}

/** What it is a part of. */
const sectionOf = { monitor: "monitors", page: "status pages", report: "status pages" } as const;

const deleteForm = (kind: AskedKind): OperatorForm => ({
  role: roleFor[kind],
  path: pathsOf[kind],
  act: async (context, { id }) => {
    const back = await listBehind(context, kind, id);
    const owner = kind === "report" ? null : await ownerOf(context.rooms, kind, Number(id));
    refuseManaged({ owner: owner ?? "" });
    await remove[kind](context.rooms, id);
    return seeOther(withUndo(back, kind, [id]));
  },
});

export const deletePages: readonly OperatorPage[] = askedKinds.map(askPage);
export const deleteForms: readonly OperatorForm[] = askedKinds.map(deleteForm);

const remove: { readonly [K in AskedKind]: (rooms: PageRooms, id: string) => Promise<void> } = {
  monitor: ({ monitors }, id) => monitors.delete(id),
  page: ({ statusPages }, id) => statusPages.delete(id),
  report: async ({ store }, id) => {
    if (!(await store.pages.reports.delete(Number(id)))) throw noObject("report", id);
  },
};

/** Where a person goes once it is deleted. */
async function listBehind({ rooms }: PageContext, kind: AskedKind, id: string): Promise<string> {
  const report = kind === "report" ? await rooms.store.pages.reports.get(Number(id)) : null;
  return report === null ? listOf[kind] : `/status-pages/${report.page}/reports`;
}

const ownerOf = ({ store }: PageRooms, kind: Exclude<AskedKind, "report">, id: number) =>
  store.configuration.ownerOf(kind, id);

const noObject = (kind: AskedKind, id: string) =>
  absent(kindWords[kind], id, { reason: "NOT_FOUND" });
