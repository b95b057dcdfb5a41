import { expect, test } from "vitest";
import { byCause, causeOfKey } from "#service/operator/monitors/cause-groups";
import type { PicturedMonitor } from "#service/operator/picture";
import { epochMillis, millis } from "#base/units";

let made = 0;
/** A monitor that fails at the office, by this sentence. */
function failing(code: string, message: string, changes: Partial<PicturedMonitor> = {}) {
  made += 1;
  const unseen = { slot: null, since: null, stale: false } as const;
  const sight = { location: 1, name: "office", status: "error", ...unseen } as const;
  const monitor: PicturedMonitor = {
    id: made,
    name: `m${made}`,
    kind: "tcp",
    target: "db:5432",
    labels: {},
    owner: "",
    period: millis(60_000),
    status: "error",
    since: epochMillis(0),
    lastCheckedAt: null,
    seenBy: [sight],
    reason: { code, phase: "connect", message, statusCode: 0 },
    unread: false,
    unheard: false,
    incident: null,
    recovery: null,
    latency: null,
    usual: null,
    days: [],
    ...changes,
  };
  return monitor;
}

const shown = (monitors: readonly PicturedMonitor[]): readonly string[] =>
  byCause(monitors).map((row) =>
    row.kind === "cause" ? `${row.monitors.length} ${row.reason.message}` : row.monitor.name,
  );

test("a connection that is refused is of its server: another server's failure is not in the group", () => {
  const one = Array.from({ length: 4 }, () =>
    failing("connection_refused", "connection refused (127.0.0.1:9702)"),
  );
  const other = failing("connection_refused", "connection refused (127.0.0.1:9705)");
  expect(shown([other, ...one])).toEqual(["4 connection refused (127.0.0.1:9702)", other.name]);
});

test("refused connections whose servers are not known are not grouped, and none is acknowledged with another", () => {
  const unknown = Array.from({ length: 4 }, () => failing("connection_refused", ""));
  expect(shown(unknown)).toEqual(unknown.map(({ name }) => name));
  const key = JSON.stringify(["error", "connection_refused", "connect", "", ["office"]]);
  expect(causeOfKey(key)?.(unknown[0]!)).toBe("another");
});

test("what goes wrong on the way is one cause for many servers", () => {
  const all = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"].map((one) =>
    failing("connect_timeout", `no answer (${one})`),
  );
  expect(shown(all)).toEqual(["3 no answer (10.0.0.1:80)"]);
});

test("groups come before what fails alone, however many there are, and what fails before what is slow", () => {
  const slow = failing("", "", { status: "degraded", reason: null });
  const alone = failing("tls_error", "bad certificate");
  const many = Array.from({ length: 1_004 }, () => failing("connect_timeout", "no answer"));
  expect(shown([slow, alone, ...many])).toEqual(["1004 no answer", alone.name, slow.name]);
});
