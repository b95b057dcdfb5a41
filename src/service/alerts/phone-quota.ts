import type { Clock } from "#base/clock";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { stopped } from "#service/notify/outcomes";
import type { Store } from "#service/store/store";

/** Messages to phones cost money: the service sends so many in a month of UTC, and says so when they are used up. */
export class PhoneQuota {
  readonly #deliveries: Store["alerts"]["deliveries"];
  readonly #monthlyMax: number;
  readonly #clock: Clock;

  constructor({ alerts }: Store, monthlyMax: number, clock: Clock) {
    this.#deliveries = alerts.deliveries;
    this.#monthlyMax = monthlyMax;
    this.#clock = clock;
  }

  /** What happens to a message when none is left; null while there is. */
  async refusal(): Promise<DeliveryOutcome | null> {
    const used = await this.#deliveries.phonesUsed(this.#month());
    if (used < this.#monthlyMax) return null;
    return stopped(
      "failing",
      "quota_used_up",
      `this month's quota of messages to phones (${this.#monthlyMax}) is used up: raise PICKET_PHONE_MESSAGES_MAX at the service`,
      null,
    );
  }

  used(): Promise<void> {
    return this.#deliveries.usePhone(this.#month());
  }

  /** E.g. 2026-08. */
  #month(): string {
    return new Date(this.#clock.wall()).toISOString().slice(0, 7);
  }
}
