import { expect, test } from "vitest";
import type { ConnectionEvidence } from "#check/evidence";
import { failure, type FailureCode, type FailurePhase } from "#check/failure";
import type { FailedCheck, Place } from "#agent/vantage/blame";
import { whoseFault } from "#agent/vantage/whose-fault";
import { epochMillis, millis } from "#base/units";
import { quietTcp } from "./scene.ts";

const evidence: ConnectionEvidence = {
  address: "10.0.0.7",
  port: 443,
  peer: "target",
  source: "10.0.0.2",
  refusedBy: null,
  tcp: null,
  path: null,
  onlySmallPass: null,
};
const unresolved: ConnectionEvidence = {
  ...evidence,
  tcp: { ...quietTcp, state: 2, retransmits: 3, acknowledgedBytes: 0 },
};

const rows: readonly (readonly [FailureCode, FailurePhase, ConnectionEvidence | null, Place])[] = [
  ["target_denied", "policy", null, "me"],
  ["agent_error", "agent", null, "me"],
  ["dns_nxdomain", "dns", null, "target"],
  ["dns_servfail", "dns", null, "target"],
  ["dns_timeout", "dns", null, "unclear"],
  ["connection_refused", "connect", evidence, "target"],
  ["connect_timeout", "connect", evidence, "unclear"],
  ["connect_timeout", "connect", null, "unclear"],
  ["host_unreachable", "connect", unresolved, "target"],
  ["proxy_refused", "proxy", evidence, "unclear"],
  ["tls_expired", "tls", evidence, "unclear"],
  ["tls_untrusted", "tls", evidence, "unclear"],
  ["response_timeout", "wait", { ...evidence, tcp: quietTcp }, "unclear"],
  ["response_timeout", "wait", { ...evidence, tcp: quietTcp, onlySmallPass: false }, "target"],
  [
    "response_timeout",
    "wait",
    { ...evidence, tcp: { ...quietTcp, unacknowledged: 1, retransmits: 4 } },
    "path",
  ],
  ["unexpected_status", "receive", null, "target"],
];

const plain: FailedCheck = {
  failure: failure("agent_error", "agent", "it failed"),
  evidence: null,
  cause: null,
  isDirectOpen: false,
  isProxied: false,
  way: { is: "out", device: "eth0", gateway: null },
  took: millis(20),
  isGatewayPassed: true,
  resolvers: [],
  certificate: null,
  now: epochMillis(0),
  clockAhead: null,
};

test.each(rows)("%s in %s is as far as can be seen: %o → %s", (code, phase, known, place) => {
  const whose = whoseFault({
    ...plain,
    failure: failure(code, phase, "it failed"),
    evidence: known,
  });
  expect(whose.place).toBe(place);
  expect(`${whose.because}${whose.next}`).not.toMatch(/\.$/);
});

const validTo = epochMillis(Date.UTC(2030, 0, 1));
const validFrom = epochMillis(Date.UTC(2029, 0, 1));
const minute = 60_000;

test.each<[FailureCode, number, number, Place]>([
  ["tls_expired", validTo + 30 * minute, 60 * minute, "me"],
  ["tls_expired", validTo + 30 * minute, -60 * minute, "target"],
  ["tls_expired", validTo + 90 * 1_440 * minute, 2 * minute, "target"],
  ["tls_not_yet_valid", validFrom - 30 * minute, -60 * minute, "me"],
  ["tls_not_yet_valid", validFrom - 30 * minute, 60 * minute, "target"],
  ["tls_not_yet_valid", validFrom - 90 * minute, -2 * minute, "target"],
])("%s at %i, by a clock that is %i ms ahead, is of: %s", (code, now, clockAhead, place) => {
  const whose = whoseFault({
    ...plain,
    failure: failure(code, "tls", "it failed"),
    certificate: { validFrom, validTo },
    now: epochMillis(now),
    clockAhead,
  });
  expect(whose.place).toBe(place);
});

test("a name server that errs on our question, and leaves the check's open, is likely at fault", () => {
  const whose = whoseFault({
    ...plain,
    failure: failure("dns_timeout", "dns", "it failed"),
    resolvers: [{ server: "10.0.0.53", is: "failing" }],
  });
  expect(whose).toMatchObject({
    place: "me",
    certainty: "likely",
    because: "the name server 10.0.0.53 answers a question for picket.invalid with an error",
  });
});
