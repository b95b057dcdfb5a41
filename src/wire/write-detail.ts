import { create, toBinary } from "@bufbuild/protobuf";
import { type Echo, echoesOf } from "#check/echoes";
import {
  CheckAddressSchema,
  CheckAnswerSchema,
  CheckAttemptSchema,
  CheckCauseSchema,
  CheckCertificateSchema,
  CheckDetailSchema,
  CheckEchoSchema,
  CheckEvaluationSchema,
  CheckEvidenceSchema,
  CheckFailureSchema,
  CheckHopSchema,
  CheckTlsSchema,
  PhaseTimingsSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { Failure } from "#check/failure";
import { bodyBeginning } from "#check/body-beginning";
import { answerBodyBytesMax } from "#limits/answer-limits";
import type {
  CertificateFacts,
  HttpOutcome,
  HttpResponse,
  Outcome,
  Phases,
  TlsFacts,
} from "#check/outcome";
import { isPerhapsSlow, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { type ReportedAnswers, reportsExcerpt } from "#check/verdict";
import type { MessageWriter, WireField } from "#wire/message-writer";
import { causeMessage } from "#wire/write-cause";
import { evidenceField, type ReportedEvidence } from "#wire/write-evidence";

const fields = CheckDetailSchema.field;

/** Writes what we know of a result next to what the plain calls carry. */
export function writeDetail(
  writer: MessageWriter,
  result: Result,
  reported: ReportedEvidence,
  answers: ReportedAnswers,
): void {
  const { outcome, failure, cause } = result;
  if (failure !== null) writeFailure(writer, fields.failure, failure);
  if (outcome !== null) {
    writePhases(writer, fields.phases, outcome.phases);
    writer.integer(fields.totalNs, outcome.total);
  }
  writeAttempts(writer, result.attempts);
  if (outcome?.kind === "http") writeHops(writer, outcome.hops);
  if (outcome !== null) {
    writeAddresses(writer, outcome.addresses);
    if (outcome.tls !== null) writeTls(writer, outcome.tls);
    writer.present(fields.errorBarNs, outcome.errorBar);
  }
  writeEvaluations(writer, result.evaluations);
  writer.texts(fields.remarks, remarksOf(result));
  writer.flag(fields.perhapsSlow, isPerhapsSlow(result));
  writer.present(fields.ownNs, outcome?.own ?? null);
  if (cause !== null)
    writer.bytes(
      fields.cause,
      toBinary(CheckCauseSchema, create(CheckCauseSchema, causeMessage(cause))),
    );
  const { evidence } = reported === "none" ? {} : evidenceField(result, reported);
  if (evidence !== undefined)
    writer.bytes(fields.evidence, toBinary(CheckEvidenceSchema, evidence));
  if (outcome !== null) writeEchoes(writer, echoesOf(outcome), reported);
  if (outcome !== null && outcome.ownErrorBar > 0)
    writer.present(fields.ownErrorBarNs, outcome.ownErrorBar);
  if (outcome?.kind === "http" && reportsExcerpt(result, answers))
    writeAnswer(writer, outcome.response);
}

/** The plain field has the body of a degraded check alone, which is how the existing service has it. */
function writeAnswer(writer: MessageWriter, response: HttpResponse | null): void {
  if (response === null) return;
  const { body, bodyBytes, bodyCut } = CheckAnswerSchema.field;
  const isUnread = response.bodyBytes === 0 && response.bodyBytesReceived > 0;
  writer.begin(fields.answer);
  writer.text(body, bodyBeginning(response.body, answerBodyBytesMax));
  writer.integer(bodyBytes, response.bodyBytes);
  writer.flag(bodyCut, response.bodyCut || isUnread);
  writer.end();
}

/** Who refused describes the inside of a network, as other evidence does. */
function writeEchoes(
  writer: MessageWriter,
  echoes: readonly Echo[],
  reported: ReportedEvidence,
): void {
  const { rttNs, errorBarNs, icmp, refusedBy } = CheckEchoSchema.field;
  for (const { roundTrip, errorBar, refusal } of echoes) {
    writer.begin(fields.echoes);
    writer.present(rttNs, roundTrip === null ? null : Math.round(roundTrip));
    writer.integer(errorBarNs, Math.round(errorBar));
    writer.text(icmp, refusal === null ? "" : `${refusal.type}/${refusal.code}`);
    writer.text(refusedBy, reported === "whole" ? (refusal?.sender ?? "") : "");
    writer.end();
  }
}

function writeFailure(writer: MessageWriter, field: WireField, failure: Failure): void {
  const { code, phase, message } = CheckFailureSchema.field;
  writer.begin(field);
  writer.text(code, failure.code);
  writer.text(phase, failure.phase);
  writer.text(message, failure.message);
  writer.end();
}

function writePhases(writer: MessageWriter, field: WireField, phases: Phases): void {
  const { dnsNs, connectNs, proxyNs, tlsNs, writeNs, waitNs, receiveNs } = PhaseTimingsSchema.field;
  writer.begin(field);
  writer.present(dnsNs, phases.dns);
  writer.present(connectNs, phases.connect);
  writer.present(proxyNs, phases.proxy);
  writer.present(tlsNs, phases.tls);
  writer.present(writeNs, phases.write);
  writer.present(waitNs, phases.wait);
  writer.present(receiveNs, phases.receive);
  writer.end();
}

function writeAttempts(writer: MessageWriter, attempts: Result["attempts"]): void {
  const { startedAt, totalNs, failure } = CheckAttemptSchema.field;
  for (const attempt of attempts) {
    writer.begin(fields.attempts);
    writer.integer(startedAt, attempt.startedAt);
    writer.integer(totalNs, attempt.total);
    if (attempt.failure !== null) writeFailure(writer, failure, attempt.failure);
    writer.end();
  }
}

function writeHops(writer: MessageWriter, hops: HttpOutcome["hops"]): void {
  const { url, statusCode, phases } = CheckHopSchema.field;
  for (const hop of hops) {
    writer.begin(fields.hops);
    writer.text(url, hop.url);
    writer.integer(statusCode, hop.statusCode ?? 0);
    writePhases(writer, phases, hop.phases);
    writer.end();
  }
}

function writeAddresses(writer: MessageWriter, addresses: Outcome["addresses"]): void {
  const { address, port, ended, elapsedNs } = CheckAddressSchema.field;
  for (const one of addresses) {
    writer.begin(fields.addresses);
    writer.text(address, one.address);
    writer.integer(port, one.port);
    writer.text(ended, one.ended);
    writer.integer(elapsedNs, one.elapsed);
    writer.end();
  }
}

function writeTls(writer: MessageWriter, tls: TlsFacts): void {
  const { protocol, cipher, alpn, serverName } = CheckTlsSchema.field;
  writer.begin(fields.tls);
  writer.text(protocol, tls.protocol ?? "");
  writer.text(cipher, tls.cipher ?? "");
  writer.text(alpn, tls.alpn ?? "");
  writer.text(serverName, tls.serverName ?? "");
  if (tls.certificate !== null) writeCertificate(writer, tls.certificate);
  writer.end();
}

function writeCertificate(writer: MessageWriter, certificate: CertificateFacts): void {
  const { subject, issuer, altNames, validFrom, validTo, fingerprintSha256, chain } =
    CheckCertificateSchema.field;
  writer.begin(CheckTlsSchema.field.certificate);
  writer.text(subject, certificate.subject);
  writer.text(issuer, certificate.issuer);
  writer.texts(altNames, certificate.altNames);
  writer.integer(validFrom, certificate.validFrom);
  writer.integer(validTo, certificate.validTo);
  writer.text(fingerprintSha256, certificate.fingerprint256);
  writer.texts(chain, certificate.chain);
  writer.end();
}

function writeEvaluations(writer: MessageWriter, evaluations: Result["evaluations"]): void {
  const { kind, held, expected, received } = CheckEvaluationSchema.field;
  for (const one of evaluations) {
    writer.begin(fields.evaluations);
    writer.text(kind, one.kind);
    writer.flag(held, one.held);
    writer.text(expected, one.expected);
    writer.text(received, one.received);
    writer.end();
  }
}
