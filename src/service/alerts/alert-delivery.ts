import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import type { Sender } from "#service/notify/provider";
import { type AcknowledgeLinks, linksOf } from "#service/alerts/links";
import type { ChannelBook } from "#service/alerts/channel-book";
import { Courier } from "#service/alerts/courier";
import type { DeliveryCounts } from "#service/alerts/delivery-counts";
import { LastAlive } from "#service/alerts/last-alive";
import { Replays } from "#service/alerts/replays";
import type { Monitors } from "#service/monitors/monitors";
import { type Accounts, noAccounts } from "#service/notify/accounts";
import { PhoneQuota } from "#service/alerts/phone-quota";
import { type PublicAddress, serviceNamed } from "#service/edge/public-address";
import type { Store } from "#service/store/store";

interface DeliveryRooms {
  readonly store: Store;
  readonly monitors: Monitors;
  readonly book: ChannelBook;
  readonly sender: Sender;
  readonly counts: DeliveryCounts;
  readonly acknowledge: AcknowledgeLinks;
  readonly publicAddress: PublicAddress;
  readonly clock: Clock;
}

interface CourierOptions {
  readonly log: Logger;
  readonly about?: { readonly name: string };
  readonly notifying?: { readonly accounts: Accounts };
}

/** What stands between the outbox and the providers. */
export async function courierOf(
  { store, monitors, book, sender, counts, acknowledge, publicAddress, clock }: DeliveryRooms,
  { log, about, notifying }: CourierOptions,
): Promise<Courier> {
  const settings = await store.state.settings.all();
  const alive = new LastAlive(store.state.settings, clock);
  const installation = settings.get("installation") ?? "";
  const { phoneMonthlyMax } = notifying?.accounts ?? noAccounts;
  return new Courier({
    store,
    monitors,
    book,
    sender,
    clock,
    log,
    service: serviceNamed(about?.name ?? "Picket", publicAddress),
    stop: await alive.stopUntilNow(),
    alive,
    installation,
    linksOf: (channel) => linksOf(publicAddress, installation, acknowledge, channel),
    replays: new Replays(store, monitors),
    counts,
    phones: new PhoneQuota(store, phoneMonthlyMax, clock),
  });
}
