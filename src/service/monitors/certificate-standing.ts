import { policyFrom } from "#check/alert-policy";
import {
  type CertificateEnding,
  certificateEnding,
  type CertificateSpan,
  nextThresholdAt,
} from "#check/certificate-ending";
import type { MonitorDefinition } from "#check/definition";
import type { Judgement } from "#service/monitors/judge";
import type { View } from "#service/store/result-store";
import { between, epochMillis, type EpochMillis, hours, type Millis } from "#base/units";

/** What is known of the certificate that a monitor's target shows. */
export interface CertificateStanding {
  /** The one that ends first, of those that its locations see; null if none sees one. */
  readonly span: CertificateSpan | null;
  /** Null while it is far from its end. */
  readonly ending: CertificateEnding | null;
  /** When the next threshold is passed; null if none comes. */
  readonly nextAt: EpochMillis | null;
  /** Whether the monitor is degraded by it alone: every check is good. */
  readonly isWhy: boolean;
}

/** A location that was silent for longer saw what the target showed then. */
const comparedWithin: Millis = hours(24);

/** Servers behind one name may have different certificates: the first end counts, whichever location sees it. */
export function certificateStanding(
  { active, alerting }: MonitorDefinition,
  views: readonly View[],
  now: EpochMillis,
): CertificateStanding {
  const newest = views.reduce((most, { newestSlot }) => Math.max(most, newestSlot), 0);
  const seeing = views
    .filter(({ newestSlot }) => newest - newestSlot <= comparedWithin)
    .flatMap(({ certificate, seen, newestSlot }) =>
      certificate === null ? [] : [{ span: certificate, since: seen?.since ?? newestSlot }],
    );
  const span = seeing.map((one) => one.span).toSorted((a, b) => a.end - b.end)[0] ?? null;
  if (span === null || !active) return { span, ending: null, nextAt: null, isWhy: false };
  const wanted = policyFrom(alerting).certificateDays;
  const firstSeen = Math.min(
    ...seeing.filter((one) => one.span.end === span.end).map(({ since }) => since),
  );
  return {
    span,
    ending: seenEnding(certificateEnding(span, wanted, now), firstSeen),
    nextAt: nextThresholdAt(span, wanted, now),
    isWhy: false,
  };
}

/** What was near its end before any check saw it is so for its monitor since that check. */
const seenEnding = (
  ending: CertificateEnding | null,
  firstSeen: number,
): CertificateEnding | null =>
  ending === null ? null : { ...ending, since: epochMillis(Math.max(ending.since, firstSeen)) };

/** A monitor whose checks are good is degraded while its certificate ends; what is worse stays what it is. */
export function withCertificate(
  judgement: Judgement,
  standing: CertificateStanding,
  before: Judgement["state"],
  now: EpochMillis,
): { readonly judgement: Judgement; readonly certificate: CertificateStanding } {
  const againAt = earliest(judgement.againAt, standing.nextAt);
  const { ending } = standing;
  if (ending === null || judgement.state.status !== "active")
    return { judgement: { ...judgement, againAt }, certificate: standing };
  const since = between(ending.since, now) < 0 ? now : ending.since;
  const state = before.status === "degraded" ? before : ({ status: "degraded", since } as const);
  return {
    judgement: { state, events: [], againAt },
    certificate: { ...standing, isWhy: true },
  };
}

const earliest = (a: EpochMillis | null, b: EpochMillis | null): EpochMillis | null =>
  a === null || (b !== null && b < a) ? b : a;
