import { isoTime } from "#page/format";
import { componentsOf, type PageModel } from "#status/page-model";

/** A page as JSON in the shape of the public contract. Fields are only ever added. */
export const feedDocument = (model: PageModel): object => ({
  title: model.definition.title,
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
  maintenances: [...model.running, ...model.coming, ...model.pastWindows].map((window) => ({
    id: window.id,
    title: window.title,
    message: window.message,
    from: isoTime(window.from),
    to: isoTime(window.to),
    pageComponents: window.components,
  })),
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
