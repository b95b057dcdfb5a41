import { createHmac } from "node:crypto";
import type { Clock } from "#base/clock";
import { deliveriesKeptFor } from "#limits/alerts-limits";
import { undoneWithin } from "#limits/service-limits";
import * as limits from "#limits/status-limits";
import { clientNetwork } from "#network/client-network";
import { isReaderAddress, mailDomain } from "#service/notify/mail-address";
import type { SecretBox } from "#service/edge/secret-box";
import { maskedMail } from "#service/status-site/news/masked-mail";
import { type NewsLinks, newsLinks } from "#service/status-site/news/news-links";
import { subscriberChanges, type WantedChange } from "#service/status-site/news/subscriber-changes";
import {
  hostOf,
  signed,
  urlOf,
  type WebhookDestination,
} from "#service/status-site/news/webhook-destination";
import {
  isOpenTo,
  locales,
  type Locale,
  type PageDefinition,
} from "#service/status-page/page-definition";
import { actingAs } from "#service/store/audit/actor";
import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import type { Store } from "#service/store/store";
import type { RestoreOutcome } from "#service/store/trash/trash-store";
import {
  type AddOutcome,
  type AskAnswer,
  type ForgottenAsks,
  isActive,
  type LeaverKind,
  type NewSubscription,
  type ResumeOutcome,
  type SubscriberChangeOutcome,
  type SubscriberRow,
  type SubscriberWay,
} from "#service/store/subscriber-store";
import { after, epochMillis, type EpochMillis } from "#base/units";

interface ReaderRooms {
  readonly store: Store;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** A person who wants a mail from a page. */
interface Asker {
  readonly page: number;
  readonly definition: PageDefinition;
  /** As it was written. */
  readonly address: string;
  readonly locale: Locale;
  /** The reader's own address; null if a key asks. */
  readonly reader: string | null;
}

/** A subscription that an operator makes. */
type GivenSubscription = Omit<NewSubscription, "mark" | "sealed" | "at" | "way">;

/** Whom a link that signs in is for. */
interface EntryRecipient {
  readonly address: string;
  readonly locale: Locale;
  /** Where its reader wanted to go. */
  readonly next: string;
}

/** Readers of pages by their addresses, which are sealed where they are kept. */
export class PageReaders {
  readonly links: NewsLinks;
  readonly #store: Store["readers"]["subscribers"];
  readonly #trash: Store["trash"];
  readonly #box: SecretBox;
  readonly #clock: Clock;
  readonly #marking: string;

  constructor({ store, box, clock }: ReaderRooms) {
    this.links = newsLinks(box);
    this.#store = store.readers.subscribers;
    this.#trash = store.trash;
    this.#box = box;
    this.#clock = clock;
    this.#marking = box.keyFor("marks of subscribers");
  }

  /** Takes up a subscription that its reader has to confirm. */
  async ask(asker: Asker, components: readonly number[] | null): Promise<AskAnswer> {
    const { page, address, locale } = asker;
    const sealed = this.#box.seal(address.trim(), sealedFor("email", page));
    return this.#store.ask({ ...this.#asked(asker), sealed, locale, components });
  }

  /** Has a link sent that signs in: to whom the page is open alone, and nothing shows that. */
  async askEntry(asker: Asker, next: string): Promise<AskAnswer> {
    const { page, address, locale, definition } = asker;
    if (definition.access !== "email-domain") return "taken";
    const recipient: EntryRecipient = { address: address.trim(), locale, next };
    const sealed = this.#box.seal(JSON.stringify(recipient), entryPurpose(page));
    return this.#store.askEntry({ ...this.#asked(asker), sealed });
  }

  /** What is answered is the same for every address, also once it is too often: the domains of a page are no one's guess. */
  #asked({ page, definition, address, reader }: Asker) {
    const at = this.#clock.wall();
    const mark = this.markOf("email", address);
    return {
      page,
      mark,
      mayGet: mayRead(definition, address),
      reader: reader === null ? "" : this.#mark(`reader ${clientNetwork(reader)}`),
      at,
    };
  }

  /** Whose key asks answers for it: no confirmation, unless the reader left before. */
  addAddress(made: GivenSubscription, address: string): Promise<AddOutcome> {
    return this.#add({ ...made, way: "email" }, address.trim(), address, maskedMail(address));
  }

  /** Chats and programs cannot confirm: whoever adds one answers for it. */
  async addWebhook(made: GivenSubscription, to: WebhookDestination): Promise<AddOutcome> {
    const url = urlOf(to.configuration);
    const known = await this.#store.ofMark(made.page, "webhook", this.markOf("webhook", url));
    const before = known === null ? null : this.webhookOf(known);
    const kept = { ...to, configuration: signed(to.configuration, before?.configuration) };
    return this.#add({ ...made, way: "webhook" }, JSON.stringify(kept), url, hostOf(to));
  }

  #add(
    made: Omit<NewSubscription, "mark" | "sealed" | "at">,
    destination: string,
    known: string,
    name: string,
  ): Promise<AddOutcome> {
    const { page, way } = made;
    const sealed = this.#box.seal(destination, sealedFor(way, page));
    const mark = this.markOf(way, known);
    const at = this.#clock.wall();
    return this.#store.add({ ...made, mark, sealed, at }, { page, way, name });
  }

  /** Whether a page's news go to it already. */
  async isSubscribed(page: number, to: string | WebhookDestination): Promise<boolean> {
    const [way, text] =
      typeof to === "string"
        ? (["email", to] as const)
        : (["webhook", urlOf(to.configuration)] as const);
    const row = await this.#store.ofMark(page, way, this.markOf(way, text));
    return row !== null && isActive(row);
  }

  /** The subscription that waits for a mail's link; "over" where it is too late, or the link is of an earlier mail. */
  async awaited(page: number, token: string): Promise<SubscriberRow | "over"> {
    const read = this.links.readVerify(token);
    if (read === null || after(read.askedAt, limits.confirmationWithin) <= this.#clock.wall())
      return "over";
    const row = await this.#store.get(read.id);
    if (row === null || row.page !== page) return "over";
    return row.askedAt === read.askedAt || isActive(row) ? row : "over";
  }

  async confirm(page: number, token: string): Promise<boolean> {
    const row = await this.awaited(page, token);
    if (row === "over") return false;
    if (row.askedAt === null) return isActive(row);
    const { id, askedAt } = row;
    const at = this.#clock.wall();
    return this.#byLink(() => this.#store.confirm(id, askedAt, at, this.#loggedOf(row)));
  }

  /** The subscription that a link is for, active or not. */
  async owned(page: number, token: string): Promise<SubscriberRow | null> {
    const id = this.links.readOwn(token);
    const row = id === null ? null : await this.#store.get(id);
    return row?.page === page ? row : null;
  }

  choose(id: number, components: readonly number[] | null): Promise<boolean> {
    return this.#store.choose(id, components, this.#clock.wall());
  }

  /** Ends it, as its reader wants by a link of its news. */
  leaveByLink(row: SubscriberRow): Promise<boolean> {
    return this.#byLink(() => this.leave(row, "reader"));
  }

  leave(row: SubscriberRow, by: LeaverKind): Promise<boolean> {
    return this.#store.leave(row.id, this.#clock.wall(), by, this.#loggedOf(row));
  }

  /** Whether nothing comes any more. One whom an operator removed can come back for a while, unless its reader leaves too. */
  async hasLeft({ id, unsubscribedAt }: SubscriberRow): Promise<boolean> {
    if (unsubscribedAt === null) return false;
    const since = epochMillis(this.#clock.wall() - undoneWithin);
    return (await this.#trash.get("subscriber", id, since)) === null;
  }

  /** As an operator wants, for whom it can be put back for a while. */
  remove(row: SubscriberRow): Promise<boolean> {
    return this.#store.remove(row.id, this.#clock.wall(), this.#loggedOf(row));
  }

  /** As an operator wants, unless it was changed since that operator saw it. */
  change(row: SubscriberRow, wanted: WantedChange): Promise<SubscriberChangeOutcome> {
    const changes = subscriberChanges(row, wanted, (name) => this.#mark(`name ${name}`));
    const logged = { ...this.#loggedOf(row), changes };
    return this.#store.change(row.id, wanted, this.#clock.wall(), logged);
  }

  /** Takes up one again that its receiver ended. */
  resume(row: SubscriberRow): Promise<ResumeOutcome> {
    return this.#store.resume(row.id, this.#clock.wall(), this.#loggedOf(row));
  }

  /** Puts back one that an operator removed since. */
  async restore(id: number, since: EpochMillis): Promise<RestoreOutcome> {
    const row = await this.#store.get(id);
    return row === null ? "gone" : this.#store.restore(id, since, this.#loggedOf(row));
  }

  /** The log does not have the addresses of readers: it is kept for a year. */
  #byLink<T>(work: () => T): T {
    const name = "a link to a subscriber of a status page";
    return actingAs({ kind: "link", name, from: "", at: this.#clock.wall() }, work);
  }

  #loggedOf(row: SubscriberRow): LoggedSubscriber {
    const { page, way } = row;
    return { page, way, name: this.nameOf(row) };
  }

  /** What the log calls it: the host of a webhook, or the domain of a mail. */
  nameOf(row: SubscriberRow): string {
    const webhook = this.webhookOf(row);
    return webhook === null ? maskedMail(this.addressOf(row) ?? "") : hostOf(webhook);
  }

  /** Null if it has a webhook, or the key that sealed it is not there. */
  maskedOf(row: SubscriberRow): string | null {
    const address = this.addressOf(row);
    return address === null ? null : maskedMail(address);
  }

  get(id: number): Promise<SubscriberRow | null> {
    return this.#store.get(id);
  }

  ofAddress(page: number, address: string): Promise<SubscriberRow | null> {
    return this.#store.ofMark(page, "email", this.markOf("email", address));
  }

  /** Null if it has a webhook, or the key that sealed it is not there. */
  addressOf({ way, page, sealed }: SubscriberRow): string | null {
    return way === "email" ? this.#box.open(sealed, sealedFor(way, page)) : null;
  }

  /** Null if it has an address, or the key that sealed it is not there. */
  webhookOf({ way, page, sealed }: SubscriberRow): WebhookDestination | null {
    const text = way === "webhook" ? this.#box.open(sealed, sealedFor(way, page)) : null;
    return text === null ? null : JSON.parse(text);
  }

  entryOf(page: number, sealed: string): EntryRecipient | null {
    const text = this.#box.open(sealed, entryPurpose(page));
    if (text === null) return null;
    const { address = "", locale, next = "" }: Partial<EntryRecipient> = JSON.parse(text);
    return { address, locale: locales.find((one) => one === locale) ?? "en", next };
  }

  /** One address is one subscriber, however its letters are written. */
  markOf(way: SubscriberWay, destination: string): string {
    const text = way === "email" ? destination.trim().toLowerCase() : destination;
    return this.#mark(`${way} ${text}`);
  }

  #mark(text: string): string {
    return createHmac("sha256", this.#marking).update(text).digest("base64url");
  }
}

export const isMailAddress = (text: string): boolean => isReaderAddress(text.trim());

/** Whether a page's news may go to an address: where it is open by domain, to those domains alone. */
export const mayRead = (definition: PageDefinition, address: string): boolean =>
  definition.access !== "email-domain" || isOpenTo(definition, mailDomain(address.trim()));

const sealedFor = (way: SubscriberWay, page: number): string => `subscriber by ${way} ${page}`;
const entryPurpose = (page: number): string => `entry by mail ${page}`;

/** What is forgotten by now. */
export const forgottenBy = (now: EpochMillis): ForgottenAsks => ({
  unconfirmed: epochMillis(now - limits.unconfirmedKeptFor),
  unsubscribed: epochMillis(now - limits.unsubscribedKeptFor),
  asks: epochMillis(now - limits.asksKeptFor),
  tallies: epochMillis(now - deliveriesKeptFor),
});
