import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";

const help = /for example above 500 ms\.([^<]*)</;

test("the threshold of a monitor with a history has what was measured next to it, as its page has", async () => {
  const { get } = await operatorScene();
  const read = async (path: string): Promise<string> => (await get(path)).text();
  const said = help.exec(await read("/monitors/1/edit"))?.[1] ?? "";
  const figure = "([\\d.]+\\s\\w+)";
  const [, median, p95, p99] =
    new RegExp(
      `^ Last 7\\sdays: median\\s${figure}, p95\\s${figure}, p99\\s${figure}\\.\\s*$`,
    ).exec(said) ?? [];
  const page = await read("/monitors/1");
  expect(page).toContain(`p95\u00A0${p95}, p99\u00A0${p99}`);
  expect(page).toContain(median);
});

test("nothing is said of a monitor that was never checked, or is not there yet", async () => {
  const { get } = await operatorScene({ days: 0 });
  expect(help.exec(await (await get("/monitors/new")).text())?.[1]?.trim()).toBe("");
});
