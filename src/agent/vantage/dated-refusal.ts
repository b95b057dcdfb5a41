import type { Failure } from "#check/failure";
import type { CertificateFacts } from "#check/outcome";

/** A certificate that is too old or too new by this machine's clock. */
export interface DatedRefusal {
  readonly is: "too old" | "too new";
  /** By how many milliseconds; 0 if its own dates are good, for then one that it depends on is refused. */
  readonly by: number;
}

type Dates = Pick<CertificateFacts, "validFrom" | "validTo">;

/** Null for other failures; `now` is what this machine's clock said. */
export function datedRefusal(
  { code }: Failure,
  dates: Dates | null,
  now: number,
): DatedRefusal | null {
  switch (code) {
    case "tls_expired":
      return { is: "too old", by: Math.max(0, now - (dates?.validTo ?? now)) };
    case "tls_not_yet_valid":
      return { is: "too new", by: Math.max(0, (dates?.validFrom ?? now) - now) };
    default:
      return null;
  }
}

/** Whether the certificate is good once the clock is right, which is so many milliseconds ahead, or behind if negative. */
export function isOfClock({ is, by }: DatedRefusal, ahead: number): boolean {
  const off = is === "too old" ? ahead : -ahead;
  return off > 0 && off >= by;
}
