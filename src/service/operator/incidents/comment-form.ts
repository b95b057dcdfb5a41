import { html, type Html } from "#web/page/html";
import * as alertsLimits from "#limits/alerts-limits";
import { Refusal, violation } from "#service/edge/call-refusal";
import { ownForm, textArea } from "#service/operator/form-fields";
import { actorOf, type FormRequest, type KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { unixLines } from "#base/text";

/** A form for a comment; `typed` is what a person has typed, if it was refused. */
export const commentForm = (path: string, typed: string, reader: KnownReader): Html =>
  ownForm(
    `${path}/comment`,
    reader,
    html`${textArea({ words: "Comment for your colleagues", name: "comment", value: typed, charsMax: alertsLimits.incidentCommentCharsMax, isRequired: true })}
      <button type="submit">Comment</button>`,
  );

/** Keeps what the form says, with who wrote it and when. */
export async function writeComment(
  { store, clock }: PageRooms,
  number: number,
  { form, reader }: FormRequest,
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
