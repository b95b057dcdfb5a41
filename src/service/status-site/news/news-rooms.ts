import type { PublicAddress } from "#service/edge/public-address";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import type { Accounts } from "#service/notify/accounts";
import { MailPost, type MailWay } from "#service/notify/mail-post";
import type { Sender } from "#service/notify/provider";
import type { SecretBox } from "#service/edge/secret-box";
import { LetterCourier } from "#service/status-site/news/letter-courier";
import { LetterWriting } from "#service/status-site/news/letter-writing";
import { MailCarrier } from "#service/status-site/news/mail-carrier";
import { MomentSayer } from "#service/status-site/news/moment-sayer";
import { PageReaders } from "#service/status-site/news/page-readers";
import { WebhookCarrier } from "#service/status-site/news/webhook-carrier";
import { type AddressedPage, pageAddress } from "#service/status-site/page-address";
import type { Store } from "#service/store/store";

/** What sends news to the readers of status pages. */
export interface NewsRooms {
  readonly readers: PageReaders;
  /** Where a page is, if mails can be sent from it. */
  readonly mails: (page: AddressedPage) => string | null;
  /** Where a page is, so that links of its news lead somewhere; null if that is not known. */
  readonly newsAddress: (page: AddressedPage) => string | null;
  readonly letterPost: MailPost;
  readonly writing: LetterWriting;
  /** One for each way. */
  readonly letters: readonly LetterCourier[];
  readonly moments: MomentSayer;
}

interface NewsParts {
  readonly store: Store;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<Accounts, "smtp">;
  readonly way: MailWay;
  readonly sender: Sender;
  readonly publicAddress: Pick<PublicAddress, "url">;
}

export function newsRooms(parts: NewsParts): NewsRooms {
  const { store, box, clock, log, accounts, way, sender, publicAddress } = parts;
  const readers = new PageReaders({ store, box, clock });
  const writing = new LetterWriting({ store, readers, box, publicAddress, accounts });
  const letterPost = new MailPost(accounts, way);
  const carriers = [
    new MailCarrier({ writing, post: letterPost, clock, log }),
    new WebhookCarrier({ writing, sender, clock, log }),
  ];
  return {
    readers,
    mails: (page) => (accounts.smtp === null ? null : pageAddress(page, publicAddress.url)),
    newsAddress: (page) => pageAddress(page, publicAddress.url),
    letterPost,
    writing,
    moments: new MomentSayer({ letters: store.readers.letters, clock, log }),
    letters: carriers.map((carrier) => new LetterCourier({ store, carrier, readers, clock, log })),
  };
}
