import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import { type TemplateSchema, TemplateService } from "#contract/picket/v1/template_pb";
import type { Clock } from "#base/clock";
import { maintenanceMessageCharsMax } from "#limits/alerts-limits";
import { nameCharsMax } from "#limits/check-limits";
import * as limits from "#limits/status-limits";
import type { Mistake } from "#check/findings";
import { absent, refuseControls, refuseViolations, type Refusal } from "#service/edge/call-refusal";
import { timeText } from "#service/monitors/shown-monitor";
import { reportStatuses } from "#service/status-page/report-words";
import { tooMany } from "#service/status-site/page-refusals";
import { impactMessages, impactsIn, reportStatusIn } from "#service/status-site/report-message";
import type { StatusPages } from "#service/status-site/status-pages";
import { integerOf } from "#service/store/ids";
import type { Store } from "#service/store/store";
import {
  type TemplateDefinition,
  type TemplateRow,
  type TemplateUse,
  templateUses,
} from "#service/store/templates/template-store";
import { unixLines } from "#base/text";
import { numberOf } from "#wire/enum-words";

interface TemplateApi {
  readonly store: Store;
  readonly statusPages: StatusPages;
  readonly clock: Clock;
}

/** picket.v1.TemplateService: the words with which forms of a status page begin. */
export function templateApi(router: ConnectRouter, api: TemplateApi): void {
  const { templates } = api.store.pages;
  router.service(TemplateService, {
    createTemplate: async ({ pageId, usedFor, status, componentImpacts, ...said }) => {
      const use = useIn(usedFor);
      const { id: page } = await api.statusPages.get(pageId);
      const definition = {
        ...said,
        status: use === "report" ? reportStatusIn("status", status) : "investigating",
        impacts: impactsIn(componentImpacts),
      } as const;
      const id = await createTemplate(api, page, use, definition);
      return { template: templateMessage(await templateAt(api, String(id))) };
    },
    listTemplates: async ({ pageId }) => {
      const { id } = await api.statusPages.get(pageId);
      return { templates: (await templates.of(id)).map(templateMessage) };
    },
    updateTemplate: async ({ id, ...to }) => {
      const row = await templateAt(api, id);
      await changeTemplate(api, row, {
        name: to.name ?? row.name,
        title: to.title ?? row.title,
        status: to.status === undefined ? row.status : reportStatusIn("status", to.status),
        message: to.message ?? row.message,
        impacts: to.updateComponentImpacts === true ? impactsIn(to.componentImpacts) : row.impacts,
      });
      return { template: templateMessage(await templateAt(api, id)) };
    },
    deleteTemplate: async ({ id }) => {
      if (!(await templates.delete(integerOf(id) ?? 0))) throw noTemplate(id);
      return { success: true };
    },
  } satisfies ServiceImpl<typeof TemplateService>);
}

function useIn(word: string): TemplateUse {
  const use = templateUses.find((one) => one === word);
  if (use !== undefined) return use;
  const message = `must be one of ${templateUses.join(", ")}`;
  refuseViolations([{ field: "used_for", message }]);
  return "report";
}

/** A template that is there. */
async function templateAt({ store }: Pick<TemplateApi, "store">, id: string): Promise<TemplateRow> {
  const row = await store.pages.templates.get(integerOf(id) ?? 0);
  if (row === null) throw noTemplate(id);
  return row;
}

/** Keeps a new template of a page, or refuses it by its field; its id. */
export async function createTemplate(
  api: TemplateApi,
  page: number,
  use: TemplateUse,
  given: TemplateDefinition,
): Promise<number> {
  const said = await checked(api, { page, use, impacts: [] }, given);
  const made = { ...said, page, use, createdAt: api.clock.wall() };
  const id = await api.store.pages.templates.create(made);
  if (id === "full") throw tooMany(limits.pageTemplatesMax, "templates on this page");
  return id;
}

/** Has a template say this from now on. */
export async function changeTemplate(
  api: TemplateApi,
  row: TemplateRow,
  given: TemplateDefinition,
): Promise<void> {
  const said = await checked(api, row, given);
  const changed = { ...row, ...said, updatedAt: api.clock.wall() };
  if (!(await api.store.pages.templates.update(changed))) throw noTemplate(String(row.id));
}

/** As it is kept. What it said before of components that are gone meanwhile may stay. */
async function checked(
  { statusPages }: TemplateApi,
  { page, use, impacts }: Pick<TemplateRow, "page" | "use" | "impacts">,
  given: TemplateDefinition,
): Promise<TemplateDefinition> {
  const message = unixLines(given.message);
  const charsMax = use === "report" ? limits.reportMessageCharsMax : maintenanceMessageCharsMax;
  refuseControls("name", given.name);
  refuseControls("title", given.title);
  refuseViolations([
    ...lengthMistakes("name", given.name, 1, nameCharsMax),
    ...lengthMistakes("title", given.title, 0, use === "report" ? nameCharsMax : 0),
    ...lengthMistakes("message", message, 1, charsMax),
    ...(use === "maintenance" && given.impacts.length > 0
      ? [{ field: "component_impacts", message: "must be empty for maintenance" }]
      : []),
  ]);
  const before = new Set(impacts.map(({ component }) => component));
  const named = given.impacts.filter(({ component }) => !before.has(component));
  await statusPages.componentsAmong(
    page,
    named.map(({ component }) => String(component)),
  );
  return { ...given, message };
}

function lengthMistakes(
  field: string,
  text: string,
  charsMin: number,
  charsMax: number,
): readonly Mistake[] {
  const { length } = charsMin === 0 ? text : text.trim();
  if (length >= charsMin && text.length <= charsMax) return [];
  const message =
    charsMax === 0
      ? "must be empty for maintenance"
      : `must be ${charsMin} to ${charsMax} characters long`;
  return [{ field, message }];
}

const templateMessage = (row: TemplateRow): MessageInitShape<typeof TemplateSchema> => ({
  id: String(row.id),
  pageId: String(row.page),
  usedFor: row.use,
  name: row.name,
  title: row.title,
  status: row.use === "report" ? numberOf(reportStatuses, row.status) : 0,
  message: row.message,
  componentImpacts: impactMessages(row.impacts),
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
});

export const noTemplate = (id: string): Refusal =>
  absent("template", id, { reason: "TEMPLATE_NOT_FOUND", facts: { "template-id": id } });
