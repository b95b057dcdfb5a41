import { fork } from "node:child_process";
import { once } from "node:events";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { millis } from "#base/units";
import type { Outcome } from "#check/outcome";
import type { ProbeContext } from "#probes/connection/probe";
import { probe } from "#probes/registry";
import { throwawayCertificate } from "#probes/socket/throwaway-certificate";
import { httpTarget } from "../test/support/probing.ts";

/*
 * What a gRPC check costs beside a check of ours over HTTP/2: processor time of this process, over TLS, of one server that answers
 * both. The two take turns, so that what else the machine does is in both.
 *
 *   npm run bench:grpc
 */

const rounds = 12;
const checksOfRound = 400;

const served = process.argv[2];
if (served === "server") serve();
else await compare();

/** Answers a request for health as gRPC does, and every other one with two bytes. */
function serve(): void {
  const { cert, key } = throwawayCertificate(new Date().getUTCFullYear());
  const server = createSecureServer({ cert, key });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    if (headers[":method"] === "GET") {
      stream.respond({ ":status": 200 });
      return stream.end("ok");
    }
    stream.respond(
      { ":status": 200, "content-type": "application/grpc" },
      { waitForTrailers: true },
    );
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    return stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
  });
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
}

async function compare(): Promise<void> {
  process.env["PROBE_SOCKETS"] = "raw";
  const { contextWith } = await import("../test/support/probing.ts");
  const child = fork(import.meta.filename, ["server"]);
  const [{ port }] = await once(child, "message");
  const context = contextWith({
    overrides: { ...contextWith().overrides, acceptsAnyCertificate: true },
  });
  const ways = {
    http2: () => check(context, httpTarget(`https://127.0.0.1:${port}/`)),
    grpc: () =>
      check(context, {
        kind: "grpc",
        host: "127.0.0.1",
        port,
        service: "shop.v1.Orders",
        tlsMode: "tls_insecure",
        metadata: [],
      }),
  };
  const spent = { http2: new Array<number>(), grpc: new Array<number>() };
  for (let round = 0; round < rounds; round += 1)
    for (const way of ["http2", "grpc"] as const) {
      const before = process.cpuUsage();
      for (let count = 0; count < checksOfRound; count += 1) await ways[way]();
      const { user, system } = process.cpuUsage(before);
      // The first rounds compile.
      if (round >= 2) spent[way].push((user + system) / checksOfRound);
    }
  child.kill();
  const median = (all: readonly number[]): number =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const [http2, grpc] = [median(spent.http2), median(spent.grpc)];
  const line = [http2.toFixed(0), grpc.toFixed(0), (grpc / http2).toFixed(2)];
  process.stdout.write(`HTTP/2 ${line[0]} µs, gRPC ${line[1]} µs a check: ratio ${line[2]}\n`);
  process.exit(0);
}

async function check(context: ProbeContext, target: Parameters<typeof probe>[0]): Promise<Outcome> {
  using deadline = startDeadline(systemClock, millis(5_000));
  const outcome = await probe(target, deadline, { ...context, clock: systemClock });
  if (outcome.failure !== null) throw new Error(outcome.failure.message);
  return outcome;
}
