import { expect, test } from "vitest";
import { reportDelayWords } from "#service/operator/monitors/report-delay";
import { operatorScene } from "../../../support/operator-scene.ts";

const words = (typed: Record<string, string>): string =>
  reportDelayWords(new URLSearchParams(typed)).replaceAll("\u00A0", " ");

test("the delay of a report is an interval, the attempts of a check, and further checks that are asked for", () => {
  const minutely = { periodicity: "1m", timeout: "45 s", retry: "3" };
  expect(words(minutely)).toBe(
    "With a check every 1 min, a timeout of 45 s and 3 retries, a target that refuses is reported within about 1 min. One that does not answer is reported within about 4 min.",
  );
  expect(words({ ...minutely, "alerting.failures": "3" })).toContain("within about 3 min. One");
  expect(words({ ...minutely, "alerting.failures": "3" })).toMatch(/within about 12 min\.$/);
  expect(words({ periodicity: "30s", timeout: "1 s", retry: "0" })).toContain("within about 30 s.");
  expect(words({ ...minutely, timeout: "10 s", retry: "1" })).toMatch(/about 1 min 20 s\.$/);
  expect(words({ ...minutely, retry: "1" })).toContain("and 1 retry,");
  expect(words({ ...minutely, timeout: "soon" })).toBe("");
});

test("the form of a monitor says at its retries how late an outage is reported", async () => {
  const { get } = await operatorScene({ days: 0 });
  const page = await (await get("/monitors/new")).text();
  expect(page.match(/One that does not answer is reported within about/g)).toHaveLength(1);
});
