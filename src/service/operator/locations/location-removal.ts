import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { seeOther } from "#service/edge/page-answer";
import type { StoredLocation } from "#service/agents/locations";
import { managedNote, refuseManaged } from "#service/operator/managed-note";
import { withUndo } from "#service/operator/deleting/undo-form";
import { ownForm } from "#service/operator/form-fields";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
} from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";

/** `/locations/ID/delete`: asks once, and says what goes with it. */
const askPage: OperatorPage = {
  role: "editor",
  path: /^\/locations\/(?<id>\d{1,15})\/delete$/,
  answer: async ({ rooms, pictures }, { id, reader }) => {
    const location = await rooms.locations.get(id);
    const agents = (await rooms.instances.of(location.id)).filter(({ live }) => live).length;
    const picture = await pictures.now();
    return framed(
      { reader },
      {
        title: `Delete ${location.name} · Picket`,
        section: "agents",
        document: null,
        at: picture.at,
        content: askView(location, agents, picture, reader),
      },
    );
  },
};

const deleteForm: OperatorForm = {
  role: "editor",
  path: /^\/locations\/(?<id>\d{1,15})\/delete$/,
  act: async ({ rooms }, { id }) => {
    refuseManaged(await rooms.locations.get(id));
    await rooms.locations.delete(id);
    return seeOther(withUndo("/locations", "location", [id]));
  },
};

export const removalPages: readonly OperatorPage[] = [askPage];
export const removalForms: readonly OperatorForm[] = [deleteForm];

function askView(
  { id, name, owner }: StoredLocation,
  agents: number,
  { monitors }: Picture,
  reader: KnownReader,
): Html {
  const own = monitors.filter(({ seenBy }) => seenBy.some(({ location }) => location === id));
  return html`<p class="back"><a href="/locations/${id}">${name}</a></p>
    <h1 class="page">Delete ${name}?</h1>
    ${
      owner === ""
        ? html`${belongings(own, agents)}
            <p class="words">
              The monitors themselves stay. You can undo this for ten minutes: then its agents
              report again with their token.
            </p>
            ${ownForm(
              `/locations/${id}/delete`,
              reader,
              html`<button type="submit" class="danger">Delete the location</button>
                <a class="button" href="/locations/${id}">Cancel</a>`,
            )}`
        : managedNote(owner)
    }`;
}

/** What goes with a location: its token, what it saw, and what no other location checks. */
function belongings(own: Picture["monitors"], agents: number): Html {
  const alone = own.filter(({ seenBy }) => seenBy.length === 1);
  return html`<p>With it goes:</p>
    <ul class="remarks">
      <li>
        Its token:
        ${agents === 0 ? "no agent can come with it any more" : `${counted(agents, "agent")} that ${agents === 1 ? "runs" : "run"} now can report nothing more`}.
      </li>
      <li>What it saw of ${counted(own.length, "monitor")}: its results and their days.</li>
      ${
        alone.length === 0
          ? null
          : html`<li>
              ${counted(alone.length, "monitor")} no other location checks. From then on nothing is
              known of ${alone.length === 1 ? "it" : "them"}.
            </li>`
      }
    </ul>`;
}
