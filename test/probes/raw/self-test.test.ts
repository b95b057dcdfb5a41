import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import * as limits from "#limits/probes-limits";
import { failsEverySelfTest } from "#probes/raw/self-test";
import type { Sockets } from "#probes/socket/sockets";
import { contextWith } from "../../support/probing.ts";
import { closedPort } from "../../servers/scripted.ts";

/** The sockets of these tests, whose first connections go where nothing listens. */
async function refused(
  times: number,
): Promise<{ readonly sockets: Sockets; readonly tries: () => number }> {
  const { sockets } = contextWith();
  const closed = await closedPort();
  let tries = 0;
  return {
    tries: () => tries,
    sockets: {
      ...sockets,
      connect: (address, port, listener) => {
        tries += 1;
        return sockets.connect(address, tries > times ? port : closed, listener);
      },
    },
  };
}

test("a test of raw sockets that fails once is tried again, a few times at most", async () => {
  const never = await refused(100);
  expect(await failsEverySelfTest(never.sockets, systemClock, () => 0)).toMatch(
    /over TCP on this machine's loopback got no echo: .*ECONNREFUSED/,
  );
  expect(never.tries()).toBe(limits.rawSelfTestsMax);
  const once = await refused(1);
  // Whatever the second one finds, it is no refusal.
  const why = await failsEverySelfTest(once.sockets, systemClock, () => 0);
  expect(why ?? "").not.toMatch(/ECONNREFUSED/);
  expect(once.tries()).toBeGreaterThan(1);
});
