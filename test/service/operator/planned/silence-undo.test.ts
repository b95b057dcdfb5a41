import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { StoreFault } from "#service/store/store-fault";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** It is 12:00 on 22 November: a service whose first monitor was just silenced for an hour, and who sends its forms. */
async function silenceScene(opensStore = openStoreHere) {
  const { get, post, clock } = await operatorScene({ opensStore });
  const form = formTokenIn(await (await get("/")).text());
  const send = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const led = (await post(path, { form, ...fields })).headers.get("location") ?? "";
    const page = await (await get(led)).text();
    const words = page
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll("\u00a0", " ")
      .replaceAll(/\s+/g, " ");
    return { led, words, undo: new URL(led, "http://x.test").searchParams.get("undo") ?? "" };
  };
  return { clock, send, silence: await send("/monitors/1/silence", { length: "1h" }) };
}

const pages = ["/monitors/1", "/maintenances", "/"];

test("what is silenced says until when, by its day and time", async () => {
  const { silence } = await silenceScene();
  expect(silence.led).toBe("/monitors/1?silence-is=made.1");
  expect(silence.words).toContain(
    "Silenced: nothing new is sent until 22 Nov, 13:00 UTC . Incidents still open and close.",
  );
});

test.each(pages)("the end of a silence can be undone on %s, once", async (back) => {
  const { send } = await silenceScene();
  const ended = await send("/silences/1/end", { back });
  expect(ended.led.startsWith(`${back}?silence-is=ended.1&undo=`)).toBe(true);
  expect(ended.words).toMatch(/The silence is over: what lasts is sent\. You can undo this until/);
  const undone = await send("/silences/undo", { undo: ended.undo, back });
  expect(undone.led).toBe(`${back}?silence-is=undone.1`);
  expect(undone.words).toContain(
    "Undone: nothing new is sent until 22 Nov, 13:00 UTC , as before.",
  );
  expect((await send("/silences/undo", { undo: ended.undo, back })).words).toContain(
    "It can no longer be undone",
  );
});

test("a silence that was extended says until when, and that can be undone", async () => {
  const { send } = await silenceScene();
  const longer = await send("/silences/1/extend", { length: "4h" });
  expect(longer.words).toMatch(/Extended: nothing new is sent until 22 Nov, 17:00 UTC ?\. You can/);
  const undone = await send("/silences/undo", { undo: longer.undo, back: "/maintenances" });
  expect(undone.words).toContain("until 22 Nov, 13:00 UTC , as before");
});

test("an undo at which the database fails is pressed again", async () => {
  let isAway = true;
  const { send } = await silenceScene(async (place) => {
    const store = await openStoreHere(place);
    const { silences } = store.alerts;
    const putBack: typeof silences.putBack = (...asked) => {
      if (isAway) throw new StoreFault("store_unreachable", "away for a moment");
      return silences.putBack(...asked);
    };
    return { ...store, alerts: { ...store.alerts, silences: { ...silences, putBack } } };
  });
  const { undo } = await send("/silences/1/end", { back: "/" });
  await send("/silences/undo", { undo, back: "/" });
  isAway = false;
  expect((await send("/silences/undo", { undo, back: "/" })).words).toContain(
    "Undone: nothing new is sent until 22 Nov, 13:00 UTC , as before.",
  );
});

test("an end that someone moved since stays, and so does one that would be over by now", async () => {
  const { send, clock } = await silenceScene();
  const first = await send("/silences/1/extend", { length: "30m" });
  await send("/silences/1/extend", { length: "30m" });
  const other = await send("/silences/undo", { undo: first.undo, back: "/maintenances" });
  expect(other.words).toContain("Nothing is undone: the silence has another end since.");
  clock.suspend(minutes(115));
  const short = await send("/silences/1/extend", { length: "30m" });
  clock.suspend(minutes(6));
  const over = await send("/silences/undo", { undo: short.undo, back: "/maintenances" });
  expect(over.words).toContain("would have ended already by now");
});
