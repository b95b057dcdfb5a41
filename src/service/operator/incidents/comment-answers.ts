import { isMapping } from "#base/json";
import { html, type Html } from "#web/page/html";
import { dayAndTime, isoTime } from "#web/page/format";
import { lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { mayDelete, mayEdit } from "#service/operator/incidents/comment-acts";
import {
  commentFields,
  editCommentForm,
  messageIn,
} from "#service/operator/incidents/comment-form";
import { KeptForms } from "#service/operator/kept-forms";
import { undoable } from "#service/operator/monitors/many-notice";
import { endUndoing, keepUndoing, undoingIn } from "#service/operator/monitors/many-undo";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import type { IncidentComment } from "#service/store/comment-store";

/* A comment is corrected by whoever wrote it, and deleted by them or an owner, which can be undone for a while. */

const pathOf = (act: string): RegExp =>
  new RegExp(`^/incidents/(?<id>\\d{1,15})/comments/(?<part>\\d{1,15})/${act}$`);

/** `/incidents/N/comments/ID/edit`: the form with what was written. */
const editPage: OperatorPage = {
  role: "responder",
  path: pathOf("edit"),
  answer: async (context, { id, part, reader }) => {
    const comment = await commentAt(context, id, part);
    if (comment === null) return noComment;
    if (!mayEdit(reader, comment)) return notOwn;
    const typed = new URLSearchParams({ comment: comment.message });
    return shownEdit(context, reader, { id, comment }, { typed, mistakes: [] });
  },
};

const editForm: OperatorForm = {
  role: "responder",
  path: pathOf("edit"),
  act: async (context, { id, part, form, reader }) => {
    const comment = await commentAt(context, id, part);
    if (comment === null) return noComment;
    if (!mayEdit(reader, comment)) return notOwn;
    return submitted(form, {
      fields: commentFields,
      again: (state, status) => shownEdit(context, reader, { id, comment }, state, status),
      act: async (typed) => {
        const { store, clock } = context.rooms;
        const message = messageIn(typed);
        if (!(await store.alerts.comments.edit(Number(id), comment.id, message, clock.wall())))
          return noComment;
        return seeOther(withNotice(`/incidents/${id}`, "comment-edited"));
      },
    });
  },
};

const deleteForm: OperatorForm = {
  role: "responder",
  path: pathOf("delete"),
  act: async (context, { id, part, reader }) => {
    const { rooms } = context;
    const known = await commentAt(context, id, part);
    if (known === null) return seeOther(withNotice(`/incidents/${id}`, "comment-gone"));
    if (!mayDelete(reader, known)) return notOwn;
    const removed = await rooms.store.alerts.comments.remove(Number(id), known.id);
    if (removed === null) return seeOther(withNotice(`/incidents/${id}`, "comment-gone"));
    const step = new URLSearchParams({ incident: id, comment: JSON.stringify(removed) });
    const undo = await keepUndoing(new KeptForms(rooms), reader, [step]);
    const path = withNotice(`/incidents/${id}`, "comment-deleted");
    return seeOther(undo === null ? path : `${path}&undo=${undo}`);
  },
};

const undoPath = "/incidents/comments/undo";

/** A comment that was deleted is there again, as it was. */
const undoForm: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/comments\/undo$/,
  act: async ({ rooms }, { form, reader }) => {
    const kept = new KeptForms(rooms);
    const undo = form.get("undo") ?? "";
    const [step] = (await undoingIn(kept, reader, undo)) ?? [];
    const comment = step === undefined ? null : commentIn(step.get("comment") ?? "");
    if (step === undefined || comment === null)
      return seeOther(withNotice(wantedPath(form.get("back")), "comment-late"));
    const incident = step.get("incident") ?? "";
    const isBack = await rooms.store.alerts.comments.putBack(Number(incident), comment);
    await endUndoing(kept, reader, undo);
    return seeOther(
      withNotice(`/incidents/${incident}`, isBack ? "comment-restored" : "comment-late"),
    );
  },
};

export const commentPages: readonly OperatorPage[] = [editPage];
export const commentForms: readonly OperatorForm[] = [editForm, deleteForm, undoForm];

/** Says that a comment is deleted, with what undoes it; null of any other notice. */
export async function deletedComment(
  context: PageContext,
  { query, reader }: Pick<PageRequest, "query" | "reader">,
  path: string,
): Promise<Html | null> {
  if (query.get("notice") !== "comment-deleted") return null;
  const back = html`<input type="hidden" name="back" value="${path}" />`;
  const form = { action: undoPath, back, close: path };
  return undoable(context, { query, reader }, "The comment is deleted.", form);
}

export const commentNotices = {
  commented: "Your comment is in the timeline.",
  "comment-edited": "Saved: the timeline says that the comment was edited.",
  "comment-restored": "The comment is restored.",
  "comment-gone": "This comment was deleted before.",
  "comment-late":
    "It can no longer be undone: ten minutes are over, it was undone, or you did more since.",
} as const;

async function commentAt(
  { rooms }: PageContext,
  id: string,
  part: string,
): Promise<IncidentComment | null> {
  const all = await rooms.store.alerts.comments.of(Number(id));
  return all.find((one) => String(one.id) === part) ?? null;
}

function commentIn(text: string): IncidentComment | null {
  const comment: IncidentComment | null = JSON.parse(text === "" ? "null" : text);
  return isMapping(comment) ? comment : null;
}

const shownEdit = async (
  { rooms }: PageContext,
  reader: KnownReader,
  { id, comment }: { readonly id: string; readonly comment: IncidentComment },
  state: FormState,
  status = 200,
): Promise<PageAnswer> =>
  framed(
    { reader },
    {
      title: "Edit comment · Picket",
      section: "incidents",
      document: null,
      at: rooms.clock.wall(),
      content: html`<p class="back"><a href="/incidents/${id}">Incident ${id}</a></p>
        <h1 class="page">Edit comment</h1>
        <p class="lede-line">
          It is of <time datetime="${isoTime(comment.at)}">${dayAndTime(comment.at)}</time>. The
          timeline then says that it was edited.
        </p>
        ${editCommentForm(`/incidents/${id}`, comment, state, reader)}`,
    },
    status,
  );

const noComment = lineAnswer(404, "There is no such comment: someone deleted it.");
const notOwn = lineAnswer(
  403,
  "You may not do this: only whoever wrote a comment edits it, and an owner may delete it.",
);
