import { expect, test } from "vitest";
import type { Target } from "#check/monitor";
import { startInlineProber } from "#agent/prober/inline-prober";
import { millis } from "#base/units";
import { closedPort, tcpPeer } from "../../servers/scripted.ts";
import { proberOptions } from "../../support/metering.ts";
import { httpTarget } from "../../support/probing.ts";
import { socketCount } from "../../support/socket-count.ts";

/** `npm run bench:evidence` does the same with a hundred thousand. */
test("two thousand failures that are looked at leave no descriptor open", async () => {
  await using breaker = await tcpPeer((socket) =>
    socket.on("error", () => {}).once("data", () => socket.resetAndDestroy()),
  );
  const refused: Target = { kind: "tcp", host: "127.0.0.1", port: await closedPort() };
  const reset = httpTarget(`http://127.0.0.1:${breaker.port}/`);
  await using prober = await startInlineProber({ ...proberOptions, evidence: "local", threads: 1 });
  const never = new AbortController().signal;
  const failAll = async (count: number): Promise<readonly (string | undefined)[]> => {
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < count; n += 20) {
      const begun = Array.from({ length: 20 }, (_, index) =>
        prober.probe(index % 2 === 0 ? refused : reset, millis(30_000), never),
      );
      codes.push(...(await Promise.all(begun)).map(({ failure }) => failure?.code));
    }
    return codes;
  };
  await failAll(20);
  const before = socketCount();
  const codes = await failAll(2_000);
  expect(new Set(codes)).toEqual(new Set(["connection_refused", "connection_reset"]));
  await expect.poll(socketCount).toBeLessThanOrEqual(before);
});
