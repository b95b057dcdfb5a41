import * as limits from "#limits/pages-limits";
import { documentAnswer } from "#service/edge/page-answer";
import { firstQuery } from "#service/operator/overview-query";
import type { OperatorPage } from "#service/operator/page-request";
import { matchingMonitors } from "#service/operator/pictures/monitor-search";
import { statusWords } from "#service/operator/status-mark";

/** `/jump.json`: the first monitors that a text finds, for whoever goes to one by its name. */
export const jumpPage: OperatorPage = {
  role: "reader",
  path: /^\/jump\.json$/,
  answer: async ({ pictures }, { query }) => {
    const text = (query.get("text") ?? "").trim().slice(0, limits.pageFilterCharsMax);
    const found =
      text === "" ? [] : matchingMonitors(await pictures.now(), { ...firstQuery, text });
    return documentAnswer({
      monitors: found.slice(0, limits.jumpMonitorsMax).map(({ id, name, target, status }) => ({
        id: String(id),
        name,
        target,
        status: statusWords[status],
      })),
    });
  },
};
