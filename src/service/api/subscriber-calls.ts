import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  CreatePageSubscriptionRequest,
  PageSubscriberSchema,
  StatusPageService,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import * as limits from "#limits/status-limits";
import { isReaderAddress, noMailServer } from "#service/notify/mail-address";
import { seesSecrets } from "#service/agents/admission";
import { because, Refusal, refuseControls, refuseViolations } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { timeText } from "#service/monitors/shown-monitor";
import type { PageReaders } from "#service/status-site/news/page-readers";
import {
  channelConfig,
  urlOf,
  type WebhookDestination,
  webhookDestination,
} from "#service/status-site/news/webhook-destination";
import { identifierMissing, noSubscriber, tooMany } from "#service/status-site/page-refusals";
import type { StatusPages } from "#service/status-site/status-pages";
import type { AddressedPage } from "#service/status-site/page-address";
import { integerOf } from "#service/store/ids";
import type { StatusPageRow } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import {
  type AddedSubscriber,
  type SubscriberRow,
  subscriberSources,
} from "#service/store/subscriber-store";
import { numberOf } from "#wire/enum-words";

export interface SubscriberApi {
  readonly store: Store;
  readonly statusPages: StatusPages;
  readonly readers: PageReaders;
  /** Where a page is, if mails can be sent from it. */
  readonly mails: (page: AddressedPage) => string | null;
  /** Where a page is, so that links of its news lead somewhere. */
  readonly newsAddress: (page: AddressedPage) => string | null;
}

type Calls = ServiceImpl<typeof StatusPageService>;

/** The calls about readers to whom a page sends its news. */
export const subscriberCalls = (
  api: SubscriberApi,
): Pick<
  Calls,
  "subscribeToPage" | "createPageSubscription" | "unsubscribeFromPage" | "listSubscribers"
> => ({
  subscribeToPage: async ({ pageId, email }) => ({
    subscriber: shown(await asked(api, await mailingPage(api, pageId), email), api.readers, true),
  }),
  createPageSubscription: async ({ pageId, name, componentIds, channel }) => {
    const page = await api.statusPages.get(pageId);
    const to = destinationIn(channel);
    const { id } = await addSubscriber(api, page, { name: name ?? "", componentIds, to });
    return { subscriber: shown(await found(api, page.id, String(id)), api.readers, true) };
  },
  unsubscribeFromPage: async ({ pageId, identifier }) => {
    const page = await api.statusPages.get(pageId);
    const row = await named(api, page.id, identifier);
    await api.readers.leave(row, "operator");
    return { success: true };
  },
  listSubscribers: async (request, context) => {
    const page = await api.statusPages.get(request.pageId);
    const list = await api.store.readers.subscribers.list({
      ...pageOf(request),
      page: page.id,
      withUnsubscribed: request.includeUnsubscribed ?? false,
    });
    const isOpen = seesSecrets(context);
    return {
      subscribers: list.subscribers.map((row) => shown(row, api.readers, isOpen)),
      totalSize: list.total,
    };
  },
});

/** Where an operator has a page's news sent, without a confirmation. */
interface WantedSubscriber {
  readonly name: string;
  /** Empty: the whole page. */
  readonly componentIds: readonly string[];
  readonly to: string | WebhookDestination;
}

/** Keeps a subscriber, or refuses it by its field. A reader who left by mail is asked first. */
export async function addSubscriber(
  api: Omit<SubscriberApi, "store">,
  page: StatusPageRow,
  { name, componentIds, to }: WantedSubscriber,
): Promise<AddedSubscriber> {
  refuseUnsendable(api, page, typeof to === "string");
  refuseName(name);
  const chosen = await api.statusPages.componentsAmong(page.id, componentIds);
  const made = {
    page: page.id,
    name,
    source: "vendor",
    locale: page.definition.defaultLocale,
    components: chosen.length === 0 ? null : chosen,
  } as const;
  const added =
    typeof to === "string"
      ? await api.readers.addAddress(made, to)
      : await api.readers.addWebhook(made, to);
  if (added === "too often") throw askedEnough();
  if (added !== "full") return added;
  throw typeof to === "string"
    ? tooMany(limits.pageSubscribersMax, "subscribers of this page")
    : tooMany(limits.pageWebhooksMax, "webhooks of this page");
}

const askedEnough = (): Refusal =>
  new Refusal(
    "resource_exhausted",
    "its reader unsubscribed, and no further mail that asks for a confirmation can be sent now: try again tomorrow, or have the reader subscribe on the page",
    because("RATE_LIMIT_EXCEEDED"),
  );

/** What a subscriber may be called. */
export function refuseName(name: string): void {
  if (name.length > limits.subscriberNameCharsMax)
    refuseViolations([
      { field: "name", message: `is longer than ${limits.subscriberNameCharsMax} characters` },
    ]);
  refuseControls("name", name);
}

/** An address or a webhook as a call gives it. */
function destinationIn({
  case: by,
  value,
}: CreatePageSubscriptionRequest["channel"]): string | WebhookDestination {
  switch (by) {
    case "emailChannel":
      refuseAddress("email_channel.email", value.email);
      return value.email;
    case "webhookChannel":
      return webhookDestination(value.webhookUrl, value.headers);
    case undefined:
      throw new Refusal("invalid_argument", "channel must be email_channel or webhook_channel");
  }
}

/** Why no news of the page can be sent; null if they can. They need a page that its readers can open, and mails a server. */
export function newsHindrance(
  { mails, newsAddress }: Pick<SubscriberApi, "mails" | "newsAddress">,
  page: StatusPageRow,
  byMail: boolean,
): string | null {
  if (byMail ? mails(page) !== null : newsAddress(page) !== null) return null;
  if (newsAddress(page) !== null) return noMailServer;
  return byMail
    ? `${noMailServer}. Then give the service's address in Settings → Service, so that a mail's links work`
    : "give the service's address in Settings → Service, or give the page a domain, so that the links of its news work";
}

function refuseUnsendable(
  api: Pick<SubscriberApi, "mails" | "newsAddress">,
  page: StatusPageRow,
  byMail: boolean,
): void {
  const hindrance = newsHindrance(api, page, byMail);
  if (hindrance !== null) throw new Refusal("failed_precondition", hindrance);
}

/** A page that mails can be sent from. */
async function mailingPage(api: SubscriberApi, id: string): Promise<StatusPageRow> {
  const page = await api.statusPages.get(id);
  refuseUnsendable(api, page, true);
  return page;
}

/** The reader gets a mail, and is a subscriber once its link was followed. */
async function asked(
  { readers }: SubscriberApi,
  { id: page, definition }: StatusPageRow,
  address: string,
): Promise<SubscriberRow> {
  refuseAddress("email", address);
  const locale = definition.defaultLocale;
  const answer = await readers.ask({ page, definition, address, locale, reader: null }, null);
  if (answer === "full") throw tooMany(limits.pageSubscribersMax, "subscribers of this page");
  const row = await readers.ofAddress(page, address);
  if (answer === "taken" && row !== null) return row;
  throw new Refusal(
    "resource_exhausted",
    answer === "taken"
      ? "this address has already had several confirmation mails, or may not read the page: try again tomorrow"
      : "too many subscriptions of this page were requested: try again in an hour",
    because("RATE_LIMIT_EXCEEDED"),
  );
}

function refuseAddress(field: string, text: string): void {
  if (!isReaderAddress(text))
    refuseViolations([{ field, message: "must be one address, for example reader@example.com" }]);
}

async function named(
  api: SubscriberApi,
  page: number,
  identifier: { readonly case: string | undefined; readonly value?: string | undefined },
): Promise<SubscriberRow> {
  const { case: by, value = "" } = identifier;
  if (by === "id") return found(api, page, value);
  if (by === undefined) throw identifierMissing();
  const row = await api.readers.ofAddress(page, value);
  // The address is not said again: a log may have what is refused.
  if (row === null) throw noSubscriber("of this address");
  return row;
}

async function found({ readers }: SubscriberApi, page: number, id: string): Promise<SubscriberRow> {
  const row = await readers.get(integerOf(id) ?? 0);
  if (row === null || row.page !== page) throw noSubscriber(id);
  return row;
}

const optionalTime = (at: SubscriberRow["acceptedAt"]): string => (at === null ? "" : timeText(at));

/** A subscriber as the calls show it; whose key may only read sees no address. */
const shown = (
  row: SubscriberRow,
  readers: PageReaders,
  isOpen: boolean,
): MessageInitShape<typeof PageSubscriberSchema> => ({
  id: String(row.id),
  pageId: String(row.page),
  email: isOpen ? (readers.addressOf(row) ?? "") : "",
  acceptedAt: optionalTime(row.acceptedAt),
  unsubscribedAt: optionalTime(row.unsubscribedAt),
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
  source: numberOf(subscriberSources, row.source),
  ...(row.name === "" || !isOpen ? {} : { name: row.name }),
  channelType: row.way,
  ...(isOpen ? webhookFields(readers.webhookOf(row)) : {}),
  componentIds: (row.components ?? []).map(String),
  failingSince: optionalTime(row.failingSince),
  trouble: row.trouble,
});

function webhookFields(to: WebhookDestination | null): {
  readonly webhookUrl?: string;
  readonly channelConfig?: string;
} {
  if (to === null) return {};
  const config = channelConfig(to);
  return {
    webhookUrl: urlOf(to.configuration),
    ...(config === null ? {} : { channelConfig: config }),
  };
}
