import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { Courier } from "#service/alerts/courier";
import type { Health } from "#service/health";
import type { Judging } from "#service/judge/judging";
import { nanos, type Nanos, nanosToMillis } from "#base/units";

export interface Workers {
  readonly judging: Pick<Judging, "lookedAt">;
  readonly courier: Pick<Courier, "lookedAt">;
  readonly health: Health;
}

/** Says why people are not notified at present, as the end of a sentence; null if they are. */
export const standstillOf =
  ({ judging, courier, health }: Workers, clock: Clock) =>
  async (): Promise<string | null> => {
    const stands = (lookedAt: Nanos | null): boolean =>
      lookedAt === null ||
      nanosToMillis(nanos(clock.monotonic() - lookedAt)) > limits.standstillAfter;
    if (stands(judging.lookedAt)) return "the monitors are not judged";
    if (stands(courier.lookedAt)) return "the outbox is not looked at";
    return health();
  };
