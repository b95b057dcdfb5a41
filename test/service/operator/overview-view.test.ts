import { expect, test } from "vitest";
import { epochMillis, millis } from "#base/units";
import { firstQuery, type OverviewQuery } from "#service/operator/overview-query";
import { filters } from "#service/operator/overview-filters";
import { overviewRows } from "#service/operator/overview-rows";
import { monitorLines } from "#service/operator/overview-view";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

const shop: PicturedMonitor = {
  id: 1,
  name: "shop",
  kind: "tcp",
  target: "db:5432",
  labels: { team: "web" },
  owner: "",
  period: millis(60_000),
  status: "active",
  since: epochMillis(0),
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
};

const picture: Picture = {
  at: epochMillis(0),
  detail: "whole",
  labels: [],
  texts: null,
  monitors: [shop],
  locations: [],
  planned: { silences: [], maintenances: [] },
};

const silence = {
  id: 1,
  monitors: [1],
  locations: [],
  labels: {},
  from: epochMillis(0),
  until: epochMillis(3_600_000),
  reason: "",
  by: "ops",
};

interface Drawing {
  readonly query?: OverviewQuery;
  readonly isPicked?: boolean;
  readonly planned?: Picture["planned"];
}

/** The line of the one monitor. */
function drawn(
  monitor: PicturedMonitor,
  { query = firstQuery, isPicked, planned = picture.planned }: Drawing,
): string {
  const ids = new Set(isPicked === true ? [1] : []);
  const picked = isPicked === undefined ? null : { found: 1, isAll: false, ids, unshown: [] };
  const rows = [{ kind: "monitor" as const, monitor }];
  return monitorLines(rows, { ...picture, planned }, { picked, query }).text;
}

test("the tile of what flaps is red if one of it is down now, as its line is", () => {
  const flapping = (status: "error" | "active"): PicturedMonitor => ({
    ...shop,
    status,
    incident: { number: 1, cause: "", since: epochMillis(0), acknowledged: false, flapping: "up" },
  });
  const tileOf = (...monitors: readonly PicturedMonitor[]): string => {
    const some = { ...picture, monitors };
    const { text } = filters(some, firstQuery, overviewRows(some, firstQuery));
    return /<li class="(?<look>\w+)">\s*<a[^>]*>Flapping/.exec(text)?.groups?.["look"] ?? "";
  };
  expect(tileOf(flapping("active"))).toBe("degraded");
  expect(tileOf(flapping("active"), flapping("error"))).toBe("error");
});

test("a line that is kept for the next picture is drawn anew for whatever changes its words", () => {
  const drawings: readonly Drawing[] = [
    {},
    { isPicked: false },
    { isPicked: true },
    { query: { ...firstQuery, label: "team:web" } },
    { query: { ...firstQuery, text: "sh" } },
    { planned: { silences: [silence], maintenances: [] } },
    {},
  ];
  const kept = drawings.map((drawing) => drawn(shop, drawing));
  expect(new Set(kept).size).toBe(drawings.length - 1);
  expect(kept).toEqual(drawings.map((drawing) => drawn({ ...shop }, drawing)));
});

test.each([
  ["uptime", "lowest", "Uptime 14 d ▲"],
  ["latency", "highest", "Latest ▼"],
] as const)("a list by %s begins with the %s, and its arrow says so", (sort, _first, head) => {
  const text = drawn(shop, { query: { ...firstQuery, sort } });
  expect(text).toMatch(new RegExp(`aria-current="true"\\s*>${head}</a`));
});

test("a line of a monitor that is well is drawn once for pictures between which it did not turn", () => {
  let looks = 0;
  const labels = new Proxy(shop.labels, {
    ownKeys: (all) => {
      looks += 1;
      return Reflect.ownKeys(all);
    },
  });
  const one = { ...shop, labels };
  const query = { ...firstQuery };
  drawn(one, { query });
  drawn(one, { query: { ...query } });
  expect(looks).toBe(1);
});

test.each(["whole", "brief"] as const)(
  "a monitor with an open incident is before those of its state without one, of a %s picture",
  (detail) => {
    const open = {
      number: 1,
      cause: "",
      since: epochMillis(0),
      acknowledged: false,
      flapping: null,
    };
    const named = (name: string, changes: Partial<PicturedMonitor>): PicturedMonitor => {
      return { ...shop, id: name.charCodeAt(0), name, ...changes };
    };
    const monitors = [
      named("a", {}),
      named("b", { status: "unknown", since: epochMillis(3) }),
      named("c", { status: "unknown", since: epochMillis(2), incident: open }),
      named("d", { incident: open }),
      named("e", { status: "unknown", since: epochMillis(1), incident: open }),
    ];
    const { ordered } = overviewRows({ ...picture, detail, monitors }, firstQuery);
    expect(ordered.map(({ name }) => name).join("")).toBe("cebda");
  },
);
