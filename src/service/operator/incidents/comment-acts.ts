import { html, type Html } from "#web/page/html";
import { buttonForm } from "#service/operator/form-fields";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { IncidentComment } from "#service/store/comment-store";

/** Who writes comments: all sessions of one person are the same. On this machine, without signing in, everyone is. */
export const commenterOf = (reader: KnownReader): string =>
  reader.kind === "local" ? "local" : reader.who;

/** Whoever wrote a comment may edit it. */
export const mayEdit = (reader: KnownReader, { who }: IncidentComment): boolean =>
  may(reader, "responder") && who !== "" && who === commenterOf(reader);

/** An owner may delete those of others, too. */
export const mayDelete = (reader: KnownReader, comment: IncidentComment): boolean =>
  mayEdit(reader, comment) || may(reader, "owner");

/** What a reader may do with a comment of the incident at this path; null: nothing. */
export function commentActs(
  path: string,
  comment: IncidentComment,
  reader: KnownReader,
): Html | null {
  if (!mayDelete(reader, comment)) return null;
  const own = `${path}/comments/${comment.id}`;
  const what = `comment by ${comment.author}`;
  return html`<div class="acts">
    ${
      mayEdit(reader, comment)
        ? html`<a class="button" href="${own}/edit">Edit<span class="unseen"> ${what}</span></a>`
        : null
    }
    ${buttonForm(`${own}/delete`, reader, "Delete", what)}
  </div>`;
}
