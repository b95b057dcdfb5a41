import { expect, test } from "vitest";
import { forms, pages } from "#service/operator/page-routes";
import { operatorScene } from "../../../support/operator-scene.ts";
import { samplePath } from "../../../support/sample-path.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const isPage = (to: string): boolean => pages.some(({ path }) => path.test(to));
const paths = forms.map(({ path }) => samplePath(path, "1"));
/** Where there is a page as well, the page answers. */
const actions = [...new Set(paths)].filter((path) => !isPage(path));

test("the address of a form without a page leads to the nearest page that has the form", async () => {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const ends: Record<string, string> = {};
  const faults: string[] = [];
  for (const action of actions) {
    const answer = await scene.get(action);
    const to = answer.headers.get("location") ?? "";
    ends[action] = to;
    if (answer.status !== 303 || !isPage(to)) faults.push(`${answer.status} ${action} → ${to}`);
  }
  expect(faults).toEqual([]);
  expect(actions.length).toBeGreaterThan(40);
  expect(ends).toMatchObject({
    "/monitors/many": "/",
    "/monitors/many/undo": "/",
    "/monitors/1/check": "/monitors/1",
    "/incidents/acknowledge": "/incidents",
    "/silences/1/end": "/maintenances",
    "/status-pages/1/components/1/move": "/status-pages/1",
    "/status-pages/1/subscribers/1/test": "/status-pages/1/subscribers",
    "/settings/password": "/settings",
    "/settings/factor/remove": "/settings/factor",
    "/undo": "/",
  });
  // Nothing leads to the start that has a page nearer to it.
  const toStart = Object.keys(ends).filter((action) => ends[action] === "/");
  expect(toStart.filter((action) => !/^\/(monitors\/many|undo)/.test(action))).toEqual([]);
});
