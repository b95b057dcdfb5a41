import { expect, test } from "vitest";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { readingMarkup } from "../../../support/reading-pages.ts";

interface MarkedChart {
  readonly marks: readonly { readonly kind: string; readonly from: string; readonly to: string }[];
}

test("a monitor's chart is red where checks failed, and not where one passed within the incident", async () => {
  const office = await alertedOffice();
  const read = await readingMarkup(office);
  const redOf = async (): Promise<readonly string[]> => {
    const chart: MarkedChart = JSON.parse(await read("/monitors/1/chart.json?range=1h"));
    return chart.marks
      .filter(({ kind }) => kind === "error")
      .map(({ from, to }) => `${from.slice(11, 19)} ${to.slice(11, 19)}`);
  };
  await office.beat();
  for (const one of "..xx.xx") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  const red = ["12:01:00 12:02:00", "12:02:30 12:03:30"];
  expect(await redOf()).toEqual(red);
  for (let check = 0; check < 2; check += 1) {
    await office.report("success");
    await office.pass(30);
  }
  // The page of the incident has the same two.
  const page = await read("/incidents/1");
  const [, around = ""] = page.split('<details id="latency-around"');
  expect([...around.matchAll(/<rect class="marked error"/g)]).toHaveLength(2);
  expect(page).toContain("it recovered after");
  expect(await redOf()).toEqual(red);
});
