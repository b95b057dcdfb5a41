import type { EpochMillis } from "#base/units";

/** How a subscriber is: one of these alone. */
export const subscriberStates = ["confirmed", "unconfirmed", "ended", "unsubscribed"] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** What says how one is. */
interface SubscriberDates {
  readonly acceptedAt: EpochMillis | null;
  readonly unsubscribedAt: EpochMillis | null;
  readonly isEndedByReceiver: boolean;
}

export function subscriberState(row: SubscriberDates): SubscriberState {
  if (row.isEndedByReceiver) return "ended";
  if (row.unsubscribedAt !== null) return "unsubscribed";
  return row.acceptedAt === null ? "unconfirmed" : "confirmed";
}

/** The same of a row of the table. */
export const stateConditions: { readonly [S in SubscriberState]: string } = {
  confirmed: "(accepted_at IS NOT NULL AND unsubscribed_at IS NULL AND ended_by_receiver = 0)",
  unconfirmed: "(accepted_at IS NULL AND unsubscribed_at IS NULL AND ended_by_receiver = 0)",
  ended: "(ended_by_receiver = 1)",
  unsubscribed: "(unsubscribed_at IS NOT NULL AND ended_by_receiver = 0)",
};
