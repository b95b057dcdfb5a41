import { describe, expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { systemResolver } from "#probes/resolve/system-resolver";
import { millis } from "#base/units";

const patient = millis(5_000);

describe("the system's resolver", () => {
  test("knows localhost", async () => {
    using deadline = startDeadline(systemClock, patient);
    expect(
      await systemResolver({ clock: systemClock }).resolve("localhost", "4", deadline),
    ).toEqual({
      ok: true,
      addresses: ["127.0.0.1"],
    });
  });
  test("distinguishes a name that does not exist from one that cannot be resolved now", async () => {
    using deadline = startDeadline(systemClock, patient);
    const failing = (code: string): ReturnType<typeof systemResolver> =>
      systemResolver({
        clock: systemClock,
        getAddresses: () => Promise.reject(Object.assign(new Error(code), { code })),
      });
    expect(await failing("ENOTFOUND").resolve("a.test", "any", deadline)).toMatchObject({
      failure: { code: "dns_nxdomain", message: "name does not exist: a.test (getaddrinfo)" },
    });
    expect(await failing("EAI_AGAIN").resolve("a.test", "any", deadline)).toMatchObject({
      failure: { code: "dns_servfail" },
    });
  });
  test("leaves at the deadline, though the look-up never ends", async () => {
    using deadline = startDeadline(systemClock, millis(50));
    const resolver = systemResolver({
      clock: systemClock,
      getAddresses: () => new Promise(() => {}),
    });
    expect(await resolver.resolve("a.test", "any", deadline)).toMatchObject({
      failure: { code: "dns_timeout", message: "Timeout after 50 ms resolving a.test" },
    });
  });
  test("begins so many look-ups at once, and those that were cancelled while they waited never", async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const resolver = systemResolver({
      clock: systemClock,
      atOnceMax: 2,
      getAddresses: (host) => {
        begun.push(host);
        const { promise, resolve } = Promise.withResolvers<readonly string[]>();
        ends.push(() => resolve(["127.0.0.1"]));
        return promise;
      },
    });
    const leave = new AbortController();
    using deadline = startDeadline(systemClock, patient);
    using leaving = startDeadline(systemClock, patient, leave.signal);
    const one = resolver.resolve("one.test", "any", deadline);
    const two = resolver.resolve("two.test", "any", deadline);
    const left = resolver.resolve("left.test", "any", leaving);
    const last = resolver.resolve("last.test", "any", deadline);
    expect(begun).toEqual(["one.test", "two.test"]);
    leave.abort();
    expect((await left).ok).toBe(false);
    ends[0]?.();
    expect((await one).ok).toBe(true);
    expect(begun).toEqual(["one.test", "two.test", "last.test"]);
    for (const end of ends) end();
    expect((await Promise.all([two, last])).every(({ ok }) => ok)).toBe(true);
  });
});
