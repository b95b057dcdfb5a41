import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { operatorScene } from "../../support/operator-scene.ts";

/** The figures of the table of a check, by the words of their rows, in thousandths of a millisecond. */
const figuresIn = (page: string): ReadonlyMap<string, number> =>
  new Map(
    [
      ...page.matchAll(
        /<th scope="row">(\w+)<\/th>\s*<td class="bar">[^]*?<\/td>\s*<td>([\d.]+)[^<]*<\/td>/g,
      ),
    ].map(([, name = "", figure = ""]) => [name, Math.round(Number(figure) * 1e3)]),
  );

/** The page of a monitor after one check, of which the agent says this. */
async function pageAfter(
  detail: object,
  late = 0,
  seenAfter = 0,
  requestStatus = "success",
): Promise<string> {
  const { service, clock, get } = await operatorScene({ days: 0 });
  const shop = { ...httpDefaults, name: "shop", url: "https://shop.test/", periodicity: "30s" };
  const { id } = await service.admin.createMonitor({ ...shop, active: true }, "management");
  const made = { name: "office", monitorIds: [id], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(made);
  const at = String(clock.wall());
  const started = String(clock.wall() + late);
  const said = { id: "a", monitorId: id, latency: "1", timestamp: started, cronTimestamp: at };
  const http = { ...said, requestStatus, statusCode: "200" };
  const path = "/private_location.v1.PrivateLocationService/IngestBatch";
  const taken = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": token },
    body: JSON.stringify({ results: [{ http, detail }] }),
  });
  expect(taken.status).toBe(200);
  clock.suspend(seenAfter);
  return (await get(`/monitors/${id}`)).text();
}

const phases = { connectNs: "400400", tlsNs: "500300", waitNs: "600300" };

test("the phases of a check and the agent's own work sum to the total on the service's page", async () => {
  const page = await pageAfter({ phases, totalNs: "2901000", ownNs: "1400000" });
  const figures = figuresIn(page);
  const parts = ["connect", "tls", "wait", "agent"].map((name) => figures.get(name));
  expect([...parts, figures.get("total")]).toEqual([401, 500, 600, 1400, 2901]);
});

test("the check of an agent that does not know its own work has phases alone", async () => {
  const page = await pageAfter({ phases, totalNs: "1501000" });
  expect([...figuresIn(page).keys()]).toEqual(["connect", "tls", "wait", "total"]);
});

test("how far the agent's own work may be off is next to it, if the agent says that it is", async () => {
  const own = { phases, totalNs: "2901000", ownNs: "1400000" };
  const words = "agent and the total may be off by 0.250\u00a0ms more.";
  expect(await pageAfter({ ...own, ownErrorBarNs: "250000" })).toContain(words);
  expect(await pageAfter(own)).not.toContain("may be off");
});

test("what an agent remarks is a sentence of the page, and its instant one that a script shows in the reader's zone", async () => {
  const until = "2026-12-04T18:34:47.000Z";
  const ending = `the certificate has 4 days left: renew it before ${until}`;
  const page = await pageAfter({ phases, totalNs: "1501000", remarks: [ending, "all is odd"] });
  expect(page).toContain(
    `>The certificate has 4 days left: renew it before <time datetime="${until}">4\u00a0Dec, 18:34:47 UTC</time></p>`,
  );
  expect(page).toContain(">All is odd</p>");
});

test("what an agent remarks of a slow check is on the page once", async () => {
  const slow = "slow: 902 ms, over the threshold of 500 ms; most of it was wait, 900 ms";
  const page = await pageAfter(
    { phases, totalNs: "1501000", remarks: [slow, "all is odd"] },
    0,
    0,
    "degraded",
  );
  expect(page.split("over the threshold of")).toHaveLength(2);
  expect(page).toContain(">All is odd</p>");
});

test("a check that started in the second for which it was scheduled says that once", async () => {
  const page = await pageAfter({ phases, totalNs: "1501000" }, 400, 20_000);
  expect(page).toContain(">Started<");
  expect(page).not.toContain("scheduled for");
});

test("a check that started late has one age on all of the page of its monitor, and the instants of both", async () => {
  const page = await pageAfter({ phases, totalNs: "1501000" }, 1_500, 20_000);
  const words = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(words).toMatch(/Last check 20 s ago/);
  expect(words).toMatch(/Last good check with details: .*?, 20 s ago/);
  expect(words).toMatch(/Started [\d-]+ 12:00:01 UTC , scheduled for 12:00:00/);
  expect(words.match(/\d+ s ago/g)).toEqual(["20 s ago", "20 s ago", "20 s ago"]);
});
