import * as kindsLimits from "#limits/kinds-limits";
import type { OutcomeOf } from "#check/outcome";
import { type Failure, failure } from "#check/failure";
import { withEvidence } from "#check/evidence-words";
import { noHealth } from "#check/kinds/grpc/grpc-outcome";
import type { GrpcTarget } from "#check/kinds/grpc/grpc-monitor";
import { dial } from "#probes/connection/dial";
import { startBestTls } from "#probes/connection/handshake";
import type { Probe, ProbeContext, Run } from "#probes/connection/probe";
import { healthRequest } from "#probes/grpc/health-message";
import { type HealthAnswer, judgeAnswer } from "#probes/grpc/judge-answer";
import { exchange } from "#probes/http/http-exchange";
import type { Request } from "#probes/resolve/redirect";
import { Stopwatch } from "#probes/socket/stopwatch";
import { showHostPort } from "#network/host-port";

/** Calls grpc.health.v1.Health/Check over a fresh connection: without TLS by HTTP/2 with prior knowledge. */
export const probeGrpc: Probe<"grpc"> = async (target, deadline, context) => {
  const stopwatch = new Stopwatch(context.clock, context.marker);
  const run = { deadline, stopwatch, context: contextOf(target, context) };
  const called = await call(target, run);
  stopwatch.stop();
  return { ...noHealth, service: target.service, ...called, ...stopwatch.times };
};

/** The service's answer is a few bytes, and whoever sends more is not one. */
const contextOf = ({ tlsMode }: GrpcTarget, context: ProbeContext): ProbeContext => ({
  ...context,
  bodyBytesMax: kindsLimits.grpcAnswerBytesMax,
  overrides: {
    ...context.overrides,
    acceptsAnyCertificate: context.overrides.acceptsAnyCertificate || tlsMode === "tls_insecure",
  },
});

type CallFacts = Pick<OutcomeOf<"grpc">, "addresses" | "tls" | "evidence" | "failure"> &
  Partial<HealthAnswer>;

async function call(target: GrpcTarget, run: Run): Promise<CallFacts> {
  const { host, port, tlsMode } = target;
  const where = showHostPort(host, port);
  const tls = tlsMode === "plaintext" ? null : { alpn: ["h2"] };
  const dialled = await dial({ kind: "grpc", host, port, tls }, run, startBestTls);
  const { addresses, tls: spoken } = dialled;
  if (!dialled.ok)
    return { addresses, tls: spoken, evidence: dialled.evidence, failure: dialled.failure };
  if (tls !== null && dialled.line.alpn !== "h2") {
    dialled.line.destroy();
    run.stopwatch.stop(dialled.ready);
    return { addresses, tls: spoken, evidence: null, failure: noHttp2(where) };
  }
  const exchanged = await exchange(requestTo(target, run), dialled, run, "2", () => true);
  exchanged.received?.claim?.shrink(0);
  if (exchanged.failure === null && exchanged.received !== null)
    return { addresses, tls: spoken, evidence: null, ...judgeAnswer(exchanged.received, target) };
  const { evidence } = dialled.witness;
  const failed = exchanged.failure === null ? null : withEvidence(exchanged.failure, evidence);
  return { addresses, tls: spoken, evidence, failure: failed };
}

const noHttp2 = (where: string): Failure =>
  failure(
    "protocol_error",
    "tls",
    `the peer does not speak HTTP/2 on this port, as gRPC needs (${where})`,
  );

function requestTo(target: GrpcTarget, { deadline, context }: Run): Request {
  const { host, port, service, tlsMode, metadata } = target;
  const scheme = tlsMode === "plaintext" ? "http" : "https";
  return {
    url: new URL(`${scheme}://${showHostPort(host, port)}/grpc.health.v1.Health/Check`),
    method: "POST",
    headers: [
      { key: "te", value: "trailers" },
      { key: "content-type", value: "application/grpc" },
      // So that the server can give up when we do.
      { key: "grpc-timeout", value: `${Math.max(1, Math.round(deadline.remaining()))}m` },
      { key: "user-agent", value: context.userAgent },
      ...metadata,
    ],
    body: healthRequest(service),
    leftBehind: [],
    head: null,
  };
}
