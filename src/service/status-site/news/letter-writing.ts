import { randomUUID } from "node:crypto";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/status-limits";
import type { PublicAddress } from "#service/edge/public-address";
import type { Accounts } from "#service/notify/accounts";
import type { Channel } from "#service/notify/channel";
import type { PageNews } from "#service/notify/event";
import type { Mail } from "#service/notify/mail";
import type { Delivery } from "#service/notify/provider";
import { channelWith } from "#service/channels/channel-message";
import type { SecretBox } from "#service/edge/secret-box";
import type { LetterScene } from "#service/status-site/news/letter-draft";
import { letterMail } from "#service/status-site/news/letter-mail";
import { letterNotice, testNotice } from "#service/status-site/news/letter-notice";
import { isOvertaken } from "#service/status-site/news/work-state";
import { mayRead, type PageReaders } from "#service/status-site/news/page-readers";
import { pageAddress } from "#service/status-site/page-address";
import { entryToken } from "#service/status-site/page-gate";
import { wordsIn } from "#service/status-site/view/words";
import type { Locale } from "#service/status-page/page-definition";
import type { PageContent } from "#service/store/page-store";
import {
  isActive,
  type Letter,
  type NewsLetter,
  type SubscriberRow,
} from "#service/store/subscriber-store";
import type { Store } from "#service/store/store";
import { between, type EpochMillis, type Millis } from "#base/units";

interface LetterRooms {
  readonly store: Store;
  readonly readers: PageReaders;
  readonly box: SecretBox;
  readonly publicAddress: Pick<PublicAddress, "url">;
  /** As they are when a letter is written. */
  readonly accounts: Pick<Accounts, "smtp">;
}

/** A letter as it is sent to the URL of a subscriber. */
interface WebhookLetter {
  readonly channel: Channel;
  readonly delivery: Delivery;
}

/** Makes a mail or a message of what waits, by how things stand when it is sent. */
export class LetterWriting {
  readonly #rooms: LetterRooms;

  constructor(rooms: LetterRooms) {
    this.#rooms = rooms;
  }

  /** Null if no one is to get it any more: it is too late, its reader left, or its page is not shown. */
  async mail(letter: Letter, now: EpochMillis): Promise<Mail | null> {
    const { smtp } = this.#rooms.accounts;
    const content = await this.#shown(letter, now);
    const recipient = this.#recipientOf(letter);
    if (content === null || smtp === null || recipient === null) return null;
    const { to, locale, token } = recipient;
    if (!mayRead(content.page.definition, to)) return null;
    const scene = this.#scene(content, locale, token);
    return scene === null ? null : letterMail(letter, { ...scene, to, from: smtp.from });
  }

  /** The same for a subscriber with a webhook. */
  async webhook(letter: NewsLetter, now: EpochMillis): Promise<WebhookLetter | null> {
    const content = await this.#shown(letter, now);
    if (content === null || !isActive(letter.subscriber)) return null;
    const id = `letter-${letter.id}.${content.page.uid}`;
    return this.#toWebhook(letter.subscriber, content, id, (scene) => letterNotice(letter, scene));
  }

  /** A message to a webhook that says that it is a test; null if it cannot be sent. */
  async test(subscriber: SubscriberRow, now: EpochMillis): Promise<WebhookLetter | null> {
    const content = await this.#rooms.store.pages.pages.content(subscriber.page);
    if (content === null) return null;
    const id = `test_${randomUUID()}`;
    return this.#toWebhook(subscriber, content, id, (scene) => testNotice(subscriber, scene, now));
  }

  #toWebhook(
    subscriber: SubscriberRow,
    content: PageContent,
    id: string,
    noticeOf: (scene: LetterScene) => PageNews,
  ): WebhookLetter | null {
    const to = this.#rooms.readers.webhookOf(subscriber);
    const scene = this.#scene(content, subscriber.locale, "");
    if (to === null || scene === null) return null;
    const { provider, configuration } = to;
    const { timeZone } = content.page.definition;
    return {
      channel: channelWith(String(subscriber.id), subscriber.name, provider, configuration),
      delivery: { id, notice: noticeOf(scene), reference: null, timeZone },
    };
  }

  async #shown(letter: Letter, now: EpochMillis): Promise<PageContent | null> {
    if (between(letter.createdAt, now) >= triedFor[letter.of]) return null;
    if (letter.of === "maintenance" && isOvertaken(letter, now)) return null;
    const content = await this.#rooms.store.pages.pages.content(letter.page);
    return content?.page.definition.published === true ? content : null;
  }

  #scene(content: PageContent, locale: Locale, token: string): LetterScene | null {
    const { page, components } = content;
    const address = pageAddress(page, this.#rooms.publicAddress.url);
    if (address === null) return null;
    return {
      page,
      address,
      words: wordsIn(locale, page.definition.timeZone),
      links: this.#rooms.readers.links,
      componentNames: new Map(components.map(({ id, name }) => [id, name])),
      entryToken: token,
    };
  }

  #recipientOf(
    letter: Letter,
  ): { readonly to: string; readonly locale: Locale; readonly token: string } | null {
    const { readers, box } = this.#rooms;
    if (letter.of === "entry") {
      const entry = readers.entryOf(letter.page, letter.sealed);
      if (entry === null) return null;
      const facts = { page: letter.page, ask: letter.ask, at: letter.createdAt };
      const token = entryToken(box, { ...facts, ...entry });
      return { to: entry.address, locale: entry.locale, token };
    }
    const { subscriber } = letter;
    if (letter.of !== "confirmation" && !isActive(subscriber)) return null;
    const to = readers.addressOf(subscriber);
    return to === null ? null : { to, locale: subscriber.locale, token: "" };
  }
}

/** A link that is over by then is of no use, and news of yesterday are none. */
const triedFor: { readonly [O in Letter["of"]]: Millis } = {
  confirmation: limits.confirmationWithin,
  entry: limits.entryWithin,
  report: alertsLimits.deliveryTriedFor,
  maintenance: alertsLimits.deliveryTriedFor,
  cancellation: alertsLimits.deliveryTriedFor,
};
