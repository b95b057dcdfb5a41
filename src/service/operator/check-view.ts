import { failureSentence } from "#service/notify/message/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import type { ResultMessages } from "#wire/kinds/kind-codec";
import { codecOf } from "#wire/kinds/codec-table";
import type { CertificateSpan } from "#check/certificate-ending";
import type { Kind } from "#check/monitor";
import type { Fact } from "#check/fact";
import type { BatchResult, CheckDetail } from "#contract/private_location/v1/private_location_pb";
import { failureCodes } from "#check/failure";
import { evaluationWords } from "#check/shown-evaluation";
import { showUrl } from "#check/target";
import { isoTime, latencyWords, span, timeOfDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { type CheckTimes, phaseTable } from "#web/page/phase-table";
import { showHostPort } from "#network/host-port";
import type { MonitorDefinition } from "#check/definition";
import { OwnSecrets } from "#service/monitors/own-secrets";
import { answerView, shownReceived } from "#service/operator/failures/answer-view";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { evidenceFacts, type ShownEvidence } from "#service/operator/evidence-facts";
import type { ResultWithDetail } from "#service/store/result-store";
import {
  between,
  epochMillis,
  type EpochMillis,
  type Nanos,
  nanos,
  nanosToMillis,
} from "#base/units";
import { ownIn, phasesIn } from "#wire/read-phases";
import { messageOf } from "#wire/report";

/** Where the parts of a check are, by the page that it is on. */
interface CheckPlan {
  /** What is said above it already. */
  readonly said: string | null;
  readonly assertions: "here" | "above";
  /** Whether the answer that a check failed by is before the phases, and not after them. */
  readonly answer: "first" | "last";
}

/**
 * One check as it was: why it failed, unless that was `said` above it, where the time went, and what was seen: also of
 * each assertion, unless that is above. Values of headers and the body only where a server answered to a check that is not well.
 */
export function checkView(
  result: ResultWithDetail,
  place: string,
  now: EpochMillis,
  { evidence: shown, secrets }: ShownCheck,
  { said, assertions, answer }: CheckPlan,
): Html {
  const { attempts, failure, statusCode } = result;
  const whole = wholeOf(result);
  const detail = whole?.detail ?? null;
  // What came is exact; the row has whole microseconds.
  const phases = whole === null ? result.phases : phasesIn(whole);
  const own = whole === null ? result.own : ownIn(whole);
  const facts: readonly Fact[] = [
    { label: "Location", value: place },
    ...(attempts > 1 ? [{ label: "Attempts", value: `${attempts}, the last one is shown` }] : []),
    ...(statusCode === 0 ? [] : [{ label: "Status", value: String(statusCode) }]),
    ...(whole === null ? [] : answerFacts(whole.result, whole.detail)),
    ...(detail === null ? [] : factsOf(detail, now, shown)),
    ...(assertions === "above" ? [] : assertionFacts(detail, shown, secrets)),
  ];
  const message = failureSentence(result.detail?.message ?? "");
  const ping = result.echoes === null ? {} : { connecting: "round trip" };
  const times = phaseTable({ phases, own, ...timesIn(detail), failure, ...ping });
  const seen = seenFacts(result, facts, now);
  const answered = whole === null ? null : answerView(whole, secrets, shown);
  const isFirst = answer === "first" && isByAnswer(result);
  return html`${message === "" || message === said ? null : html`<p class="why">${message}</p>`}
  ${failure === null || message === said ? null : reasonLine(failure)}
  ${unsaid(detail?.remarks ?? [], [message, said ?? ""]).map(remarkLine)}
  ${isFirst ? answered : null}
  ${
    times === null
      ? seen
      : html`<div class="check-parts">
          <div>${times}</div>
          ${seen}
        </div>`
  }
  ${isFirst ? null : answered}`;
}

/** Of a check that was only slow, what its agent remarks is its sentence already. */
const unsaid = (remarks: readonly string[], said: readonly string[]): readonly string[] =>
  remarks.filter((remark) => !said.includes(failureSentence(remark)));

/** Whether a check failed by what the server answered: that says more of it than where the time went. */
const isByAnswer = ({ status, failure, statusCode }: ResultWithDetail): boolean =>
  status === "error" &&
  (failure === null
    ? statusCode >= 400
    : failure.code === "unexpected_status" || failure.code === "assertion_failed");

/** How much of a check a reader sees, and what is never shown of it. */
interface ShownCheck {
  readonly evidence: ShownEvidence;
  readonly secrets: OwnSecrets;
}

/** The same for a reader of the pages. */
export const shownTo = (reader: KnownReader, definition: MonitorDefinition): ShownCheck => ({
  evidence: may(reader, "responder") ? "whole" : "without addresses",
  secrets: new OwnSecrets(definition),
});

function seenFacts(
  { startedAt, slot }: ResultWithDetail,
  facts: readonly Fact[],
  now: EpochMillis,
): Html {
  return html`<dl class="facts">
    <dt>Started</dt>
    <dd>
      <time datetime="${isoTime(startedAt)}"
        >${isoTime(startedAt).slice(0, 10)} ${timeOfDay(startedAt)}</time
      >${slot === 0 ? `, ${span(between(startedAt, now))} ago` : scheduledWords(slot, startedAt)}
    </dd>
    ${facts.map(
      ({ label, value }) =>
        html`<dt>${label}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** Nothing of what started in the second for which it was scheduled. */
const scheduledWords = (slot: EpochMillis, startedAt: EpochMillis): Html | null =>
  timeOfDay(slot) === timeOfDay(startedAt)
    ? null
    : html`, scheduled for <time datetime="${isoTime(slot)}">${timeOfDay(slot)}</time>`;

/** What the agent does not say is 0. */
function timesIn(
  detail: CheckDetail | null,
): Pick<CheckTimes, "total" | "errorBar" | "ownErrorBar"> {
  const of = (time: bigint | undefined): Nanos => nanos(Number(time ?? 0n));
  return {
    total: of(detail?.totalNs),
    errorBar: of(detail?.errorBarNs),
    ownErrorBar: of(detail?.ownErrorBarNs),
  };
}

/** A result as it came; null if that is not kept. */
const wholeOf = ({ detail }: ResultWithDetail): BatchResult | null =>
  detail === null ? null : messageOf(detail.payload);

/** From when to when the certificate that a check saw is valid; null if it saw none. */
export function certificateSpan(result: ResultWithDetail | null): CertificateSpan | null {
  const whole = result === null ? null : wholeOf(result);
  const { validFrom = 0n, validTo = 0n } = whole?.detail?.tls?.certificate ?? {};
  return validTo === 0n
    ? null
    : { begin: epochMillis(Number(validFrom)), end: epochMillis(Number(validTo)) };
}

/** Whose the certificate is that a check saw, who issued it, and when it ends. */
export interface SeenCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly end: EpochMillis;
}

/** The one that a check saw; null if it saw none. */
export function certificateIn(result: ResultWithDetail | null): SeenCertificate | null {
  const seen = result === null ? undefined : wholeOf(result)?.detail?.tls?.certificate;
  if (seen === undefined) return null;
  const { subject, issuer, validTo } = seen;
  return { subject, issuer, end: epochMillis(Number(validTo)) };
}

/** An instant in what an agent remarks is one of the page, which a script shows in the reader's zone. */
function remarkLine(remark: string): Html {
  const [words = "", instant = null] = failureSentence(remark).split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)$/);
  const at = instant === null ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(at)) return html`<p class="why remark">${failureSentence(remark)}</p>`;
  return html`<p class="why remark">${words}${momentOf(epochMillis(at))}</p>`;
}

function reasonLine({ code, phase }: { readonly code: string; readonly phase: string }): Html {
  const meaning = Object.entries(failureCodes).find(([one]) => one === code)?.[1];
  return html`<p class="code">
    ${failureName({ code, phase })}${meaning === undefined ? null : html`: ${meaning}`}.
  </p>`;
}

type ResultOf<K extends Kind> = {
  readonly [P in K]: { readonly case: P; readonly value: ResultMessages[P] };
}[K];

const answerFacts = (
  result: BatchResult["result"],
  detail: CheckDetail | undefined,
): readonly Fact[] => (result.case === undefined ? [] : factsOfKind(result, detail));

const factsOfKind = <K extends Kind>(
  { case: kind, value }: ResultOf<K>,
  detail: CheckDetail | undefined,
): readonly Fact[] => codecOf(kind).result.facts(value, detail);

const connectionWords = (to: string, ended: string, elapsed: bigint): string =>
  `${to} ${ended} after ${latencyWords(nanosToMillis(nanos(Number(elapsed))))}`;

function factsOf(detail: CheckDetail, now: EpochMillis, shown: ShownEvidence): readonly Fact[] {
  const { addresses, tls, hops } = detail;
  return [
    ...addresses.map(({ address, port, ended, elapsedNs }) => ({
      label: "Address",
      // A ping asks a host: it connects to no port.
      value: port === 0 ? address : connectionWords(showHostPort(address, port), ended, elapsedNs),
    })),
    ...(hops.length < 2
      ? []
      : hops.map(({ url, statusCode }) => ({
          label: "Hop",
          value: `${statusCode} ${showUrl(url)}`,
        }))),
    ...(tls === undefined
      ? []
      : [{ label: "TLS", value: [tls.protocol, tls.cipher, tls.alpn].filter(Boolean).join(", ") }]),
    ...certificateFact(detail, now),
    ...evidenceFacts(detail, shown),
  ];
}

/** What came in place of what an assertion wanted is shown to whoever sees the answer. */
const assertionFacts = (
  detail: CheckDetail | null,
  shown: ShownEvidence,
  secrets: OwnSecrets,
): readonly Fact[] =>
  (detail?.evaluations ?? []).map((one) => ({
    label: one.held ? "Passed" : "Failed",
    value: evaluationWords(one, one.held || shown !== "whole" ? null : shownReceived(one, secrets)),
  }));

function certificateFact({ tls }: CheckDetail, now: EpochMillis): readonly Fact[] {
  const certificate = tls?.certificate;
  if (certificate === undefined) return [];
  const left = between(now, epochMillis(Number(certificate.validTo)));
  const words =
    left < 0
      ? `ended ${span(between(epochMillis(Number(certificate.validTo)), now))} ago`
      : `${span(left)} left`;
  return [
    { label: "Certificate", value: `${words}, ${certificate.subject}, by ${certificate.issuer}` },
  ];
}
