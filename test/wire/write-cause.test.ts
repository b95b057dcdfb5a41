import { expect, test } from "vitest";
import type { Cause } from "#check/cause";
import { failure } from "#check/failure";
import { epochMillis } from "#base/units";
import { httpOutcome, resultWith, wireMessage } from "../support/results.ts";
import { quietTcp } from "../agent/vantage/scene.ts";

const cause: Cause = {
  scope: "resolver",
  subject: "10.0.0.53",
  certainty: "proven",
  since: epochMillis(5),
  id: "c1",
  sentence: "the name server 10.0.0.53 does not answer",
  affected: 12,
};

test("a result carries its cause, and what the kernel knew but for the addresses of routers", () => {
  const refused = failure("host_unreachable", "connect", "refused");
  const evidence = {
    address: "10.9.1.1",
    port: 443,
    peer: "target",
    source: "10.0.0.2",
    refusedBy: { sender: "10.66.0.1", from: "a router", type: 3, code: 13 },
    tcp: quietTcp,
    path: null,
    onlySmallPass: true,
  } as const;
  const outcome = { ...httpOutcome(), failure: refused, evidence };
  const { detail } = wireMessage(
    resultWith({ status: "error", failure: refused, cause, outcome }),
    "without addresses",
  );
  expect(detail?.cause).toMatchObject({
    scope: "resolver",
    subject: "10.0.0.53",
    certainty: "proven",
    since: 5n,
    causeId: "c1",
    affected: 12n,
  });
  expect(detail?.evidence).toMatchObject({
    refusedFrom: "a router",
    icmpType: 3,
    icmpCode: 13,
    pathMtu: 1500n,
    peer: "target",
    onlySmallPass: true,
  });
  const text = JSON.stringify(detail?.evidence, (_key, value: unknown) =>
    typeof value === "bigint" ? Number(value) : value,
  );
  expect(text).not.toContain("10.66.0.1");
});

test("a result without a cause and without evidence has neither", () => {
  const { detail } = wireMessage(resultWith({}));
  expect(detail?.cause).toBeUndefined();
  expect(detail?.evidence).toBeUndefined();
});
