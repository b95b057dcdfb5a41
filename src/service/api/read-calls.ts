import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { windowsAfter } from "#service/alerting/maintenance";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import { callersKey, seesSecrets } from "#service/agents/admission";
import { maintenanceMessage } from "#service/api/maintenance-message";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { because, Refusal, refuseViolations } from "#service/edge/call-refusal";
import { dailySummaries } from "#service/api/daily-summary";
import {
  componentMessage,
  configurationMessage,
  groupMessage,
  pageMessage,
} from "#service/status-site/page-message";
import type { PublishedPages } from "#service/status-site/published-pages";
import { identifierMissing, noPage } from "#service/status-site/page-refusals";
import { reportMessage } from "#service/status-site/report-message";
import type { StatusPages } from "#service/status-site/status-pages";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { PageContent, StatusPageRow } from "#service/store/page-store";
import { pageStates } from "#service/status-page/component-state";
import type { PageFacts } from "#service/status-page/page-facts";
import { componentsOf, type PageModel, pageModel } from "#service/status-page/page-model";
import { numberOf } from "#wire/enum-words";
import * as pagesLimits from "#limits/pages-limits";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis } from "#base/units";

export interface ReadApi {
  readonly store: Store;
  readonly statusPages: StatusPages;
  readonly published: PublishedPages;
  readonly clock: Clock;
}

type Calls = ServiceImpl<typeof StatusPageService>;
type Context = Pick<HandlerContext, "values">;

/** The calls that show a page as its readers see it. */
export const readCalls = (
  api: ReadApi,
): Pick<
  Calls,
  | "getStatusPageContent"
  | "getOverallStatus"
  | "getStatusPageOverview"
  | "getPageComponentDailySummary"
> => ({
  getOverallStatus: async ({ identifier }, context) =>
    statuses(await modelOf(api, await pageFor(api, identifier, context))),
  getStatusPageOverview: async ({ id }, context) => {
    const content = await api.statusPages.content((await api.statusPages.get(id)).id);
    const { page } = content;
    return {
      statusPage: pageMessage(page, api.statusPages.iconUrl(page), passwordFor(api, page, context)),
      configuration: configurationMessage(page.definition.configuration),
      ...(await parts(api, content)),
      ...statuses(await modelOf(api, page.id)),
    };
  },
  getPageComponentDailySummary: async ({ identifier, componentIds, days = 45 }, context) => {
    if (days < 1 || days > pagesLimits.daysShown)
      refuseViolations([{ field: "days", message: `must be in 1 to ${pagesLimits.daysShown}` }]);
    const facts = await factsOf(api, await pageFor(api, identifier, context));
    return { components: dailySummaries(facts, componentIds, days) };
  },
  getStatusPageContent: async ({ identifier }, context) => {
    const content = await api.statusPages.content(await pageFor(api, identifier, context));
    const { page } = content;
    const password = passwordFor(api, page, context);
    const icon = api.statusPages.iconUrl(page);
    return { statusPage: pageMessage(page, icon, password), ...(await parts(api, content)) };
  },
});

const passwordFor = ({ statusPages }: ReadApi, page: StatusPageRow, context: Context): string =>
  seesSecrets(context) ? (statusPages.passwordOf(page) ?? "") : "";

async function factsOf({ published }: ReadApi, id: number): Promise<PageFacts> {
  const page = await published.page(id);
  if (page === null) throw noPage(String(id));
  return page.facts;
}

const modelOf = async (api: ReadApi, id: number): Promise<PageModel> =>
  pageModel(await factsOf(api, id));

const statuses = (model: PageModel) => ({
  overallStatus: numberOf(pageStates, model.overall),
  componentStatuses: componentsOf(model).map(({ facts, state }) => ({
    componentId: String(facts.id),
    status: numberOf(pageStates, state),
  })),
});

/** What stands on a page, and what is reported and planned. */
async function parts({ store, clock }: ReadApi, { page, components, groups }: PageContent) {
  const now = clock.wall();
  const [reports, maintenances] = await Promise.all([
    store.pages.reports.lately(page.id, epochMillis(now - limits.reportsShownFor)),
    store.alerts.maintenances.list(String(page.id), {
      limit: limits.maintenancesShownMax,
      offset: 0,
    }),
  ]);
  return {
    components: components.map(componentMessage),
    groups: groups.map(groupMessage),
    statusReports: reports.map(reportMessage),
    maintenances: maintenances.maintenances
      .filter((one) => isRecent(one, now))
      .map(maintenanceMessage),
  };
}

/** It ended a while ago at most, or is still to come. */
const isRecent = (row: MaintenanceRow, now: EpochMillis): boolean =>
  maintenanceOf(row).some(
    (one) => windowsAfter(one, epochMillis(now - limits.reportsShownFor), 1).length > 0,
  );

type Identifier =
  | { readonly case: "id" | "slug"; readonly value: string }
  | { readonly case: undefined; readonly value?: undefined };

/**
 * A page by its id is for keys; by its slug for everyone, where it is published and public. Without a key, a draft is as
 * a page that is not there.
 */
async function pageFor(
  { store, statusPages }: Pick<ReadApi, "store" | "statusPages">,
  { case: by, value }: Identifier,
  { values }: Context,
): Promise<number> {
  const key = values.get(callersKey);
  if (by !== "slug") {
    if (key === null)
      throw new Refusal(
        "unauthenticated",
        "an API key is required, but for a public page by its slug",
        because("API_KEY_REQUIRED"),
      );
    if (by === undefined) throw identifierMissing();
    return (await statusPages.get(value)).id;
  }
  const id = await store.pages.pages.idOfSlug(value.toLowerCase());
  if (id === null) throw noPage(value);
  const { definition } = await statusPages.get(String(id));
  if (!definition.published && key === null) throw noPage(value);
  if (!definition.published)
    throw new Refusal(
      "not_found",
      "this status page is not published",
      because("STATUS_PAGE_NOT_PUBLISHED", { slug: value }),
    );
  if (definition.access !== "public")
    throw new Refusal(
      "permission_denied",
      "this status page is not public: ask by its id, with an API key",
      because("STATUS_PAGE_ACCESS_DENIED", { slug: value }),
    );
  return id;
}
