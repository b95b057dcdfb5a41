import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { TargetGuard } from "#probes/connection/guard";
import { parseTargetRules } from "#network/target-rules";
import { throwawayCertificate } from "#probes/socket/throwaway-certificate";
import { warmUp } from "#probes/warm-up";
import { epochMillis } from "#base/units";
import { contextWith } from "../support/probing.ts";

test("the throwaway certificate is one, for localhost and this year, signed by its own key", () => {
  const { cert, key } = throwawayCertificate(2031);
  const read = new X509Certificate(cert);
  expect(read.subject).toBe("CN=localhost");
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.validFromDate).toEqual(new Date("2031-01-01T00:00:00Z"));
  expect(read.validToDate).toEqual(new Date("2031-12-31T23:59:59Z"));
  expect(key).not.toBe(throwawayCertificate(2031).key);
});

test("a thread warms up against itself, also if the operator denies loopback", async () => {
  const deny = parseTargetRules(["0.0.0.0/0", "::/0"], "DENY");
  if (!deny.ok) throw new Error(deny.message);
  const guard = new TargetGuard({ allow: [], deny: deny.value });
  // However long that takes on this machine.
  const clock = { ...systemClock, sleep: () => Promise.withResolvers<void>().promise };
  expect(await warmUp(contextWith({ guard, clock }))).toBe(true);
});

test("a thread that cannot warm up starts cold", async () => {
  const lost = { ...systemClock, wall: () => epochMillis(Number.NaN) };
  expect(await warmUp(contextWith({ clock: lost }))).toBe(false);
});
