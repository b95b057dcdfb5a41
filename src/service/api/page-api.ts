import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { seesSecrets } from "#service/agents/admission";
import { refuseViolations } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { type ComponentApi, componentCalls, groupCalls } from "#service/api/component-calls";
import {
  changedDefinition,
  changedPassword,
  newDefinition,
} from "#service/status-site/page-fields";
import { type SubscriberApi, subscriberCalls } from "#service/api/subscriber-calls";
import { pageMessage, pageSummary } from "#service/status-site/page-message";
import { type ReadApi, readCalls } from "#service/api/read-calls";
import type { StatusPageRow } from "#service/store/page-store";

export interface PageApi extends ComponentApi, ReadApi, SubscriberApi {}

type Calls = ServiceImpl<typeof StatusPageService>;

/** openstatus.status_page.v1.StatusPageService: what a person or a tool does with status pages. */
export function pageApi(router: ConnectRouter, api: PageApi): void {
  router.service(StatusPageService, {
    ...pageCalls(api),
    ...componentCalls(api),
    ...groupCalls(api),
    ...readCalls(api),
    ...subscriberCalls(api),
  } satisfies ServiceImpl<typeof StatusPageService>);
}

/** An empty one says nothing: a mask takes a password away. */
function givenPassword({
  password,
}: {
  readonly password?: string | undefined;
}): string | undefined {
  if (password === "")
    refuseViolations([
      { field: "password", message: "is empty: leave it out, or name it in update_mask alone" },
    ]);
  return password;
}

function pageCalls({
  statusPages,
}: PageApi): Pick<
  Calls,
  "createStatusPage" | "getStatusPage" | "listStatusPages" | "updateStatusPage" | "deleteStatusPage"
> {
  const shown = (row: StatusPageRow, context: Pick<HandlerContext, "values">) =>
    pageMessage(
      row,
      statusPages.iconUrl(row),
      seesSecrets(context) ? (statusPages.passwordOf(row) ?? "") : "",
    );
  return {
    createStatusPage: async (request, context) => {
      const password = givenPassword(request) ?? "";
      const row = await statusPages.create(newDefinition(request), password);
      return { statusPage: shown(row, context) };
    },
    getStatusPage: async ({ id }, context) => ({
      statusPage: shown(await statusPages.get(id), context),
    }),
    listStatusPages: async (request) => {
      const { limit, offset } = pageOf(request);
      const rows = await statusPages.list(limit, offset);
      return { statusPages: rows.map(pageSummary), totalSize: await statusPages.count() };
    },
    updateStatusPage: async (request, context) => {
      const before = await statusPages.get(request.id);
      givenPassword(request);
      const definition = changedDefinition(request, before.definition);
      const row = await statusPages.update(before, definition, changedPassword(request));
      return { statusPage: shown(row, context) };
    },
    deleteStatusPage: async ({ id }) => {
      await statusPages.delete(id);
      return { success: true };
    },
  };
}
