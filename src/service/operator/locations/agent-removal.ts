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

const path = /^\/locations\/(?<id>\d{1,15})\/agents\/(?<part>[^/]{1,3000})\/remove$/;

/** `/locations/ID/agents/ID/remove`: asks once, and says what goes with it. */
export const agentRemovalPage: OperatorPage = {
  role: "editor",
  path,
  answer: async ({ rooms }, { id, part, reader }) => {
    const location = await rooms.locations.get(id);
    const agents = await rooms.instances.of(location.id);
    const agent = agents.find((one) => one.id === agentIdIn(part));
    if (agent === undefined) throw noAgent(agentIdIn(part));
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
  act: async ({ rooms }, { id, part }) => {
    const location = await rooms.locations.get(id);
    await rooms.instances.remove(location.id, agentIdIn(part));
    return seeOther(withNotice(`/locations/${location.id}`, "agent-removed"));
  },
};

/** An agent chooses its id itself: in an address it is escaped. What no page of ours wrote names none. */
function agentIdIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

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
    action: `${back}/agents/${encodeURIComponent(id)}/remove`,
    button: "Remove agent",
  });
}
