import { counted } from "#web/page/format";
import type { Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { seeOther } from "#service/edge/page-answer";
import { noAgent, type StoredInstance } from "#service/agents/instances";
import type { StoredLocation } from "#service/agents/locations";
import { noUndo, removalView } from "#service/operator/deleting/removal-view";
import { agentName } from "#service/operator/locations/agent-name";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  withNotice,
} from "#service/operator/page-request";

const path = /^\/locations\/(?<id>\d{1,15})\/agents\/remove$/;
/** An agent chooses its id itself: it may be `..`, which no browser leaves in the path of an address. */
const agentField = "agent";

/** `/locations/ID/agents/remove?agent=ID`: asks once, and says what goes with it. */
export const agentRemovalPage: OperatorPage = {
  role: "editor",
  path,
  answer: async ({ rooms }, { id, query, reader }) => {
    const agentId = query.get(agentField) ?? "";
    const location = await rooms.locations.get(id);
    const agents = await rooms.instances.of(location.id);
    const agent = agents.find((one) => one.id === agentId);
    if (agent === undefined) throw noAgent(agentId);
    return framed(
      { reader },
      {
        title: `Remove an agent · ${location.name} · Picket`,
        section: "agents",
        document: null,
        at: rooms.clock.wall(),
        content: askView({ location, agent, agents, reader }),
      },
    );
  },
};

export const agentRemovalForm: OperatorForm = {
  role: "editor",
  path,
  act: async ({ rooms }, { id, form }) => {
    const location = await rooms.locations.get(id);
    await rooms.instances.remove(location.id, form.get(agentField) ?? "");
    return seeOther(withNotice(`/locations/${location.id}`, "agent-removed"));
  },
};

interface AskScene {
  readonly location: StoredLocation;
  readonly agent: StoredInstance;
  readonly agents: readonly StoredInstance[];
  readonly reader: KnownReader;
}

function askView({ location, agent, agents, reader }: AskScene): Html {
  const { id, left, live, lastSeenAt, report } = agent;
  const { resultsWaiting } = report;
  const back = `/locations/${location.id}`;
  return removalView({
    reader,
    back: { path: back, words: location.name },
    title: `Remove the agent ${agentName(agent, agents)}?`,
    facts: [
      ["State", live ? "running" : left ? "stopped" : "silent"],
      ["Last heartbeat", momentOf(lastSeenAt)],
      ["Id", id],
    ],
    effects: [
      ...(live ? ["It runs: nothing is removed before it is stopped."] : []),
      "Its row goes from the table of agents, with what it counted: missed checks and dropped results.",
      "What it reported stays, and so do the location, its monitors and its token.",
      ...(resultsWaiting === 0
        ? []
        : [
            `When it last called, ${counted(resultsWaiting, "result")} waited on its machine. They come if it is started again.`,
          ]),
      "An agent that calls again with the location's token appears again. To keep it out, create a new token.",
    ],
    undo: noUndo,
    action: `${back}/agents/remove`,
    names: [agentField, id],
    button: "Remove agent",
  });
}
