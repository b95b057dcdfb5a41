import { expect, test } from "vitest";
import { placeFindings } from "#cli/doctor/place-findings";
import { blindSight, type MachineSight } from "#agent/vantage/machine-sight";
import { proberOptions } from "../../support/metering.ts";
import { healthy, route } from "../../agent/vantage/scene.ts";

const config = { probing: proberOptions };
const levels = (sight: MachineSight): readonly string[] =>
  placeFindings(config, sight).map(({ about, level }) => `${about} ${level}`);

test("a link and a gateway that work are fine, and so is what can be seen of them", () => {
  expect(levels(healthy)).toEqual(["link fine", "gateway fine", "evidence fine"]);
  const saysWith = (evidence: "local" | "full"): string | undefined =>
    placeFindings({ probing: { ...proberOptions, evidence } }, healthy).at(-1)?.says;
  expect(saysWith("local")).toMatch(/^local: .* the first two routers$/);
  expect(saysWith("full")).toMatch(/^full: .* the first two routers, and the ways to targets$/);
});

test("a gateway that is silent and a link without a carrier fail, and say what to do", () => {
  const broken: MachineSight = {
    ...healthy,
    interfaces: [{ name: "eth0", link: "no carrier" }],
    silentGateways: ["10.0.0.1"],
  };
  expect(placeFindings(config, broken)).toMatchObject([
    { level: "failed", says: "eth0: no carrier" },
    { level: "failed", says: "10.0.0.1 does not answer on this network" },
    { level: "fine" },
  ]);
});

test("one of two links that is down is a warning, and one without a route does not matter", () => {
  const two: MachineSight = {
    ...healthy,
    interfaces: [
      { name: "eth0", link: "up" },
      { name: "eth1", link: "no carrier" },
      { name: "spare", link: "switched off" },
    ],
    routes: [...healthy.routes, route("10.5.0.0/16", "eth1", null)],
  };
  expect(placeFindings(config, two)[0]).toMatchObject({
    level: "warning",
    says: "eth1: no carrier",
  });
});

test("what this machine cannot say is named, and so is that it is switched off", () => {
  expect(levels(blindSight)).toEqual(["link warning", "evidence warning"]);
  const off = { probing: { ...proberOptions, evidence: "off" } } as const;
  expect(placeFindings(off, healthy).at(-1)?.says).toContain("off by PICKET_EVIDENCE");
});

test("a connection without the proxy is named where it is made, and where it cannot be", () => {
  const proxy = { host: "10.0.0.8", port: 3128, secure: false, authorization: null };
  const saysWith = (more: Partial<typeof proberOptions>): string | undefined =>
    placeFindings({ probing: { ...proberOptions, evidenceDirect: true, ...more } }, healthy).at(-1)
      ?.says;
  const proxying = { proxy, exceptions: [] };
  expect(saysWith({ proxying })).toBe(
    "a target whose check fails at the proxy is dialled once without it",
  );
  expect(saysWith({})).toBe("PICKET_EVIDENCE_DIRECT has no effect: no check has a proxy");
  expect(saysWith({ proxying, evidence: "off" })).toBe(
    "PICKET_EVIDENCE_DIRECT has no effect: PICKET_EVIDENCE is off",
  );
});
