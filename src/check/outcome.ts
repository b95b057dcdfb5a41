import { meanRoundTrip } from "#check/echoes";
import type { QueryType } from "#check/assertion";
import type { ConnectionEvidence } from "#check/evidence";
import type { Failure, FailureCode } from "#check/failure";
import type { FolderKind, Kind, KindTypes } from "#check/monitor";
import * as limits from "#limits/check-limits";
import {
  type EpochMillis,
  millis,
  type Millis,
  nanos,
  type Nanos,
  nanosToMillis,
} from "#base/units";

/** What one attempt saw. A probe always resolves with one of these; what the network does is a value. */
export type Outcome = OutcomeOf<Kind>;
export type OutcomeOf<K extends Kind> = Outcomes[K];

type Outcomes = {
  readonly http: HttpOutcome;
  readonly tcp: TcpOutcome;
  readonly dns: DnsOutcome;
} & { readonly [K in FolderKind]: AttemptFacts & KindTypes[K]["answer"] };

/** What only the outcome of this kind has. */
export type AnswerOf<K extends Kind> = Omit<OutcomeOf<K>, keyof AttemptFacts>;

/** Where the latency of an HTTP check ends: with the body's last byte, or with the first of the final response. */
export const latencyEnds = ["total", "head"] as const;
export type LatencyEnd = (typeof latencyEnds)[number];

/** How long the attempt lasted whose connection the evidence is of. */
export function connectionTook({ addresses, evidence }: Outcome): Millis {
  const attempt = addresses.findLast(({ address }) => address === evidence?.address);
  return nanosToMillis(attempt?.elapsed ?? nanos(0));
}

/** Whether the kernel had no route to any address, and so nothing to say of the target. */
export const isUnrouted = ({ addresses, evidence }: Outcome): boolean =>
  addresses.length > 0 &&
  addresses.every(({ ended }) => ended === "network_unreachable") &&
  evidence !== null &&
  evidence.refusedBy === null &&
  evidence.source === null;

/** The latency to the nanosecond: of echoes the mean of the replies, and else what the attempt took. */
const latencyNanos = (outcome: Outcome): Nanos => meanRoundTrip(outcome) ?? theirs(outcome);

/** What an attempt took without our own work in between. */
export const theirs = ({ total, own }: Pick<AttemptFacts, "total" | "own">): Nanos =>
  nanos(total - (own ?? 0));

/**
 * The latency that is reported and judged: whole milliseconds, so that a verdict never contradicts its number. What
 * failed took all of its time, wherever a latency ends.
 */
export function latencyOf(outcome: Outcome, end: LatencyEnd): Millis {
  const { failure } = outcome;
  const endsEarly = end === "head" && outcome.kind === "http" && failure === null;
  const body = endsEarly ? (outcome.hops.at(-1)?.phases.receive ?? 0) : 0;
  return millis(Math.round((latencyNanos(outcome) - body) / 1e6));
}

/**
 * Whether the probe was too busy for its figures to be believed: an error bar of more than 1 ms and more than a tenth
 * of the whole. Such a result still says whether a target is up; whether it is slow, slowness.ts judges.
 */
export const isUncertain = (seen: Pick<AttemptFacts, "total" | "own" | "errorBar">): boolean =>
  seen.errorBar > limits.errorBarMax && seen.errorBar > theirs(seen) * limits.errorBarShareMax;

const noBody = new Uint8Array();

/** The body that came with an outcome. */
export const bodyOf = (outcome: Outcome): Uint8Array =>
  outcome.kind === "http" ? (outcome.response?.body ?? noBody) : noBody;

/** What is kept of an outcome that was judged: of a long body, the beginning that is reported. Frees the rest at once. */
export function judgedOutcome(outcome: Outcome): Outcome {
  const body = bodyOf(outcome);
  if (outcome.kind !== "http" || outcome.response === null) return outcome;
  if (body.length <= limits.reportedBodyBytesMax) return outcome;
  const beginning = Uint8Array.from(body.subarray(0, limits.reportedBodyBytesMax));
  // The collector would find it long after others needed it.
  if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  return { ...outcome, response: { ...outcome.response, body: beginning } };
}

export const phaseNames = ["dns", "connect", "proxy", "tls", "write", "wait", "receive"] as const;
export type PhaseName = (typeof phaseNames)[number];

/** Exclusive, contiguous parts of an attempt; null did not happen. Those that happened sum to the total less `own`. */
export type Phases = { readonly [P in PhaseName]: Nanos | null };

/** Whose measure a figure is: the kernel's own, or that of the event by which we learned of it. */
export type MeasuredBy = "kernel" | "event";

/** One address that was dialled: how it ended and how long that took. */
export interface AddressAttempt {
  readonly address: string;
  readonly port: number;
  /** "connected" won, "abandoned" lost the race against another address. */
  readonly ended: "connected" | "abandoned" | FailureCode;
  readonly elapsed: Nanos;
  /** Whose measure `elapsed` is. */
  readonly measuredBy: MeasuredBy;
}

/** The certificate that a peer showed, kept also when it was refused. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly altNames: readonly string[];
  readonly validFrom: EpochMillis;
  readonly validTo: EpochMillis;
  readonly fingerprint256: string;
  /** Subjects of the chain as shown, leaf first. */
  readonly chain: readonly string[];
}

export interface TlsFacts {
  readonly protocol: string | null;
  readonly cipher: string | null;
  readonly alpn: string | null;
  readonly serverName: string | null;
  readonly certificate: CertificateFacts | null;
  /** Why the certificate would be refused, where a person asked for it to be accepted anyway. */
  readonly acceptedFault: string | null;
}

interface AttemptFacts {
  /** Wall clock at the start of the attempt. */
  readonly startedAt: EpochMillis;
  readonly phases: Phases;
  readonly total: Nanos;
  /**
   * How much of the total was our own work, while the peer waited for our next packet: it is in no phase and no
   * latency. Null if that is not known; it is then part of the phases.
   */
  readonly own: Nanos | null;
  readonly addresses: readonly AddressAttempt[];
  readonly tls: TlsFacts | null;
  /** How far any phase, or the latency, may be from what the wire did, because the probe was busy with other things. */
  readonly errorBar: Nanos;
  /** How much further our own work may be, and the total with it. */
  readonly ownErrorBar: Nanos;
  /** What the kernel knew of the connection that failed; null if none did, or it does not say. */
  readonly evidence: ConnectionEvidence | null;
  /** Null when the wire did all it should; assertions are not yet looked at. */
  readonly failure: Failure | null;
}

/** When an attempt began, how long it took, and how far these times may be off. */
export type AttemptTimes = Pick<
  AttemptFacts,
  "startedAt" | "phases" | "total" | "own" | "errorBar" | "ownErrorBar"
>;

export interface HttpResponse {
  readonly statusCode: number;
  /** "1.0", "1.1" or "2". */
  readonly version: string;
  /** In the order they came, names as they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded, up to the limit; once it was judged, only its beginning. Never shared. */
  readonly body: Uint8Array;
  /** How long `body` was when it was judged. */
  readonly bodyBytes: number;
  /** True when `body` is only a beginning: there was more than the limit, or it broke off. */
  readonly bodyCut: boolean;
  /** Bytes of body on the wire, before decoding. */
  readonly bodyBytesReceived: number;
  /** Status codes of 1xx responses that came before this one. */
  readonly informational: readonly number[];
}

/** One request of a redirect chain, the last one included. The URL has neither query nor user-info. */
export interface Hop {
  readonly url: string;
  readonly statusCode: number | null;
  readonly startedAt: EpochMillis;
  readonly phases: Phases;
  /** Names of headers that this request did not carry any more: they were meant for the origin before. */
  readonly leftBehind: readonly string[];
}

export interface HttpOutcome extends AttemptFacts {
  readonly kind: "http";
  readonly hops: readonly Hop[];
  /** Null when no complete response head came. */
  readonly response: HttpResponse | null;
}

export interface TcpOutcome extends AttemptFacts {
  readonly kind: "tcp";
}

export interface DnsRecord {
  readonly type: QueryType;
  /** Names keep the trailing dot; MX is `host.:preference`; the chunks of one TXT record are joined. */
  readonly value: string;
}

export interface DnsOutcome extends AttemptFacts {
  readonly kind: "dns";
  /** `address:port` of the server that gave the last answer, or was asked last. */
  readonly server: string | null;
  /** NOERROR, NXDOMAIN, …; null when no answer came. */
  readonly rcode: string | null;
  readonly transport: "udp" | "tcp" | null;
  /** Whose instant the end of the last answer is; null when no answer came. */
  readonly measuredBy: MeasuredBy | null;
  readonly records: readonly DnsRecord[];
}

/** Of an attempt that has not begun. */
export const noPhases: Phases = {
  dns: null,
  connect: null,
  proxy: null,
  tls: null,
  write: null,
  wait: null,
  receive: null,
};
