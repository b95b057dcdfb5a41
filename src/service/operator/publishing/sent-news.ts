import { counted } from "#web/page/format";
import type { FormField } from "#check/form-field";
import { type Audience, audienceSentence } from "#service/operator/publishing/subscriber-count";
import type { NewsTally } from "#service/store/news/news-tally";
import type { StatusPageRow } from "#service/store/page-store";

/** The box of a form that sends what it says. */
export const notifyLabel = "Send it to the subscribers of the page";

/** The same as a field, with how many get it. On a page that is not published it cannot be ticked. */
export const notifyField = (page: StatusPageRow, audience: Audience): FormField => ({
  group: "says",
  label: notifyLabel,
  help: sendSentence(page, audience),
  control: { is: "flag", isLocked: !page.definition.published },
});

/** What a form says of a page's subscribers before something is sent. */
export const sendSentence = ({ definition }: StatusPageRow, audience: Audience): string =>
  definition.published
    ? audienceSentence(audience)
    : "The page is a draft, so nothing is sent. To send what you write, publish the page first.";

/** What a form says of a report or of planned work: the first word of it, a further one, or other words for one. */
type SaidNews =
  | { readonly is: "first"; readonly hasReaders: boolean }
  | { readonly is: "further"; readonly wasSent: boolean }
  | { readonly is: "correction" };

/**
 * Whether the box is ticked as a form opens; a person may change that. The first word of something is sent, as subscribers
 * wait for just that. A further one is for those who were sent an earlier one. Other words for what was said are sent to
 * no one again.
 */
export function isSentAtFirst(said: SaidNews): boolean {
  switch (said.is) {
    case "first":
      return said.hasReaders;
    case "further":
      return said.wasSent;
    case "correction":
      return false;
  }
}

interface PublishedNews {
  /** Null: no status page shows it. */
  readonly page: StatusPageRow | null;
  /** What becomes of the letters; null: it was not to be sent. */
  readonly tally: NewsTally | null;
  /** Null: no status page shows it. */
  readonly audience: Audience | null;
}

/** Whom news that was just published is sent to, or why it is sent to no one. */
export function sentSentence({ page, tally, audience }: PublishedNews): string {
  if (page === null || audience === null) return "No status page shows it, so no reader sees it.";
  const { title, published } = page.definition;
  if (!published)
    return `The status page “${title}” is a draft: no reader sees it before you publish the page, and nothing is sent.`;
  const count = tally === null ? 0 : tally.sent + tally.failed + tally.waiting + tally.retried;
  if (count > 0) return `It is sent to ${counted(count, "subscriber")}.`;
  if (audience.confirmed === 0) return "It is sent to no one: the page has no subscriber.";
  return tally === null
    ? `It is sent to no one, as “${notifyLabel}” was not ticked.`
    : "It is sent to no one: the subscribers chose other components.";
}
