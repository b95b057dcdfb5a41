import { type FormFields, column } from "#check/form-field";
import type { Html } from "#web/page/html";
import * as alertsLimits from "#limits/alerts-limits";
import { Refusal, violation } from "#service/edge/call-refusal";
import { boxForm, onlyGroup, type RefusedForm } from "#service/operator/forms/box-form";
import type { FormState } from "#service/operator/forms/form-group";
import { formView } from "#service/operator/forms/form-view";
import type { IncidentComment } from "#service/store/comment-store";
import { commenterOf } from "#service/operator/incidents/comment-acts";
import { actorOf, type KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { unixLines } from "#base/text";

export const commentFields: FormFields<"comment"> = {
  comment: column(
    "Comment for your colleagues",
    { is: "long", lines: 2 },
    "Markdown: **bold**, lists, links.",
  ),
};

/** A form for a comment on the incident at this path. */
export const commentForm = (path: string, refused: RefusedForm | null, reader: KnownReader): Html =>
  boxForm({
    action: `${path}/comment`,
    reader,
    fields: commentFields,
    groups: onlyGroup,
    choices: {},
    fresh: new URLSearchParams(),
    refused,
    basis: null,
    submit: "Comment",
    isAside: true,
  });

/** The form that edits one. */
export const editCommentForm = (
  path: string,
  { id }: IncidentComment,
  state: FormState,
  reader: KnownReader,
): Html =>
  formView({
    action: `${path}/comments/${id}/edit`,
    reader,
    state,
    fields: commentFields,
    groups: onlyGroup,
    choices: {},
    hidden: {},
    lead: null,
    extra: null,
    actions: null,
    submit: "Save",
    cancel: path,
    isLocked: false,
  });

/** Keeps what the form says, with who wrote it and when. */
export async function writeComment(
  { store, clock }: PageRooms,
  number: number,
  form: URLSearchParams,
  reader: KnownReader,
): Promise<void> {
  const message = messageIn(form);
  const author = { author: actorOf(reader), who: commenterOf(reader) };
  const comment = { at: clock.wall(), ...author, message };
  if (!(await store.alerts.comments.add(number, comment)))
    throw new Refusal("failed_precondition", "this incident has as many comments as it may have");
}

/** What a form says; refused if it is empty or too long. */
export function messageIn(form: URLSearchParams): string {
  const message = unixLines(form.get("comment") ?? "").trim();
  const { incidentCommentCharsMax: charsMax } = alertsLimits;
  if (message === "")
    throw violation({ field: "comment", message: "must not be empty: say what you saw or did" });
  if (message.length > charsMax)
    throw violation({ field: "comment", message: `must have at most ${charsMax} characters` });
  return message;
}
