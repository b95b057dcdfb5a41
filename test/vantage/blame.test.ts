import { expect, test } from "vitest";
import type { ConnectionEvidence } from "#check/evidence";
import { failure, type FailureCode, type FailurePhase } from "#check/failure";
import type { Place } from "#vantage/blame";
import { whoseFault } from "#vantage/whose-fault";
import { epochMillis, millis } from "#units";
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

test.each(rows)("%s in %s is as far as can be seen: %o → %s", (code, phase, known, place) => {
  const way = { is: "out", device: "eth0", gateway: null } as const;
  const whose = whoseFault({
    failure: failure(code, phase, "it failed"),
    evidence: known,
    cause: null,
    isDirectOpen: false,
    isProxied: false,
    way,
    took: millis(20),
    isGatewayPassed: true,
    resolvers: [],
    now: epochMillis(0),
    clockAhead: null,
  });
  expect(whose.place).toBe(place);
  expect(`${whose.because}${whose.next}`).not.toMatch(/\.$/);
});
