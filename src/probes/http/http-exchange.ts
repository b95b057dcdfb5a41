import { hostPortOf, showHostPort } from "#network/host-port";
import type { OpenConnection } from "#probes/connection/dial";
import { IncomingResponse, type WantsBody } from "#probes/http/incoming-response";
import type { ExchangeEnd } from "#probes/http/raw-response";
import { exchangeHttp1 } from "#probes/http/http1-exchange";
import { exchangeHttp2 } from "#probes/http/http2-exchange";
import type { Request } from "#probes/resolve/redirect";
import type { Run } from "#probes/connection/probe";

/**
 * Sends one request over a connection that was just dialled, in the version of HTTP that was settled on, and reads the
 * answer. Marks write, wait and receive on the stopwatch and stops it with the last byte. The connection does not
 * outlive it.
 */
export async function exchange(
  request: Request,
  { line, ready, witness }: Pick<OpenConnection, "line" | "ready" | "witness">,
  run: Run,
  version: "1.1" | "2",
  wantsBody: WantsBody,
): Promise<ExchangeEnd> {
  const { deadline, stopwatch, context } = run;
  stopwatch.enter("write", ready);
  const isHttp2 = version === "2";
  const where = whereOf(request.url);
  const notes = context.transcript.http(request, where, version);
  const answer = new IncomingResponse(where, run, wantsBody, notes);
  const onDeadline = (): void => answer.onDeadline();
  if (deadline.end.aborted) {
    line.destroy();
    onDeadline();
    return answer.ended;
  }
  deadline.end.addEventListener("abort", onDeadline, { once: true });
  const connection = isHttp2
    ? exchangeHttp2(request, line, context.marker, answer)
    : exchangeHttp1(request, line, context.marker, answer, notes);
  answer.readFrom(connection);
  const exchanged = await answer.ended;
  deadline.end.removeEventListener("abort", onDeadline);
  if (exchanged.failure === null) witness.dismiss();
  connection.close();
  return exchanged;
}

function whereOf(url: URL): string {
  const { host, port } = hostPortOf(url);
  return showHostPort(host, port);
}
