import type { DeliveryOutcome, TroubleCode } from "#service/notify/delivery-outcome";
import type { HttpReply } from "#service/notify/provider-request";
import { retryAfterOf } from "#network/retry-after";
import * as limits from "#limits/alerts-limits";
import { type EpochMillis, type Millis, millis } from "#base/units";

/* What became of a message, as every provider says it. */

export const delivered = (reference: string | null = null): DeliveryOutcome => ({
  is: "delivered",
  reference,
  moved: null,
});

/** An outcome that is no delivery, with its reason. */
export const stopped = (
  is: "failing" | "permanent" | "disabled",
  code: TroubleCode,
  message: string,
  status: number | null,
): DeliveryOutcome => ({ is, trouble: { code, message, status } });

export const again = (
  code: TroubleCode,
  message: string,
  status: number | null,
  after: Millis | null = null,
): DeliveryOutcome => ({
  is: "again",
  after: after === null ? null : millis(Math.min(after, limits.notifyWaitMax)),
  trouble: { code, message, status },
});

/** What an HTTP status means where the provider says nothing more exact. */
export function plainOutcome(
  { status, headers }: HttpReply,
  label: string,
  now: EpochMillis,
): DeliveryOutcome {
  const wait = retryAfterOf(headers["retry-after"] ?? null, now);
  if (status >= 200 && status < 300) return delivered();
  if (status >= 300 && status < 400)
    return stopped(
      "permanent",
      "redirected",
      `${label} answers with a redirect (${status}), which is not followed: use the URL that it leads to`,
      status,
    );
  if (status === 401 || status === 403) return keyRefused(label, status);
  if (status === 404) return targetMissing("permanent", label, status);
  if (status === 410) return targetMissing("disabled", label, status);
  if (status === 429) return slowDown(label, status, wait);
  if (status === 408 || status === 425 || status >= 500)
    return again("provider_failed", `${label} reports an internal error (${status})`, status, wait);
  return messageRefused(label, status);
}

export const keyRefused = (label: string, status: number): DeliveryOutcome =>
  stopped(
    "failing",
    "key_refused",
    `${label} does not take its key (${status}): use one that is valid`,
    status,
  );

export const targetMissing = (
  is: "permanent" | "disabled",
  label: string,
  status: number,
): DeliveryOutcome =>
  stopped(
    is,
    "channel_gone",
    `${label} does not know this address any more (${status}): make a new one there, and use that one`,
    status,
  );

export const slowDown = (label: string, status: number, wait: Millis | null): DeliveryOutcome =>
  again("slow_down", `${label} asks for fewer messages (${status})`, status, wait);

const messageRefused = (label: string, status: number): DeliveryOutcome =>
  stopped(
    "permanent",
    "message_refused",
    `${label} does not take this message (${status})`,
    status,
  );
