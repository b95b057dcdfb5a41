import type { Admission } from "#service/status/page-gate";
import type { PublishedPage } from "#service/status/published-pages";
import { closedView, passwordView } from "#service/status/view/event-views";
import { type PagePlace, statusFrame } from "#service/status/view/status-frame";
import { wordsIn } from "#service/status/view/words";
import type { Locale } from "#status/page-definition";

export interface EnterPage {
  readonly page: PublishedPage;
  readonly place: PagePlace;
  readonly locale: Locale;
  readonly admission: Exclude<Admission, "open">;
  readonly fault: "wrong" | "tries" | null;
  readonly next: string;
}

/** What a reader sees who is not let in: a form for the password, or why there is none. It says nothing of the state. */
export function enterPage({ page, place, locale, admission, fault, next }: EnterPage): string {
  const words = wordsIn(locale);
  const { texts } = words;
  const { definition, now } = page.facts;
  const faults = { wrong: texts.wrongPassword, tries: texts.tooManyTries } as const;
  const content = (() => {
    switch (admission) {
      case "password":
        return passwordView(words, place, next, fault === null ? null : faults[fault]);
      case "closed to address":
        return closedView(texts.closedToAddress);
      case "closed to mail":
        return closedView(texts.closedToMail);
    }
  })();
  return statusFrame({
    definition,
    place,
    words,
    title: definition.title,
    summary: "",
    at: now,
    path: "",
    content,
    isOpen: false,
  });
}
