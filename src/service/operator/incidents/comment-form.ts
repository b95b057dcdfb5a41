import { type FormFields, column } from "#check/form-field";
import type { Html } from "#web/page/html";
import * as alertsLimits from "#limits/alerts-limits";
import { Refusal, violation } from "#service/edge/call-refusal";
import { boxForm, onlyGroup, type RefusedForm } from "#service/operator/forms/box-form";
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

/** Keeps what the form says, with who wrote it and when. */
export async function writeComment(
  { store, clock }: PageRooms,
  number: number,
  form: URLSearchParams,
  reader: KnownReader,
): Promise<void> {
  const message = unixLines(form.get("comment") ?? "").trim();
  const { incidentCommentCharsMax: charsMax } = alertsLimits;
  if (message === "")
    throw violation({ field: "comment", message: "must not be empty: say what you saw or did" });
  if (message.length > charsMax)
    throw violation({ field: "comment", message: `must have at most ${charsMax} characters` });
  const comment = { at: clock.wall(), author: actorOf(reader), message };
  if (!(await store.alerts.comments.add(number, comment)))
    throw new Refusal("failed_precondition", "this incident has as many comments as it may have");
}
