import { counted } from "#web/page/format";
import type { Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import type { StoredInstance } from "#service/agents/instances";
import type { WorkingToken } from "#service/agents/location-tokens";
import type { StoredLocation } from "#service/agents/locations";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { namesOf, noUndo, removalView } from "#service/operator/deleting/removal-view";
import { agentName } from "#service/operator/locations/agent-name";
import { oldTokenUse } from "#service/operator/locations/old-token";
import { cutOff } from "#service/operator/locations/token-use";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { EpochMillis } from "#base/units";

const path = /^\/locations\/(?<id>\d{1,15})\/token\/revoke$/;
/** The form says that its sender has read which agents are cut off. */
const askedField = "asked";

/** `/locations/ID/token/revoke`: asks once, and names the agents that are cut off. */
export const tokenRevocationPage: OperatorPage = {
  role: "editor",
  path,
  answer: async (context, { id, reader }): Promise<PageAnswer> => {
    const { location, tokens, agents, at } = await sceneOf(context, id);
    // None is left to end.
    if (tokens.length < 2) return seeOther(`/locations/${id}`);
    return framed(
      { reader },
      {
        title: `Revoke the old token · ${location.name} · Picket`,
        section: "agents",
        document: null,
        at,
        content: askView({ location, tokens, agents, at, reader }),
      },
    );
  },
};

/** Ends at once what a rotation left working. If an agent still uses that, the page asks before. */
export const tokenRevocationForm: OperatorForm = {
  role: "editor",
  path,
  act: async (context, { id, form }) => {
    const { location, tokens, agents, at } = await sceneOf(context, id);
    if (form.get(askedField) === null && oldTokenUse(tokens, agents, at) !== null)
      return seeOther(`/locations/${id}/token/revoke`);
    await context.rooms.locations.tokens.endOld(location.id);
    return seeOther(withNotice(`/locations/${id}`, "revoked"));
  },
};

async function sceneOf({ rooms }: PageContext, id: string) {
  const location = await rooms.locations.get(id);
  const [tokens, agents] = await Promise.all([
    rooms.locations.tokens.working(location.id),
    rooms.instances.of(location.id),
  ]);
  return { location, tokens, agents, at: rooms.clock.wall() };
}

interface AskScene {
  readonly location: StoredLocation;
  readonly tokens: readonly WorkingToken[];
  readonly agents: readonly StoredInstance[];
  readonly at: EpochMillis;
  readonly reader: KnownReader;
}

function askView({ location, tokens, agents, at, reader }: AskScene): Html {
  const [newest, ...old] = tokens;
  const use = oldTokenUse(tokens, agents, at);
  const what = old.length === 1 ? "old token" : "old tokens";
  const back = `/locations/${location.id}`;
  return removalView({
    reader,
    back: { path: back, words: location.name },
    title: `Revoke the ${what} of ${location.name}?`,
    facts: [
      ["Still used by", usersOf(use?.names ?? null)],
      ...(newest === undefined ? [] : [["New token of", momentOf(newest.createdAt)] as const]),
    ],
    effects: [
      ...(use === null ? [] : [cutWords(use.names)]),
      "Agents that came with the new token go on as they are.",
    ],
    undo: noUndo,
    action: `${back}/token/revoke`,
    names: [askedField, "yes"],
    button: `Revoke the ${what}`,
  });
}

/** `2 agents: gw-1 and gw-2`. */
const usersOf = (names: readonly string[] | null): string =>
  names === null
    ? "no agent"
    : names.length === 0
      ? "an agent that does not say its name"
      : `${counted(names.length, "agent")}: ${namesOf(names)}`;

const cutWords = (names: readonly string[]): string =>
  names.length < 2
    ? `${names[0] ?? "That agent"} is cut off at once: the service refuses what it reports until you start it with the new token.`
    : `${namesOf(names)} are cut off at once: the service refuses what they report until you start them with the new token.`;

/** After a revocation: which agents are cut off until they come with the new token. */
export function revokedWords(
  tokens: readonly WorkingToken[],
  agents: readonly StoredInstance[],
): string {
  const names = cutOff(tokens, agents).map((one) => agentName(one, agents));
  if (names.length === 0) return "Revoked. An agent that still has the old token is refused.";
  return names.length === 1
    ? `Revoked. ${namesOf(names)} is cut off until you start it with the new token.`
    : `Revoked. ${namesOf(names)} are cut off until you start them with the new token.`;
}
