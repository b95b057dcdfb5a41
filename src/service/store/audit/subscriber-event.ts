import type { FieldChange } from "#service/store/audit/field-change";

/** A subscriber as the log may have it: where news go is a secret, so it has the host of a webhook, or a mail's domain. */
export interface LoggedSubscriber {
  readonly page: number;
  readonly way: "email" | "webhook";
  /** E.g. `hooks.slack.com` or `a•••@example.com`. */
  readonly name: string;
  /** What an operator changed of it; left out of everything else that happens. */
  readonly changes?: readonly FieldChange[];
}

/** A subscriber of a status page was added or confirmed, given again, removed or put back, by an operator or by its own link. */
export interface SubscriberEvent {
  readonly deed: "made" | "changed" | "deleted" | "restored";
  readonly subscriber: LoggedSubscriber & { readonly id: number };
}

export const subscriberFields = ({ deed, subscriber }: SubscriberEvent): readonly FieldChange[] => {
  const facts = { page: String(subscriber.page), subscription: subscriptionWords(subscriber) };
  const said = Object.entries(facts).map(([field, value]): FieldChange =>
    deed === "deleted"
      ? { field, is: "text", before: value, after: null }
      : { field, is: "text", before: null, after: value },
  );
  return [...said, ...(subscriber.changes ?? [])];
};

/** `number 5, by webhook`, as the page of subscribers has it. */
export const subscriptionWords = ({
  way,
  id,
}: {
  readonly way: "email" | "webhook";
  readonly id: number;
}): string => `number ${id}, by ${way === "webhook" ? "webhook" : "e-mail"}`;
