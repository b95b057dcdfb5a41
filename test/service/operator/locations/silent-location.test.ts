import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { seconds } from "#base/units";
import { agentBeat } from "../../../support/agent-beat.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

/** What a person reads of a page, in one line. */
const wordsIn = (page: string): string => page.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

/** A location whose agent has called, and what its page says once alerting has opened an incident. */
async function silentScene(last: { readonly leaving?: boolean }) {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { service, clock } = scene;
  const ann = await byKey(scene, "write");
  const web = { name: "shop", url: "https://shop.test/", periodicity: "30s", active: true };
  const { id } = await service.admin.createMonitor({ ...httpDefaults, ...web }, "management");
  const office = { name: "Office", monitorIds: [id], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  expect(await agentBeat(service.url, token, last)).toBe(200);
  let page = "";
  for (let look = 0; look < 60 && !page.includes("/incidents/1"); look += 1) {
    for (let second = 0; second < 5; second += 1) await clock.advance(seconds(1));
    page = await ann.text("/locations/1");
  }
  return { ann, page };
}

test.each([
  [{ leaving: true }, "Stopped as asked at 22 Nov, 12:00:00 UTC.", "Stopped as asked"],
  [{}, "No agent has reported since 22 Nov, 12:00:00 UTC.", "No agent reports"],
])(
  "the page and the box of a silent location lead to its incident, which says why: %j",
  async (last, why, said) => {
    const { ann, page } = await silentScene(last);
    expect(wordsIn(page)).toContain(`${why} (incident 1)`);
    expect(page).toContain('<a href="/incidents/1">incident 1</a');
    expect(wordsIn(await ann.text("/incidents/1"))).toContain(said);
    expect(wordsIn(await ann.text("/incidents"))).toContain(said);
    expect(wordsIn(await ann.text("/"))).toContain(`Office is silent. ${why} (incident 1)`);
    await ann.send("/incidents/1/acknowledge");
    for (const path of ["/locations/1", "/"])
      expect(wordsIn(await ann.text(path))).toContain(`${why} (incident 1, acknowledged)`);
    expect(JSON.parse(await ann.text("/locations/1.json"))).toMatchObject({
      incident: { number: 1, acknowledged: true },
    });
  },
);
