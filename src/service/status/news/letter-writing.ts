import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/status-limits";
import type { Mail } from "#notify/mail";
import type { SecretBox } from "#service/secret-box";
import { letterMail } from "#service/status/news/letter-mail";
import { mayRead, type PageReaders } from "#service/status/news/page-readers";
import { pageAddress } from "#service/status/page-address";
import { entryToken } from "#service/status/page-gate";
import { isActive, type Letter } from "#store/subscriber-store";
import type { PageContent } from "#store/page-store";
import type { Store } from "#store/store";
import { between, type EpochMillis, type Millis } from "#units";

export interface LetterRooms {
  readonly store: Store;
  readonly readers: PageReaders;
  readonly box: SecretBox;
  /** The service's address as people open it; null where none is set. */
  readonly publicUrl: string | null;
  /** The sender; null where no mail server is set. */
  readonly from: string | null;
}

/** Makes a mail of what waits, by how things stand when it is sent. */
export class LetterWriting {
  readonly #rooms: LetterRooms;

  constructor(rooms: LetterRooms) {
    this.#rooms = rooms;
  }

  /** Null where nobody is to get it any more: it is too late, its reader left, or its page is not shown. */
  async written(letter: Letter, now: EpochMillis): Promise<Mail | null> {
    const { store, readers, publicUrl, from } = this.#rooms;
    const content = await store.pages.pages.content(letter.page);
    if (content === null || from === null || !content.page.definition.published) return null;
    if (between(letter.createdAt, now) >= triedFor[letter.of]) return null;
    const address = pageAddress(content.page.definition, publicUrl);
    const recipient = this.#recipientOf(letter);
    if (address === null || recipient === null) return null;
    if (!mayRead(content.page.definition, recipient.to)) return null;
    return letterMail(letter, {
      ...recipient,
      page: content.page,
      address,
      from,
      links: readers.links,
      componentNames: namesOf(content),
    });
  }

  #recipientOf(letter: Letter) {
    const { readers, box } = this.#rooms;
    if (letter.of === "entry") {
      const entry = readers.entryOf(letter.page, letter.sealed);
      if (entry === null) return null;
      const facts = { page: letter.page, ask: letter.ask, at: letter.createdAt };
      const token = entryToken(box, { ...facts, ...entry });
      return { to: entry.address, locale: entry.locale, entryToken: token };
    }
    const { subscriber } = letter;
    if (letter.of !== "confirmation" && !isActive(subscriber)) return null;
    const to = readers.destinationOf(subscriber);
    return to === null ? null : { to, locale: subscriber.locale, entryToken: "" };
  }
}

const namesOf = ({ components }: PageContent): ReadonlyMap<number, string> =>
  new Map(components.map(({ id, name }) => [id, name]));

/** A link that is over by then is of no use, and news of yesterday are none. */
const triedFor: { readonly [O in Letter["of"]]: Millis } = {
  confirmation: limits.confirmationWithin,
  entry: limits.entryWithin,
  report: alertsLimits.deliveryTriedFor,
  maintenance: alertsLimits.deliveryTriedFor,
};
