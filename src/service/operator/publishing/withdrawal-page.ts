import { html } from "#web/page/html";
import { seeOther } from "#service/edge/page-answer";
import { removalView } from "#service/operator/deleting/removal-view";
import { framed, type OperatorPage } from "#service/operator/page-request";
import { tabField, tabIn, tabPath } from "#service/operator/publishing/page-tabs";
import { publicPath } from "#service/operator/publishing/status-page-list-view";
import { subscribersOf, subscriberWords } from "#service/operator/publishing/subscriber-count";

/** `/status-pages/ID/withdraw`: asks once before readers lose a page, and says who they are. */
export const withdrawalPage: OperatorPage = {
  role: "editor",
  path: /^\/status-pages\/(?<id>\d{1,15})\/withdraw$/,
  answer: async (context, { id, query, reader }) => {
    const { rooms } = context;
    const row = await rooms.statusPages.get(id);
    const { title } = row.definition;
    const tab = tabIn(query);
    // Its draft has nothing to take back.
    if (!row.definition.published) return seeOther(tabPath(row.id, tab));
    const subscribers = await subscribersOf(rooms, row.id);
    const content = removalView({
      reader,
      back: { path: tabPath(row.id, tab), words: title },
      title: `Unpublish the status page ${title}?`,
      facts: [
        ["Address", html`<a href="${publicPath(row)}">${publicPath(row)}</a>`],
        ["Subscribers", subscriberWords(subscribers)],
      ],
      effects: [
        "No one can read it any more from that moment on, also in its feeds and badges.",
        "Its subscribers are sent nothing.",
      ],
      undo: "All of it is kept: Publish shows it again, at the same address.",
      action: `/status-pages/${row.id}/withdraw`,
      names: [tabField, tab],
      button: "Unpublish the page",
      owner: row.owner,
    });
    return framed(
      { reader },
      {
        title: `Unpublish ${title} · Picket`,
        section: "status pages",
        document: null,
        at: rooms.clock.wall(),
        content,
      },
    );
  },
};
