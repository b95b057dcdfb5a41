import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { editMark } from "#service/operator/forms/form-turns";
import { hasFormPage } from "#service/operator/kept/fields-at";
import { memberNames } from "#service/operator/changes/member-names";
import { KeptForms, keptFormsPath, type TypedForm } from "#service/operator/kept-forms";
import { framed, type OperatorPage, type PageRequest } from "#service/operator/page-request";
import { typedList } from "#service/operator/kept/typed-list";
import type { Picture } from "#service/operator/picture";

/** `/kept-forms/ID`: what a person typed when the session ended, to be sent, gone on with, or thrown away. */
export const keptFormPage: OperatorPage = {
  role: "reader",
  path: /^\/kept-forms\/(?<id>[\w-]{1,64})$/,
  answer: async ({ rooms, pictures }, request) => {
    const { id, reader } = request;
    const who = reader.kind === "local" ? "" : reader.who;
    const kept = await new KeptForms(rooms).get(id, who);
    const content = kept === null ? keptNoMore : keptView(kept, request, await pictures.now());
    const frame = { section: null, document: null, at: rooms.clock.wall() } as const;
    return framed(
      request,
      { title: "A form · Picket", ...frame, content },
      kept === null ? 404 : 200,
    );
  },
};

const minutesKept = limits.keptFormFor / 60_000;

const keptNoMore = html`<h1 class="page">This form is no longer kept</h1>
  <p>
    It was sent or opened already, is older than ${minutesKept} minutes, or is another person's.
  </p>
  <p><a class="button" href="/">To the overview</a></p>`;

function keptView(
  kept: TypedForm,
  { id, reader }: Pick<PageRequest, "id" | "reader">,
  picture: Picture,
): Html {
  const list = typedList(kept, memberNames(picture));
  return html`<h1 class="page">What you typed is still here</h1>
    <p>
      It came to <code>${kept.path}</code> after your session had ended, so nothing was done with it
      yet.
    </p>
    <form method="post" action="${keptFormsPath}${id}" class="form">
      <input type="hidden" name="form" value="${reader.formToken}" />
      <p class="buttons">
        <button type="submit" class="main">Send it now</button>
        ${hasFormPage(kept.path) ? html`<button type="submit" name="${editMark}" value="yes">Go on editing</button>` : null}
        <a class="button" href="/">Leave it</a>
      </p>
    </form>
    <p class="advice">It is kept until it is sent, for ${minutesKept} minutes.</p>
    ${
      list === null
        ? null
        : html`<section aria-labelledby="typed">
            <h2 id="typed">What is in it</h2>
            ${list}
          </section>`
    }`;
}
