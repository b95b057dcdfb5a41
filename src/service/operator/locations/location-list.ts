import { counted, grouped, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { filesChip } from "#service/operator/managed-note";
import * as limits from "#limits/pages-limits";
import { version } from "#base/version";
import { isOlder, newestOf } from "#service/agents/agent-version";
import type { StoredInstance } from "#service/agents/instances";
import type { ListedLocation } from "#service/agents/locations";
import { documentAnswer } from "#service/edge/page-answer";
import { framed, mayChange, type OperatorPage } from "#service/operator/page-request";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import { whyNotActive } from "#service/operator/locations/silent-location";
import { isRefused as isRefusedAgent } from "#service/operator/locations/token-use";
import { locationMark } from "#service/operator/status-mark";
import { offsetIn } from "#service/operator/whole-number";
import { between, type EpochMillis } from "#base/units";

/** `/locations`: all of them, and whether their agents call. */
export const locationListPage: OperatorPage = {
  role: "reader",
  path: /^\/locations(?<json>\.json)?$/,
  answer: async ({ rooms }, request) => {
    const offset = offsetIn(request.query);
    const [rows, all] = await Promise.all([
      rooms.locations.list(limits.locationsListed, offset),
      rooms.locations.all(),
    ]);
    const total = all.length;
    const agents = await Promise.all(rows.map(({ id }) => rooms.instances.of(id)));
    const at = rooms.clock.wall();
    const listed = rows.map((row, index) => ({ row, agents: agents[index] ?? [] }));
    const refused = all.filter(isRefused).length;
    const silent = all.filter((one) => one.state.status === "error" && !isRefused(one)).length;
    if (request.isDocument) {
      const locations = listed.map(locationSection);
      return documentAnswer({ at: isoTime(at), total, refused, silent, locations });
    }
    return framed(request, {
      title: "Locations · Picket",
      section: "agents",
      document: `/locations.json${offset === 0 ? "" : `?offset=${offset}`}`,
      at,
      content: listView({
        listed,
        total,
        refused,
        silent,
        offset,
        at,
        isEditor: mayChange(request.reader),
      }),
    });
  },
};

interface LocationEntry {
  readonly row: ListedLocation;
  readonly agents: readonly StoredInstance[];
}

interface LocationList {
  readonly listed: readonly LocationEntry[];
  readonly total: number;
  /** Of all, on every page of the list: those whose agents come with a token that has ended, and others. */
  readonly refused: number;
  readonly silent: number;
  readonly offset: number;
  readonly at: EpochMillis;
  readonly isEditor: boolean;
}

function listView({ listed, total, refused, silent, offset, at, isEditor }: LocationList): Html {
  return html`${listHead({
    title: "Locations",
    count: countWords(total, [
      [refused, "refused"],
      [silent, "silent"],
    ]),
    sentence: "A location is a network: your agents in it run the monitors that you assign to it.",
    acts: isEditor ? mainAct("/locations/new", "New location") : null,
  })}
  ${
    total === 0
      ? html`<p class="advice">
          There is no location yet, so nothing is
          checked.${isEditor ? " Make one, then start an agent in it." : null}
        </p>`
      : html`<h2 class="unseen">All locations</h2>
          <ul class="watched incidents places">
            ${listed.toSorted(byUrgency).map((one) => locationLine(one, at, isEditor))}
          </ul>`
  }
  ${pagingNav({
    label: "More locations",
    offset,
    size: limits.locationsListed,
    matched: total,
    to: (to) => `/locations?offset=${to}`,
  })}`;
}

type CountOf = readonly [count: number, word: string];

/** `1 refused, 2 silent, of 5 locations` */
function countWords(total: number, troubles: readonly CountOf[]): string {
  const some = troubles.filter(([count]) => count > 0);
  const words = some.map(([count, word]) => `${grouped(count)} ${word}, `);
  return `${words.join("")}${some.length === 0 ? "" : "of "}${counted(total, "location")}`;
}

const isRefused = ({ state }: Pick<ListedLocation, "state">): boolean =>
  state.refused?.isOnly === true;

/** Those of a page that need someone first. */
const byUrgency = ({ row: one }: LocationEntry, { row: other }: LocationEntry): number =>
  urgencyOf(one) - urgencyOf(other);

const urgencyOf = ({ state }: ListedLocation): number =>
  state.status === "error" || isRefused({ state }) ? 0 : state.status === "unknown" ? 1 : 2;

/** How many there are, e.g. `2 agents` or `no agents`. */
const countOf = (count: number, word: string): string =>
  count === 0 ? `no ${word}s` : counted(count, word);

function locationLine({ row, agents }: LocationEntry, at: EpochMillis, isEditor: boolean): Html {
  const { id, name, state, lastSeenAt, monitorCount, owner } = row;
  const { running, behind } = agentCounts({ row, agents });
  const isJustNew = state.status === "unknown" && state.refused === null;
  const why = isJustNew ? null : whyNotActive(state, agents);
  return html`<li class="incident">
    ${locationMark(state)}
    <h3><a href="/locations/${id}">${name}</a>${filesChip(owner)}</h3>
    <p class="kind">
      <span>${countOf(monitorCount, "monitor")}</span>
      <span
        >${countOf(running, "agent")}${behind === 0 ? null : `, ${grouped(behind)} behind`}</span
      >
      <span
        >${lastSeenAt === null ? neverSeen(row, isEditor) : html`last seen <time datetime="${isoTime(lastSeenAt)}">${span(between(lastSeenAt, at))} ago</time>`}</span
      >
    </p>
    ${why === null ? null : html`<p class="why">${why}</p>`}
  </li>`;
}

/** Its mark says that no agent has come, so the next step is in place of when one did. */
const neverSeen = ({ id, name }: ListedLocation, isEditor: boolean): Html | null =>
  isEditor
    ? html`<a href="/locations/${id}/start" aria-label="Start an agent of ${name}"
        >Start an agent</a
      >`
    : null;

/** How many run, and how many of them are older than the newest one, or than the service. A refused one does not run. */
function agentCounts({ row, agents }: LocationEntry): { running: number; behind: number } {
  const running = agents.filter((one) => one.live && !isRefusedAgent(one, row.state, agents, null));
  return {
    running: running.length,
    behind: running.filter((one) => isBehind(one, agents)).length,
  };
}

/** Whether an agent is older than the newest one beside it, or than the service. */
export const isBehind = ({ report }: StoredInstance, agents: readonly StoredInstance[]): boolean =>
  isOlder(report.version, newestVersion(agents));

/** That of the service, unless an agent is newer. */
export const newestVersion = (agents: readonly StoredInstance[]): string =>
  newestOf([version(), ...agents.map(({ report }) => report.version)]) ?? version();

/** A location for programs. Names are only ever added. */
function locationSection(entry: LocationEntry): object {
  const { row } = entry;
  const { running, behind } = agentCounts(entry);
  return {
    id: String(row.id),
    name: row.name,
    status: row.state.status,
    message: row.state.message,
    last_seen_at: row.lastSeenAt === null ? null : isoTime(row.lastSeenAt),
    metadata: row.metadata,
    monitors: row.monitorCount,
    agents: running,
    agents_behind: behind,
  };
}
