import { certificateDaysLeft, certificateLeft } from "#check/certificate-left";
import * as limits from "#limits/check-limits";
import { isUncertain, phaseNames, type Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import { speedOf } from "#check/slowness";
import { type Millis, nanosToMillis } from "#base/units";

type RemarkSource = Pick<Result, "status" | "latency" | "degradedAt" | "outcome">;

/**
 * What a person should know of a check that reached its target, a sentence each, the most important first: why it is
 * degraded or may be, and a certificate that ends soon. Why a check failed is in its failure.
 */
export function remarksOf(result: RemarkSource): readonly string[] {
  const { outcome } = result;
  if (outcome === null) return [];
  return [acceptedFault(outcome), slowness(result, outcome), endingCertificate(outcome)].filter(
    (one) => one !== null,
  );
}

/** What passes without being trusted proves less: whoever is on the way may have answered. */
function acceptedFault({ tls }: Outcome): string | null {
  const fault = tls?.acceptedFault ?? null;
  return fault === null ? null : `not verified, accepted as asked: ${fault}`;
}

/** Why it failed, and the remarks, in one line. */
export const reasonsOf = (result: RemarkSource & Pick<Result, "failure">): string =>
  [...(result.failure === null ? [] : [result.failure.message]), ...remarksOf(result)].join("; ");

/** Whether a check passed so near to its threshold that it may have been slow. */
export const isPerhapsSlow = ({ status, latency, degradedAt, outcome }: RemarkSource): boolean =>
  status === "success" &&
  outcome !== null &&
  speedOf(latency, outcome.errorBar, degradedAt) === "unsure";

/** `slow: 612 ms, over the threshold of 500 ms; most of it was wait, 540 ms`. */
function slowness(result: RemarkSource, outcome: Outcome): string | null {
  const { status, latency, degradedAt } = result;
  const doubt = nanosToMillis(outcome.errorBar);
  if (status === "degraded" && degradedAt !== null) {
    const took = isUncertain(outcome) ? `${latency} ± ${doubt.toFixed(1)} ms` : `${latency} ms`;
    return `slow: ${took}, over the threshold of ${degradedAt} ms${longestPhase(outcome, latency)}`;
  }
  if (!isPerhapsSlow(result)) return null;
  return `perhaps slow: ${latency} ± ${doubt.toFixed(1)} ms, too close to the threshold of ${degradedAt} ms to be sure`;
}

function longestPhase({ phases, total }: Outcome, latency: Millis): string {
  const [longest] = phaseNames
    .map((name) => ({ name, took: phases[name] ?? 0 }))
    .toSorted((a, b) => b.took - a.took);
  if (longest === undefined || longest.took === 0) return "";
  const took = Math.round(longest.took / 1e6);
  if (took === latency) return `; all of it was ${longest.name}`;
  const share = longest.took > total / 2 ? "most of it was" : "the longest phase was";
  return `; ${share} ${longest.name}, ${took} ms`;
}

/** A certificate that has ended already fails the check, and its failure says so. */
function endingCertificate({ tls, startedAt }: Outcome): string | null {
  const certificate = tls?.certificate ?? null;
  if (certificate === null) return null;
  const days = certificateDaysLeft(certificate, startedAt);
  if (days < 0 || days >= limits.certificateDaysMin) return null;
  const until = new Date(certificate.validTo).toISOString();
  return `the certificate has ${certificateLeft(certificate, startedAt)}: renew it before ${until}`;
}
