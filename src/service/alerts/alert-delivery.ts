import type { Clock } from "#clock";
import type { Logger } from "#log";
import type { Sender } from "#notify/provider";
import { acknowledgeLinks, type AcknowledgeLinks, linksOf } from "#service/alerts/links";
import type { ChannelBook } from "#service/alerts/channel-book";
import { Courier } from "#service/alerts/courier";
import { Replays } from "#service/alerts/replays";
import type { Monitors } from "#service/monitors";
import type { Store } from "#store/store";

export interface AlertDelivery {
  readonly courier: Courier;
  readonly acknowledge: AcknowledgeLinks;
}

interface DeliveryRooms {
  readonly store: Store;
  readonly monitors: Monitors;
  readonly book: ChannelBook;
  readonly sender: Sender;
  readonly clock: Clock;
}

/** Everything between the outbox and the providers. `secret` signs the links in messages. */
export async function alertDelivery(
  { store, monitors, book, sender, clock }: DeliveryRooms,
  { log, publicUrl }: { readonly log: Logger; readonly publicUrl?: string },
  secret: string,
): Promise<AlertDelivery> {
  const settings = await store.state.settings.all();
  const installation = settings.get("installation") ?? "";
  const acknowledge = acknowledgeLinks(secret);
  const url = publicUrl ?? null;
  const courier = new Courier({
    store,
    book,
    sender,
    clock,
    log,
    service: { name: settings.get("name") ?? "Picket", url },
    serviceSince: clock.wall(),
    installation,
    links: linksOf(url, installation, acknowledge),
    replays: new Replays(store, monitors),
    tried: () => {},
  });
  return { courier, acknowledge };
}
