import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { say } from "./figures.ts";
import { holds, openNotified } from "./notified-scene.ts";

test("a thousand monitors of one location fail at once: at most three messages, the first within seconds", async () => {
  await using scene = await openNotified({ monitors: { office: 1_000, branch: 1 }, paged: 0 });
  await scene.start(0);
  await scene.office.flushed();
  await wait(3_000);
  scene.office.become(scene.monitors.office, "error");
  const began = Date.now();
  const first = (): number | undefined => scene.provider.taken.find(isOfStorm)?.at;
  await holds(
    60_000,
    () => "no message about the storm",
    () => first() !== undefined,
  );
  await wait(35_000);
  const texts = scene.provider.taken.filter(isOfStorm).map(({ body }) => titleOf(body));
  say(
    "1,000 monitors fail at once",
    `first message after ${((first() ?? 0) - began) / 1000} s, ${texts.length} messages: ${texts.join("; ")}`,
  );
  expect(texts.length).toBeLessThanOrEqual(3);
  expect(texts.join()).toMatch(/1,?000/);
});

const isOfStorm = ({ path }: { readonly path: string }): boolean => path.startsWith("/ops");
const titleOf = (body: string): string => String(JSON.parse(body).text).split("\n")[0] ?? "";
