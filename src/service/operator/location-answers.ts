import { documentAnswer } from "#service/edge/page-answer";
import { locationDocument } from "#service/operator/page-documents";
import { framed, type OperatorPage } from "#service/operator/page-request";
import { locationView } from "#service/operator/location-view";

/** `/locations/ID`: one location. */
export const locationPage: OperatorPage = {
  role: "reader",
  path: /^\/locations\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async ({ rooms, pictures }, request) => {
    const { id } = request;
    const location = await rooms.locations.get(id);
    const [agents, picture] = await Promise.all([rooms.instances.of(location.id), pictures.now()]);
    if (request.isDocument) return documentAnswer(locationDocument(location, agents, picture.at));
    return framed(request, {
      title: `${location.name} · Picket`,
      section: "locations",
      document: `/locations/${id}.json`,
      at: picture.at,
      content: locationView({ location, agents, picture }),
    });
  },
};
