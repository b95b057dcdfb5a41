import type { CertificateFacts } from "#check/outcome";
import { counted } from "#base/text";
import type { EpochMillis } from "#base/units";

const day = 86_400_000;

type Ending = Pick<CertificateFacts, "validTo">;

/** Whole days until a certificate ends; negative once it has. */
export const certificateDaysLeft = ({ validTo }: Ending, now: EpochMillis): number =>
  Math.floor((validTo - now) / day);

/** `12 days left`, `less than a day left`, `expired 3 days ago`. */
export function certificateLeft(certificate: Ending, now: EpochMillis): string {
  const days = certificateDaysLeft(certificate, now);
  if (days < 0) return `expired ${counted(-days, "day")} ago`;
  return days === 0 ? "less than a day left" : `${counted(days, "day")} left`;
}
