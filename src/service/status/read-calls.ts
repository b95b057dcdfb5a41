import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { windowsAfter } from "#alerting/maintenance";
import type { Clock } from "#clock";
import * as limits from "#limits/status-limits";
import { callersKey, seesSecrets } from "#service/admission";
import { maintenanceMessage } from "#service/alerts/maintenance-api";
import { maintenanceOf } from "#service/alerts/maintenance-plan";
import { because, Refusal } from "#service/call-refusal";
import { componentMessage, groupMessage, pageMessage } from "#service/status/page-message";
import { identifierMissing, noPage } from "#service/status/page-refusals";
import { reportMessage } from "#service/status/report-message";
import type { StatusPages } from "#service/status/status-pages";
import type { MaintenanceRow } from "#store/alert-store";
import type { PageContent } from "#store/page-store";
import type { Store } from "#store/store";
import { epochMillis, type EpochMillis } from "#units";

export interface ReadApi {
  readonly store: Store;
  readonly statusPages: StatusPages;
  readonly clock: Clock;
}

type Calls = ServiceImpl<typeof StatusPageService>;
type Context = Pick<HandlerContext, "values">;

/** The calls that show a page as its readers see it. */
export const readCalls = (api: ReadApi): Pick<Calls, "getStatusPageContent"> => ({
  getStatusPageContent: async ({ identifier }, context) => {
    const content = await api.statusPages.content(await pageFor(api, identifier, context));
    const { page } = content;
    const password = seesSecrets(context) ? (api.statusPages.passwordOf(page) ?? "") : "";
    return { statusPage: pageMessage(page, password), ...(await parts(api, content)) };
  },
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

export type Identifier =
  | { readonly case: "id" | "slug"; readonly value: string }
  | { readonly case: undefined; readonly value?: undefined };

/** A page by its id is for keys; by its slug for everybody, where it is published and public. */
export async function pageFor(
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
