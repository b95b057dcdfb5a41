import type { PlannedWindow } from "#service/status-page/page-facts";
import { isoTime } from "#web/page/format";
import { entriesOf, type FeedEntry } from "#service/status-site/documents/feed";
import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import { componentsOf, type PageModel } from "#service/status-page/page-model";

/**
 * JSON Feed 1.1 (jsonfeed.org), and in the same object the page in the shape of the public contract, which readers of a
 * feed leave alone. Fields are only ever added.
 */
export const feedDocument = (model: PageModel, words: PageWords, place: PagePlace): object => ({
  version: "https://jsonfeed.org/version/1.1",
  title: model.definition.title,
  home_page_url: `${place.origin}${place.base}/`,
  feed_url: `${place.origin}${place.base}/feed/json`,
  language: words.locale,
  items: entriesOf(model, words, place).map(itemOf),
  description: model.definition.description,
  status: model.overall,
  updatedAt: isoTime(model.now),
  pageComponents: componentsOf(model).map(({ facts, state }) => ({
    id: facts.id,
    name: facts.name,
    description: facts.description,
    type: facts.monitor === null ? "static" : "monitor",
    pageComponentGroupId: facts.group,
    order: facts.order,
    status: state,
  })),
  pageComponentGroups: model.sections.flatMap((section) =>
    section.kind === "group" ? [{ id: section.id, name: section.name, status: section.state }] : [],
  ),
  maintenances: [...model.running, ...model.coming, ...model.pastWindows].map(windowOf),
  statusReports: [...model.openReports, ...model.pastReports].map((report) => ({
    id: report.id,
    title: report.title,
    status: report.status,
    pageComponents: report.components,
    statusReportUpdates: report.updates
      .filter(({ at }) => at <= model.now)
      .map(({ id, status, at, message }) => ({ id, status, date: isoTime(at), message })),
  })),
});

const windowOf = ({ id, title, message, from, to, components, updates }: PlannedWindow) => ({
  id,
  title,
  message,
  from: isoTime(from),
  to: isoTime(to),
  pageComponents: components,
  maintenanceUpdates: updates.map((update) => ({
    date: isoTime(update.at),
    message: update.message,
  })),
});

const itemOf = ({ id, link, title, begunAt, at, content }: FeedEntry) => ({
  id,
  url: link,
  title,
  content_html: content.text,
  date_published: isoTime(begunAt),
  date_modified: isoTime(at),
});
