import {
  certificateEnding,
  type CertificateSpan,
  nextThresholdAt,
} from "#check/certificate-ending";
import type { MonitorDefinition } from "#check/definition";
import { policyFrom } from "#check/alert-policy";
import * as limits from "#limits/check-limits";
import { figureTile } from "#service/edge/figure-tile";
import { counted, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { verdictMark } from "#web/page/verdict-mark";
import { between, type EpochMillis } from "#base/units";

/**
 * How long it is valid: amber in its last two weeks or once a threshold has passed, and red in its last three days, also if
 * no message says so. Why none does is below it.
 */
export function certificateTile(
  seen: CertificateSpan,
  definition: Pick<MonitorDefinition, "active" | "alerting">,
  at: EpochMillis,
): Html {
  if (seen.end <= at) return figureTile("Certificate", verdictMark("error", "expired"));
  const left = between(at, seen.end);
  const words = `${span(left)} left`;
  const wanted = policyFrom(definition.alerting).certificateDays;
  const isReported = certificateEnding(seen, wanted, at) !== null;
  if (!isReported && left >= limits.certificateDaysMin * day)
    return figureTile("Certificate", words);
  const mark = verdictMark(left <= limits.certificateDaysLate * day ? "error" : "degraded", words);
  const why = isReported || !definition.active ? null : html`; ${unreported(seen, wanted, at)}`;
  return figureTile("Certificate", mark, html`ends soon${why}`);
}

/** Why no message is sent of one that ends soon. */
function unreported(
  seen: CertificateSpan,
  wanted: readonly number[] | null,
  at: EpochMillis,
): string | Html {
  if (wanted?.length === 0) return "its messages are off";
  const next = nextThresholdAt(seen, wanted, at);
  if (next === null)
    return `no message is sent for a certificate of only ${counted(lifeOf(seen), "day")}`;
  return html`the first message comes on ${minuteOf(next)}`;
}

const lifeOf = ({ begin, end }: CertificateSpan): number =>
  Math.max(1, Math.round((end - begin) / day));

const day = 86_400_000;
