import type { Clock } from "#clock";
import type { Logger } from "#log";
import type { Accounts } from "#notify/accounts";
import { MailPost, type MailWay } from "#notify/mail-post";
import type { SecretBox } from "#service/secret-box";
import { LetterCourier } from "#service/status/news/letter-courier";
import { LetterWriting } from "#service/status/news/letter-writing";
import { PageReaders } from "#service/status/news/page-readers";
import { pageAddress } from "#service/status/page-address";
import type { PageDefinition } from "#status/page-definition";
import type { Store } from "#store/store";

/** What sends news to the readers of status pages. */
export interface NewsRooms {
  readonly readers: PageReaders;
  /** Where a page is, if mails can be sent from it. */
  readonly mails: (definition: PageDefinition) => string | null;
  readonly letterPost: MailPost;
  readonly letters: LetterCourier;
}

interface NewsParts {
  readonly store: Store;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<Accounts, "smtp">;
  readonly way: MailWay;
  /** The service's address as people open it; null where none is set. */
  readonly publicUrl: string | null;
}

export function newsRooms(parts: NewsParts): NewsRooms {
  const { store, box, clock, log, accounts, way, publicUrl } = parts;
  const from = accounts.smtp?.from ?? null;
  const readers = new PageReaders({ store, box, clock });
  const writing = new LetterWriting({ store, readers, box, publicUrl, from });
  const letterPost = new MailPost(accounts.smtp, way);
  return {
    readers,
    mails: (definition) => (from === null ? null : pageAddress(definition, publicUrl)),
    letterPost,
    letters: new LetterCourier({ store, writing, post: letterPost, clock, log }),
  };
}
