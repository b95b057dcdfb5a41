import * as limits from "#limits/pages-limits";
import { icon } from "#page/style";
import { Refusal } from "#service/call-refusal";
import { liveScript } from "#service/pages/live-script";
import { locationView } from "#service/pages/location-view";
import { monitorStory } from "#service/pages/monitor-story";
import { monitorView } from "#service/pages/monitor-view";
import { operatorStyle } from "#service/pages/operator-style";
import { overviewRows } from "#service/pages/overview-rows";
import { queryText, readOverviewQuery } from "#service/pages/overview-query";
import { overviewView, worstOf } from "#service/pages/overview-view";
import {
  documentAnswer,
  htmlAnswer,
  lineAnswer,
  type PageAnswer,
  seeOther,
} from "#service/pages/page-answer";
import { locationDocument, monitorDocument, overviewDocument } from "#service/pages/page-documents";
import { pageFrame, type PageFrame, type Reader } from "#service/pages/page-frame";
import type { PageRooms } from "#service/pages/page-rooms";
import type { Pictures } from "#service/pages/pictures";
import { statusWords } from "#service/pages/status-mark";
import { rangeOf } from "#service/pages/time-range";
import { triggerMonitor } from "#service/trigger";
import { version } from "#version";

/** A request for a page by somebody who may read. */
export interface PageRequest {
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly reader: Reader;
}

/** What the pages' addresses look like; everything else is not theirs. */
const monitorPath = /^\/monitors\/(\d{1,15})(\.json)?$/;
const locationPath = /^\/locations\/(\d{1,15})(\.json)?$/;
const checkPath = /^\/monitors\/(\d{1,15})\/check$/;

const assets: ReadonlyMap<string, { readonly type: string; readonly body: string }> = new Map([
  ["/style.css", { type: "text/css; charset=utf-8", body: operatorStyle }],
  ["/icon.svg", { type: "image/svg+xml", body: icon }],
  ["/live.js", { type: "text/javascript; charset=utf-8", body: liveScript }],
]);

/** Looks and script, which say nothing of the service; null for every other path. */
export function assetAnswer(pathname: string): PageAnswer | null {
  const asset = assets.get(pathname);
  if (asset === undefined) return null;
  const headers = { "cache-control": `public, max-age=${limits.assetFreshFor / 1000}` };
  return { status: 200, ...asset, headers };
}

/** Whether a path is of a page that shows something of the service. */
export const isPagePath = (pathname: string): boolean =>
  pathname === "/" ||
  pathname === "/overview.json" ||
  [monitorPath, locationPath, checkPath].some((path) => path.test(pathname));

/** Answers a GET. */
export async function pageAnswer(
  rooms: PageRooms,
  pictures: Pictures,
  request: PageRequest,
): Promise<PageAnswer> {
  const { pathname } = request;
  const [, monitor, monitorForm] = monitorPath.exec(pathname) ?? [];
  const [, location, locationForm] = locationPath.exec(pathname) ?? [];
  if (monitor !== undefined)
    return monitorAnswer(rooms, pictures, request, monitor, monitorForm === ".json");
  if (location !== undefined)
    return locationAnswer(rooms, pictures, request, location, locationForm === ".json");
  if (pathname === "/" || pathname === "/overview.json") return overviewAnswer(pictures, request);
  return lineAnswer(405, "Only POST is answered here.", { allow: "POST" });
}

async function overviewAnswer(pictures: Pictures, request: PageRequest): Promise<PageAnswer> {
  const reading = readOverviewQuery(request.query);
  if (!reading.ok) return lineAnswer(400, reading.message);
  const { query } = reading;
  const picture = await pictures.now();
  const found = overviewRows(picture, query);
  if (request.pathname !== "/") return documentAnswer(overviewDocument(picture, found));
  return framed(request, {
    title: `${worstOf(found)}Picket`,
    document: `/overview.json${queryText(query)}`,
    at: picture.at,
    content: overviewView({ picture, query, found }),
  });
}

async function monitorAnswer(
  rooms: PageRooms,
  pictures: Pictures,
  request: PageRequest,
  id: string,
  isDocument: boolean,
): Promise<PageAnswer> {
  const { query, reader } = request;
  const [row, picture] = await Promise.all([rooms.monitors.get(id), pictures.now()]);
  const monitor = picture.monitors.find((one) => one.id === row.id);
  // It was made after the picture, which is some seconds old at most.
  if (monitor === undefined)
    return lineAnswer(503, "This monitor is too new: ask again in a moment.", {
      "retry-after": "2",
    });
  const range = rangeOf(query.get("range"));
  const location = row.locations.find((one) => String(one) === query.get("location")) ?? null;
  const at = rooms.clock.wall();
  const story = await monitorStory(rooms, { monitor: row.id, location, range, now: at });
  if (isDocument) return documentAnswer(monitorDocument(monitor, story, at));
  const { definition } = row;
  const notice = noticeOf(query.get("notice"));
  const page = { monitor, definition, story, range, location, reader, at, notice };
  return framed(request, {
    title: `${statusWords[monitor.status]} · ${monitor.name} · Picket`,
    document: `/monitors/${id}.json?range=${range.name}${location === null ? "" : `&location=${location}`}`,
    at,
    content: monitorView(page),
  });
}

async function locationAnswer(
  rooms: PageRooms,
  pictures: Pictures,
  request: PageRequest,
  id: string,
  isDocument: boolean,
): Promise<PageAnswer> {
  const location = await rooms.locations.get(id);
  const [agents, picture] = await Promise.all([rooms.instances.of(location.id), pictures.now()]);
  if (isDocument) return documentAnswer(locationDocument(location, agents, picture.at));
  return framed(request, {
    title: `${location.name} · Picket`,
    document: `/locations/${id}.json`,
    at: picture.at,
    content: locationView({ location, agents, picture }),
  });
}

const framed = (
  { reader }: PageRequest,
  frame: Omit<PageFrame, "reader" | "version">,
): PageAnswer => htmlAnswer(pageFrame({ ...frame, reader, version: version() }));

/** What the one form does: every connected agent of the monitor checks it now. Gives the monitor's page again. */
export async function checkNow(
  rooms: PageRooms,
  pathname: string,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const [, id] = checkPath.exec(pathname) ?? [];
  if (id === undefined)
    return lineAnswer(405, "Only GET is answered here.", { allow: "GET, HEAD" });
  const notice = await triggerMonitor(rooms, id, signal).then(
    (isStored): Notice => (isStored ? "checked" : "unanswered"),
    (error: unknown): Notice => {
      if (error instanceof Refusal && error.code === "failed_precondition") return "unconnected";
      throw error;
    },
  );
  return seeOther(`/monitors/${id}?range=1h&notice=${notice}`);
}

const notices = {
  checked: "Checked just now: the result is the newest one below.",
  unanswered: "No agent answered in time. Look at the location's agents.",
  unconnected:
    "No agent that runs this monitor is connected by the push channel. Start one, with PICKET_WATCH on, where WebSockets pass.",
} as const;
type Notice = keyof typeof notices;

const noticeOf = (name: string | null): string | null =>
  Object.entries(notices).find(([one]) => one === name)?.[1] ?? null;
