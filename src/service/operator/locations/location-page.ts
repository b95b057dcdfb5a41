import { html, type Html } from "#web/page/html";
import * as limits from "#limits/lines-limits";
import { foundMonitors } from "#service/operator/pictures/found-monitors";
import { firstQuery } from "#service/operator/overview-query";
import { documentAnswer } from "#service/edge/page-answer";
import { editNotice } from "#service/operator/kept/edit-undo";
import { locationDocument } from "#service/operator/page-documents";
import {
  framed,
  noticeIn,
  type OperatorPage,
  type PageContext,
  type PageRequest,
} from "#service/operator/page-request";
import { monitorsHere } from "#service/operator/locations/monitors-here";
import { revokedWords } from "#service/operator/locations/token-revocation";
import { locationView } from "#service/operator/locations/location-view";

/** `/locations/ID`: one location. */
export const locationPage: OperatorPage = {
  role: "reader",
  path: /^\/locations\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, request) => {
    const { rooms, pictures } = context;
    const { id, reader } = request;
    const location = await rooms.locations.get(id);
    const [agents, tokens, activeIds, picture, [newest]] = await Promise.all([
      rooms.instances.of(location.id),
      rooms.locations.tokens.working(location.id),
      rooms.monitors.assignedIds(location.id),
      pictures.now(),
      rooms.store.alerts.incidents.newest("location", [location.id]),
    ]);
    const incident = newest === undefined || newest.ended !== null ? null : newest;
    if (request.isDocument)
      return documentAnswer(locationDocument(location, agents, incident, picture.at));
    const query = { ...firstQuery, location: location.id, grouped: false };
    const here = await monitorsHere(rooms, picture, location.id);
    const lines = await foundMonitors(pictures, here, query, limits.locationMonitorsShown);
    const revoked = revokedWords(tokens, agents);
    return framed(request, {
      title: `${location.name} · Picket`,
      section: "agents",
      document: `/locations/${id}.json`,
      at: picture.at,
      content: locationView({
        location,
        agents,
        incident,
        tokens,
        activeIds,
        picture,
        lines,
        reader,
        notice: await noticeOf(context, request, revoked),
      }),
    });
  },
};

/** What became of a form; null if none was sent. */
async function noticeOf(
  context: PageContext,
  request: PageRequest,
  revoked: string,
): Promise<Html | null> {
  const words = noticeIn(request.query, { "agent-removed": removed, revoked });
  if (words !== null) return html`<p class="notice" role="status">${words}</p>`;
  return editNotice(context, request, { kind: "location", id: request.id }, "Saved.");
}

const removed = "Removed. An agent that calls again appears again.";
