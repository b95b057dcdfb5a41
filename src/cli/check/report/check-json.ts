import { kindTable } from "#check/kinds/kind-table";
import type { KindEntry } from "#check/kinds/kind-entry";
import { phasesJson } from "#check/phases-json";
import { certificateDaysLeft } from "#check/certificate-left";
import { type ConnectionEvidence, leftNothing, type PathTrace, peerHasAll } from "#check/evidence";
import type { PlaceEvidence } from "#check/place-evidence";
import { reasonsOf, remarksOf } from "#check/remark";
import type { Attempt, Result } from "#check/result";
import { type Kind, kinds } from "#check/monitor";
import type { EpochMillis, Nanos } from "#base/units";
import {
  type AddressAttempt,
  type Outcome,
  type OutcomeOf,
  isUncertain,
  noPhases,
  type TlsFacts,
} from "#check/outcome";

/** A result as `picket check --json` prints it: names in snake_case, each duration in the unit that its name ends in. */
export function resultJson(
  { name, target }: { readonly name: string | null; readonly target: string },
  result: Result,
): object {
  const { outcome } = result;
  return {
    kind: result.kind,
    name,
    target,
    status: result.status,
    latency_ms: result.latency,
    message: reasonsOf(result),
    remarks: remarksOf(result),
    failure: result.failure,
    phases_ns: phasesJson(outcome?.phases ?? noPhases),
    own_ns: outcome?.own ?? null,
    own_error_bar_ns: outcome?.ownErrorBar ?? 0,
    total_ns: outcome?.total ?? 0,
    error_bar_ns: outcome?.errorBar ?? 0,
    uncertain: outcome !== null && isUncertain(outcome),
    started_at: new Date(result.startedAt).toISOString(),
    attempts: result.attempts.length,
    attempt_list: result.attempts.map(attemptJson),
    addresses: (outcome?.addresses ?? []).map(addressJson),
    evidence: evidenceJson(outcome?.evidence ?? null),
    place: placeJson(result.place),
    ...ownFields(outcome),
    tls: outcome === null || outcome.tls === null ? null : tlsJson(outcome.tls, result.startedAt),
    assertions: result.evaluations.map(({ kind, held, expected, received }) => ({
      kind,
      held,
      expected,
      received,
    })),
  };
}

const attemptJson = ({ startedAt, phases, total, own, failure }: Attempt): object => ({
  started_at: new Date(startedAt).toISOString(),
  phases_ns: phasesJson(phases),
  total_ns: total,
  own_ns: own,
  failure,
});

const addressJson = ({ address, port, ended, elapsed, measuredBy }: AddressAttempt): object => ({
  address,
  port,
  ended,
  elapsed_ns: elapsed,
  measured_by: measuredBy,
});

/** What the kernel knew of the connection that failed; null if none did. */
export function evidenceJson(evidence: ConnectionEvidence | null): object | null {
  if (evidence === null) return null;
  const { address, port, peer, source, refusedBy, tcp, path } = evidence;
  return {
    address,
    port,
    peer,
    source,
    refused_by: refusedBy,
    left_nothing: leftNothing(evidence),
    peer_has_all: peerHasAll(evidence),
    tcp:
      tcp === null
        ? null
        : {
            state: tcp.state,
            retransmits: tcp.retransmits,
            retransmitted_in_all: tcp.retransmittedInAll,
            unacknowledged: tcp.unacknowledged,
            unsent_bytes: tcp.unsentBytes,
            last_heard_ms: tcp.sinceHeard,
            acknowledged_bytes: tcp.acknowledgedBytes,
            path_mtu: tcp.pathMtu,
          },
    path: path === null ? null : pathJson(path),
    only_small_packets_pass: evidence.onlySmallPass,
  };
}

const pathJson = ({ hops, packets, reached }: PathTrace): object => ({
  hops: hops.map(({ ttl, address, ended, roundTrip, icmp }) => ({
    ttl,
    address,
    ended,
    rtt_us: microsJson(roundTrip),
    icmp,
  })),
  packets,
  reached,
});

const microsJson = (duration: Nanos | null): number | null =>
  duration === null ? null : Math.round(duration / 1e3);

/** What this machine and its name servers said of themselves; null if the check passed. */
function placeJson(place: PlaceEvidence | null): object | null {
  if (place === null) return null;
  const { resolvers, local, direct, took, leftOut } = place;
  return {
    resolvers: resolvers.map(({ server, outcome, roundTrip }) => ({
      server,
      outcome,
      rtt_us: microsJson(roundTrip),
    })),
    local: {
      device: local.device,
      carrier: local.carrier,
      route: local.route,
      gateway: local.gateway,
      gateway_state: local.gatewayState,
      throttled_share: local.throttledShare,
      pressure_share: local.pressureShare,
    },
    direct,
    took_ms: took,
    left_out: leftOut,
  };
}

/** One field for each kind that has any, null if the check was of another kind. */
const ownFields = (outcome: Outcome | null): Readonly<Record<string, object | null>> =>
  Object.fromEntries(
    kinds
      .filter((kind) => kindTable[kind].json !== null)
      .map((kind) => [kind, outcome?.kind === kind ? ownOf(kind, outcome) : null]),
  );

function ownOf<K extends Kind>(kind: K, outcome: OutcomeOf<K>): object | null {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.json?.(outcome) ?? null;
}

function tlsJson(
  { protocol, cipher, alpn, serverName, certificate, acceptedFault }: TlsFacts,
  now: EpochMillis,
): object {
  return {
    protocol,
    cipher,
    alpn,
    server_name: serverName,
    accepted_fault: acceptedFault,
    certificate:
      certificate === null
        ? null
        : {
            subject: certificate.subject,
            issuer: certificate.issuer,
            alt_names: certificate.altNames,
            valid_from: new Date(certificate.validFrom).toISOString(),
            valid_to: new Date(certificate.validTo).toISOString(),
            days_left: certificateDaysLeft(certificate, now),
            fingerprint_sha256: certificate.fingerprint256,
            chain: certificate.chain,
          },
  };
}
