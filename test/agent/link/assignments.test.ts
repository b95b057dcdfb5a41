import { expect, test } from "vitest";
import { ServiceError } from "#transport/control-plane";
import { endpointScene } from "../../support/endpoint-scene.ts";
import { monitorWith } from "../../support/twins.ts";

test("an assignment that is refused leaves the one before it running; log, /status and /readyz say why", async () => {
  const { agent, clock, controlPlane, log, get } = await endpointScene({
    monitors: [monitorWith()],
  });
  await clock.advance(10_000);
  expect((await get("/readyz")).status).toBe(200);
  const pull = controlPlane.pull.bind(controlPlane);
  controlPlane.pull = () =>
    Promise.reject(new ServiceError("oversized", "the service assigned a million monitors"));
  await clock.advance(600_000);
  expect(agent.status).toMatchObject({ monitors: 1, link: "up" });
  const said = log.said.filter(({ message }) =>
    message.includes("the service's answer is refused"),
  );
  expect(said).toHaveLength(1);
  const ready = await get("/readyz");
  expect([ready.status, await ready.text()]).toEqual([
    503,
    expect.stringContaining("the service assigned a million monitors: assign fewer monitors"),
  ]);
  expect(await (await get("/status")).json()).toMatchObject({
    assignment_refused: expect.stringContaining("the service assigned a million monitors"),
    ready: { ok: false },
  });
  controlPlane.pull = pull;
  await clock.advance(600_000);
  expect((await get("/readyz")).status).toBe(200);
});
