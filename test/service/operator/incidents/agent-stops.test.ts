import { expect, test } from "vitest";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

test("the timeline of a location's incident begins with when its agent stopped, or called for the last time", async () => {
  const office = await alertedOffice();
  const { agent, beat, pass, service, token } = office;
  const read = await reading(office);
  const timeline = async () => /Timeline .* Comment for/.exec(await read("/incidents/1"))?.[0];
  await beat();
  agent.isAlive = false;
  await pass(120);
  expect(await timeline()).toMatch(
    /Timeline 12:00:00 \+0\ss office: last call of an agent 12:01:\d\d \+1\smin [^A-Z]*Opened: failing/,
  );
  agent.isAlive = true;
  await beat();
  await pass(10);
  agent.isAlive = false;
  await service.agent(token).heartbeat({ instanceId: "a", leaving: true });
  await pass(120);
  expect(await timeline()).toMatch(/Closed .* office: its agent stopped, as asked .* Open again/);
});
