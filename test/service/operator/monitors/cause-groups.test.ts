import { expect, test } from "vitest";
import { byCause } from "#service/operator/monitors/cause-groups";
import { placesWords } from "#service/operator/monitors/cause-places";
import type { PicturedMonitor } from "#service/operator/picture";
import { epochMillis, millis } from "#base/units";

const known = { number: 1, since: epochMillis(0), acknowledged: false, flapping: null } as const;

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
    medianToday: null,
    days: [],
    ...changes,
  };
  return monitor;
}

const shown = (monitors: readonly PicturedMonitor[]): readonly string[] =>
  byCause(monitors).map((row) =>
    row.kind === "cause" ? `${row.monitors.length} ${row.reason.message}` : row.monitor.name,
  );

const sizes = (monitors: readonly PicturedMonitor[]): readonly number[] =>
  byCause(monitors).map((row) => (row.kind === "cause" ? row.monitors.length : 1));

/** How many monitors of each row of one cause fail where. */
const placesIn = (monitors: readonly PicturedMonitor[]): readonly (readonly string[])[] =>
  byCause(monitors).flatMap((row) =>
    row.kind === "cause" ? [row.places.map(({ name, failing }) => `${failing} ${name}`)] : [],
  );

test("a connection that is refused is of its server: another server's failure is not in the group", () => {
  const one = Array.from({ length: 4 }, () =>
    failing("connection_refused", "connection refused (127.0.0.1:9702)"),
  );
  const other = failing("connection_refused", "connection refused (127.0.0.1:9705)");
  expect(shown([other, ...one])).toEqual(["4 connection refused (127.0.0.1:9702)", other.name]);
});

test("refused connections whose servers are not known are grouped by their targets", () => {
  const unknown = ["db:5432", "db:5432", "mail:25"].map((target) =>
    failing("connection_refused", "", { target }),
  );
  expect(sizes(unknown)).toEqual([2, 1]);
});

test("two that fail alike are one cause if they have one server, and else by chance", () => {
  const at = (target: string) => failing("response_timeout", "Timeout after 5000 ms", { target });
  expect(sizes([at("https://shop/a"), at("https://shop/b?c")])).toEqual([2]);
  expect(sizes([at("https://shop/a"), at("https://mail/a")])).toEqual([1, 1]);
  expect(sizes([at("https://shop/a"), at("https://shop/b"), at("https://mail/a")])).toEqual([3]);
});

const seenAt = (...names: readonly string[]): Pick<PicturedMonitor, "seenBy"> => ({
  seenBy: names.map((name, location) => ({
    location,
    name,
    status: "error",
    slot: null,
    since: null,
    stale: false,
  })),
});

test("a monitor that fails at two locations is in the group of those that fail alike at one of them", () => {
  const fails = (...names: readonly string[]) =>
    failing("dns_timeout", "no answer", {
      target: `host${names.length + made}:53`,
      ...seenAt(...names),
    });
  const both = fails("office", "warehouse");
  expect(sizes([fails("office"), fails("office"), both])).toEqual([3]);
  expect(sizes([fails("office"), both, fails("warehouse")])).toEqual([3]);
  expect(placesIn([fails("office"), both, fails("warehouse")])).toEqual([
    ["2 office", "2 warehouse"],
  ]);
  expect(placesIn([fails("warehouse"), both, fails("warehouse")])).toEqual([
    ["3 warehouse", "1 office"],
  ]);
  expect(sizes([fails("office"), fails("office"), fails("office"), fails("warehouse")])).toEqual([
    3, 1,
  ]);
});

test("what goes wrong on the way is one cause for many servers", () => {
  const all = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"].map((one) =>
    failing("connect_timeout", `no answer (${one})`, { target: one }),
  );
  expect(shown(all)).toEqual(["3 no answer (10.0.0.1:80)"]);
});

test("groups come before what fails alone, however many there are, and what fails before what is slow", () => {
  const slow = failing("", "", { status: "degraded", reason: null });
  const alone = failing("tls_error", "bad certificate");
  const many = Array.from({ length: 1_004 }, () => failing("connect_timeout", "no answer"));
  expect(shown([slow, alone, ...many])).toEqual(["1004 no answer", alone.name, slow.name]);
});

/** A monitor whose server answers with a status. */
function answering(target: string, statusCode: number, changes: Partial<PicturedMonitor> = {}) {
  const message = `Request failed with status code ${statusCode}`;
  const reason = { code: "unexpected_status", phase: "assertion", message, statusCode };
  return failing("unexpected_status", message, { target, reason, ...changes });
}

test("what servers answer is one cause for each server and status, however many fail", () => {
  const shop = Array.from({ length: 8 }, (_, path) =>
    answering(`http://10.0.0.1:9001/${path}`, 500),
  );
  const away = answering("http://10.0.0.1:9001/away", 503);
  const other = answering("http://10.0.0.1:9002/", 500);
  expect(shown([away, ...shop, other])).toEqual([
    "8 Request failed with status code 500",
    away.name,
    other.name,
  ]);
  // Port 443 is that of https.
  expect(sizes([answering("https://shop/", 500), answering("https://shop:443/cart", 500)])).toEqual(
    [2],
  );
});

test("what an agent finds in front of many servers is one cause for all of them", () => {
  const cause = "1 unexpected_status assertion by proxy 10.0.0.9:3128";
  const all = ["a", "b", "c"].map((host) =>
    answering(`http://${host}/`, 502, { incident: { ...known, cause } }),
  );
  expect(sizes(all)).toEqual([3]);
});

test("a monitor that flaps or passes again stays in the group of its cause until its incident closes", () => {
  const incident = { ...known, cause: "1 dns_timeout resolve" };
  const fails = () => {
    const reason = { code: "dns_timeout", phase: "resolve", message: "no answer", statusCode: 0 };
    return failing("dns_timeout", "", { incident, reason });
  };
  const up = { status: "active", reason: null } as const;
  const passes = { ...fails(), ...up };
  const silent = { ...fails(), status: "unknown", reason: null } as const;
  const flaps = { ...fails(), incident: { ...incident, flapping: "up" } } as const;
  const other = { code: "tls_error", phase: "tls", message: "bad certificate", statusCode: 0 };
  for (const one of [passes, silent, flaps, { ...flaps, ...up }, { ...flaps, reason: other }]) {
    expect(shown([fails(), one, fails()])).toEqual(["3 no answer"]);
    expect(placesIn([fails(), one, fails()])).toEqual([["3 office"]]);
  }
  expect(sizes([passes, { ...passes }, { ...passes }])).toEqual([3]);
  const elsewhere = { ...passes, seenBy: [okAt("warehouse")] };
  expect(sizes([elsewhere, { ...elsewhere }, { ...elsewhere }])).toEqual([1, 1, 1]);
  const closed = { ...passes, incident: null };
  expect(sizes([fails(), fails(), fails(), closed])).toEqual([3, 1]);
  const paused = { ...passes, status: "inactive" } as const;
  expect(sizes([fails(), fails(), fails(), paused])).toEqual([3, 1]);
});

test("a monitor that flaps, and whose cause no one knows, stays among those that fail, also while it is up", () => {
  const incident = { ...known, cause: "", flapping: "up" } as const;
  const slow = failing("", "", { status: "degraded", reason: null });
  const down = failing("tls_error", "bad certificate", { name: "flaps", incident });
  const up = { ...down, status: "active", reason: null } as const;
  for (const one of [down, up]) expect(shown([slow, one])).toEqual(["flaps", slow.name]);
});

test("a server that refuses connections is one cause also once some of its monitors pass again", () => {
  const incident = { ...known, cause: "1 connection_refused connect" };
  const refused = () =>
    failing("connection_refused", "connection refused (10.0.0.7:5432)", { incident });
  const passes = { ...refused(), status: "active", reason: null } as const;
  expect(sizes([refused(), passes, { ...passes }])).toEqual([3]);
});

test("what some fail by at all locations and others at some of them is one cause", () => {
  const fails = () => failing("dns_timeout", "no answer");
  const some = failing("dns_timeout", "no answer", {
    status: "degraded",
    seenBy: [...seenAt("office").seenBy, { ...okAt("warehouse") }],
  });
  const [group, ...others] = byCause([some, fails(), fails()]);
  expect(group).toMatchObject({
    kind: "cause",
    status: "error",
    places: [{ name: "office", failing: 3 }],
  });
  expect(others).toEqual([]);
});

const okAt = (name: string): PicturedMonitor["seenBy"][number] => ({
  location: 9,
  name,
  status: "active",
  slot: null,
  since: null,
  stale: false,
});

test("monitors of one server that fail alike are one cause, at whichever locations each is seen to fail", () => {
  const at = (...names: readonly string[]) =>
    answering("https://app.example/", 503, seenAt(...names));
  const [group, ...others] = byCause([at("office"), at("office"), at("warehouse")]);
  const places = [
    { name: "office", failing: 2 },
    { name: "warehouse", failing: 1 },
  ];
  expect(group).toMatchObject({ kind: "cause", places });
  expect(others).toEqual([]);
  expect(sizes([at("office"), at("warehouse")])).toEqual([2]);
});

test("monitors that recover stay in one group if each failed at a location that another one failed at", () => {
  const sight = (location: number, name: string) =>
    ({ ...okAt(name), location, since: epochMillis(60_000) }) as const;
  const recovers = (location: number) =>
    failing("dns_timeout", "", {
      target: `host${location}:53`,
      status: "active",
      reason: null,
      incident: { ...known, cause: `${location} dns_timeout resolve` },
      seenBy: [sight(1, "office"), sight(2, "warehouse")],
    });
  expect(sizes([recovers(1), recovers(1), recovers(2)])).toEqual([3]);
  const steady = { ...sight(2, "warehouse"), since: epochMillis(0) };
  const atOffice = { ...recovers(1), seenBy: [sight(1, "office"), steady] };
  expect(byCause([atOffice, atOffice, recovers(1)])[0]).toMatchObject({ kind: "cause" });
  const alone = placesIn([atOffice, { ...atOffice, id: 901 }, { ...atOffice, id: 902 }]);
  expect(alone).toEqual([["3 office"]]);
});

test("the monitors of a group are in the order of their names, as people count", () => {
  const named = (name: string) => answering("https://app.example/", 503, { name });
  const [group] = byCause([named("app-10"), named("app-9"), named("app-02")]);
  expect(group?.kind === "cause" ? group.monitors.map(({ name }) => name) : []).toEqual([
    "app-02",
    "app-9",
    "app-10",
  ]);
});

test("a row says where all of its monitors fail, or how many of them at each location", () => {
  const at = (...names: readonly string[]) =>
    answering("https://app.example/", 503, seenAt(...names));
  const words = (monitors: readonly PicturedMonitor[]) =>
    byCause(monitors).flatMap((row) => (row.kind === "cause" ? [placesWords(row)] : []));
  const all = ["a", "b", "c", "d", "e", "f", "g"];
  expect(words([at("office"), at("office")])).toEqual([" at office"]);
  expect(words([at("office", "wien"), at("office", "wien")])).toEqual([" at office and wien"]);
  expect(words([at(...all), at(...all)])).toEqual([" at a, b, c, d, e and 2 others"]);
  expect(words([at("wien"), at("office", "wien")])).toEqual([": 2 at wien, 1 at office"]);
  expect(words([at(...all), at("c")])).toEqual([": 2 at c, 1 at a, 1 at b, 4 more locations"]);
});
