import { counted } from "#web/page/format";
import type { Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { seeOther } from "#service/edge/page-answer";
import type { StoredLocation } from "#service/agents/locations";
import type { StoredInstance } from "#service/agents/instances";
import { refuseManaged } from "#service/operator/managed-note";
import { namesOf, removalView } from "#service/operator/deleting/removal-view";
import { withUndo } from "#service/operator/deleting/undo-form";
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
    const agents = (await rooms.instances.of(location.id)).filter(({ live }) => live);
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
  { id, name, owner, lastSeenAt }: StoredLocation,
  agents: readonly StoredInstance[],
  { monitors }: Picture,
  reader: KnownReader,
): Html {
  const own = monitors.filter(({ seenBy }) => seenBy.some(({ location }) => location === id));
  return removalView({
    reader,
    owner,
    back: { path: `/locations/${id}`, words: name },
    title: `Delete the location ${name}?`,
    facts: [
      ["Agents", agents.length === 0 ? "none runs now" : namesOf(agents.map((one) => one.id))],
      ["Last seen", lastSeenAt === null ? "never" : momentOf(lastSeenAt)],
      ["Monitors", own.length === 0 ? "none" : namesOf(own.map((one) => one.name))],
    ],
    effects: effectsOn(own, agents.length),
    undo: "The monitors themselves stay. You can undo this for ten minutes: then its agents report again with their token.",
    action: `/locations/${id}/delete`,
    button: "Delete location",
  });
}

/** What goes with a location: its token, what it saw, and what no other location checks. */
function effectsOn(own: Picture["monitors"], agents: number): readonly string[] {
  const alone = own.filter(({ seenBy }) => seenBy.length === 1);
  return [
    agents === 0
      ? "Its token goes: no agent can come with it any more."
      : `Its token goes: ${counted(agents, "agent")} that ${agents === 1 ? "runs" : "run"} now can report nothing more.`,
    `What it saw of ${counted(own.length, "monitor")} goes: its results and their days.`,
    ...(alone.length === 0
      ? []
      : [
          `No other location checks ${counted(alone.length, "monitor")}: ${namesOf(alone.map(({ name }) => name))}. From then on nothing is known of ${alone.length === 1 ? "it" : "them"}.`,
        ]),
  ];
}
