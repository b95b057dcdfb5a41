import { firstSteps } from "#service/operator/first-start/first-steps";
import { firstStartView } from "#service/operator/first-start/first-start-view";
import { framed, type OperatorPage } from "#service/operator/page-request";

/** `/start`: the three steps from nothing to a message. */
export const firstStartPage: OperatorPage = {
  role: "editor",
  path: /^\/start$/,
  answer: async ({ rooms, pictures }, request) => {
    const picture = await pictures.now();
    return framed(request, {
      title: "First steps · Picket",
      section: "monitors",
      document: null,
      at: picture.at,
      content: firstStartView(await firstSteps(rooms, picture)),
    });
  },
};
