import type { OutcomeOf } from "#check/outcome";
import { failure, type Failure, type FailureCode } from "#check/failure";
import { grpcCodes } from "#check/kinds/grpc/grpc-outcome";
import type { GrpcTarget } from "#check/kinds/grpc/grpc-monitor";
import { readHealth } from "#probes/grpc/health-message";
import type { RawResponse } from "#probes/http/raw-response";
import { firstValue, type HeaderPairs } from "#network/http/headers";
import { showHostPort } from "#network/host-port";
import * as limits from "#limits/check-limits";
import { cutText, showText } from "#base/text";

export type HealthAnswer = Pick<OutcomeOf<"grpc">, "servingStatus" | "grpcCode" | "grpcMessage">;
type HealthJudgement = Partial<HealthAnswer> & { readonly failure: Failure | null };

/** What an answer over HTTP/2 says as one of gRPC: SERVING passes, and everything else fails. */
export function judgeAnswer(received: RawResponse, target: GrpcTarget): HealthJudgement {
  const where = showHostPort(target.host, target.port);
  const { statusCode, headers, trailers, raw, cut } = received;
  const notGrpc = (why: string): HealthJudgement => ({
    failure: failure("protocol_error", "receive", `the answer is not gRPC: it ${why} (${where})`),
  });
  // An answer without a message has its trailers in its head.
  const code = codeIn(trailers) ?? codeIn(headers);
  if (code === null && (statusCode !== 200 || !isGrpc(headers)))
    return notGrpc(`has the HTTP status ${statusCode}${typeOf(headers)}`);
  if (cut) return notGrpc("is longer than any answer of the health service");
  if (code === null) return notGrpc("ends without the trailers of gRPC");
  if (code !== 0) {
    const said = messageIn(trailers) ?? messageIn(headers) ?? "";
    return refusedCall(code, shown(withoutSecrets(said, target)), target);
  }
  const reading = readHealth(raw);
  if (!reading.ok) return notGrpc(reading.why);
  const answer = { servingStatus: reading.status, grpcCode: 0, grpcMessage: "" };
  return { ...answer, failure: notServing(reading.status, target) };
}

const isGrpc = (headers: HeaderPairs): boolean =>
  (firstValue(headers, "content-type") ?? "").startsWith("application/grpc");

const typeOf = (headers: HeaderPairs): string => {
  const type = firstValue(headers, "content-type");
  return type === null ? "" : ` and the content type ${shown(type)}`;
};

function codeIn(headers: HeaderPairs): number | null {
  const code = firstValue(headers, "grpc-status");
  return code === null || !/^\d{1,3}$/.test(code) ? null : Number(code);
}

/** Percent-encoded by whoever wrote it, as far as that is well done. */
function messageIn(headers: HeaderPairs): string | null {
  const written = firstValue(headers, "grpc-message");
  if (written === null) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** A server may send back what it was sent. A shorter value is in every text: to take it out would hide what is there. */
function withoutSecrets(text: string, { metadata }: GrpcTarget): string {
  const secrets = metadata.flatMap(({ value }) => [value, value.replace(/^[\w-]+ +/, "")]);
  return secrets
    .filter((secret) => secret.length >= secretCharsMin)
    .reduce((rest, secret) => rest.replaceAll(secret, "(metadata)"), text);
}

const secretCharsMin = 6;

const shown = (text: string): string => showText(cutText(text, limits.receivedCharsMax));

const subjectOf = ({ service }: GrpcTarget): string => (service === "" ? "it" : `"${service}"`);

function notServing(status: string, target: GrpcTarget): Failure | null {
  const where = showHostPort(target.host, target.port);
  if (status === "SERVING") return null;
  if (status === "SERVICE_UNKNOWN") return unknownService(target);
  return failure(
    "grpc_not_serving",
    "assertion",
    `the server says that ${subjectOf(target)} is ${status} (${where})`,
  );
}

const unknownService = ({ host, port, service }: GrpcTarget): Failure =>
  failure(
    "grpc_service_unknown",
    "assertion",
    `the server does not know the health of ${service === "" ? "the whole server" : `"${service}"`} (${showHostPort(host, port)})`,
  );

const notFound = grpcCodes.indexOf("NOT_FOUND");
const unimplemented = grpcCodes.indexOf("UNIMPLEMENTED");

function refusedCall(code: number, message: string, target: GrpcTarget): HealthJudgement {
  const answer = { servingStatus: null, grpcCode: code, grpcMessage: message };
  const where = showHostPort(target.host, target.port);
  const said = (failed: FailureCode, words: string): HealthJudgement => ({
    ...answer,
    failure: failure(failed, "assertion", `${words} (${where})`),
  });
  if (code === notFound)
    return { ...answer, servingStatus: "SERVICE_UNKNOWN", failure: unknownService(target) };
  if (code === unimplemented)
    return said("grpc_unimplemented", "this server has no gRPC health service");
  const more = message === "" ? "" : `: ${message}`;
  return said(
    "grpc_status",
    `the server answered ${grpcCodes[code] ?? "an unknown code"} (${code})${more}`,
  );
}
