import type { Html } from "#web/page/html";
import type { Admission } from "#service/status-site/page-gate";
import { closedView, mailView, passwordView } from "#service/status-site/view/enter-views";
import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";

/** Why a reader was not let in: a wrong password, too many tries, no address, or too many mails. */
export type EntryFault = "wrong" | "tries" | "address" | "asks";

interface EnterPage {
  readonly words: PageWords;
  readonly place: PagePlace;
  readonly admission: Exclude<Admission, "open">;
  readonly fault: EntryFault | null;
  readonly next: string;
}

/** What a reader sees who is not let in: a form for the password or an address, or why there is none. It says nothing of the state. */
export function enterPage({ words, place, admission, fault, next }: EnterPage): Html {
  const { texts } = words;
  const faults: { readonly [F in EntryFault]: string } = {
    wrong: texts.wrongPassword,
    tries: texts.tooManyTries,
    address: texts.news.notAnAddress,
    asks: texts.news.tooManyAsks,
  };
  const form = { next, fault: fault === null ? null : faults[fault] };
  switch (admission) {
    case "password":
      return passwordView(words, place, form);
    case "closed to address":
      return closedView(texts.closedToAddress);
    case "mail":
      return place.mails === null ? closedView(texts.closedToMail) : mailView(words, place, form);
  }
}
