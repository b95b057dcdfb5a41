import * as limits from "#limits/vantage-limits";
import {
  anywhere,
  blamed,
  type Blame,
  type FailedCheck,
  target,
  unclear,
} from "#agent/vantage/blame";
import { datedRefusal, isOfClock } from "#agent/vantage/dated-refusal";
import { lasting } from "#base/duration";
import { millis } from "#base/units";

/** A certificate that is too old or too new by this machine's clock: one of the two is wrong. Null for other failures. */
export function ofDatedCertificate(failed: FailedCheck): Blame | null {
  const { failure, certificate, now, clockAhead } = failed;
  const { message } = failure;
  const refusal = datedRefusal(failure, certificate, now);
  if (refusal === null) return null;
  const clock = `this machine's clock says ${new Date(now).toISOString().replace(/\.\d+/, "")}`;
  if (clockAhead === null)
    return unclear(
      ["me", "target"],
      `${message}, and ${clock}`,
      "compare this machine's clock with another: if it is right, renew the certificate",
    );
  if (Math.abs(clockAhead) <= limits.clockSkewMax)
    return target(`${message}; ${clock}, and the target's says the same`, "renew the certificate");
  const by = `${lasting(millis(Math.abs(clockAhead)))} ${clockAhead > 0 ? "ahead of" : "behind"}`;
  if (!isOfClock(refusal, clockAhead))
    return target(
      `${message}; ${clock}, which is ${by} the target's, and that does not explain it`,
      "renew the certificate; set this machine's clock, too",
    );
  return blamed(
    "me",
    "likely",
    `${message}, but ${clock}, which is ${by} the target's`,
    "set this machine's clock, and keep it in sync by NTP",
  );
}

/** A certificate that is not the target's may be that of something which answers in its place. Null for other failures. */
export function ofForeignCertificate({ failure: { code, message } }: FailedCheck): Blame | null {
  if (code !== "tls_untrusted" && code !== "tls_self_signed" && code !== "tls_hostname")
    return null;
  return unclear(
    anywhere,
    `${message}: it is the target's, or that of something which answers in its place, e.g. a portal or a proxy that reads TLS`,
    "check who issued it: if that is your own authority, set PICKET_CA_FILE to its certificate; if it is neither yours nor the target's, find what answers",
  );
}
