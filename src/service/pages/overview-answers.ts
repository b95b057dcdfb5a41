import { documentAnswer, lineAnswer } from "#service/pages/page-answer";
import { overviewDocument } from "#service/pages/page-documents";
import { framed, type OperatorPage } from "#service/pages/page-request";
import { overviewRows } from "#service/pages/overview-rows";
import { queryText, readOverviewQuery } from "#service/pages/overview-query";
import { overviewView, worstOf } from "#service/pages/overview-view";

/** `/`: all monitors, what fails first. */
export const overviewPage: OperatorPage = {
  path: /^\/(?:overview(?<json>\.json))?$/,
  answer: async ({ pictures }, request) => {
    const reading = readOverviewQuery(request.query);
    if (!reading.ok) return lineAnswer(400, reading.message);
    const { query } = reading;
    const picture = await pictures.now();
    const found = overviewRows(picture, query);
    if (request.isDocument) return documentAnswer(overviewDocument(picture, found));
    return framed(request, {
      title: `${worstOf(found)}Picket`,
      document: `/overview.json${queryText(query)}`,
      at: picture.at,
      content: overviewView({ picture, query, found }),
    });
  },
};
