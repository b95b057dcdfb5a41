import { create, toJsonString } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { HeartbeatRequestSchema } from "#contract/private_location/v1/private_location_pb";
import type { KnownPath } from "#check/known-path";
import { pathView } from "#service/operator/path-view";
import { pathsIn } from "#service/agents/beat-paths";
import { locationId } from "#service/store/ids";
import { epochMillis, nanos } from "#base/units";
import { pathMessage, pathWithoutAddresses } from "#wire/write-path";
import { readPath } from "#wire/read-path";
import { operatorScene } from "../../support/operator-scene.ts";

const at = (time: string) => epochMillis(Date.parse(`2026-11-22T${time}:00Z`));
const hop = (ttl: number, address: string) => ({
  ttl,
  address,
  roundTrip: nanos(400_000),
  since: at("09:00"),
  seenAt: at("11:55"),
  times: 12,
  silent: 0,
  others: [],
  flippedAt: null,
});
const known: KnownPath = {
  network: "10.2.0.0/24",
  flow: { protocol: "tcp", address: "10.2.0.7", port: 443, sourcePort: 61_000 },
  hops: [hop(1, "10.0.0.1"), hop(3, "10.1.9.2")],
  length: 4,
  tracedAt: at("11:55"),
  changes: [
    {
      kind: "replaced",
      ttl: 3,
      gone: "10.1.9.1",
      came: "10.1.9.2",
      before: at("09:10"),
      at: at("09:25"),
    },
  ],
};
const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
const viewOf = (path: KnownPath): string =>
  textOf(pathView([{ location: locationId(1), path }], () => "office", at("12:00"))?.text ?? "");

test("a path is shown hop by hop, with what does not answer and what changed", () => {
  const shown = viewOf(known);
  expect(shown).toContain("From office, traced 5 min ago");
  expect(shown).toContain("1 10.0.0.1 0.4 ms 5 min ago");
  expect(shown).toContain("2 does not answer");
  expect(shown).toContain("4 the target");
  expect(shown).toContain("hop 3 is 10.1.9.2, and was 10.1.9.1");
  expect(viewOf(pathWithoutAddresses(known))).not.toContain("10.");
  expect(pathView([], () => "", at("12:00"))).toBeNull();
});

test("a path crosses the wire as it is, and what an odd agent sends is bounded", () => {
  const message = pathMessage(known, ["1", "no number"]);
  expect(readPath(message)).toEqual(known);
  expect(pathsIn({ paths: [message] })).toMatchObject([{ monitors: [1] }]);
  expect(pathsIn({ paths: [{ ...message, protocol: "smoke" }] })).toEqual([]);
  const many = Array.from({ length: 1_000 }, () => message);
  expect(pathsIn({ paths: many }).length).toBeLessThan(10);
  const wild = {
    ...message,
    hops: message.hops.map((one) => ({ ...one, ttl: 900, seenAt: -(2n ** 62n) })),
  };
  expect(readPath(wild)?.hops).toEqual([]);
});

test("the page of a monitor shows the path that its agent sent with a heartbeat", async () => {
  const { get, service } = await operatorScene({});
  const location = { name: "branch", monitorIds: ["1"], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(location);
  const page = async () => textOf(await (await get("/monitors/1")).text());
  expect(await page()).not.toContain("Path to the target");
  const beat = { instanceId: "gw-1", paths: [pathMessage(known, ["1"])] };
  const answer = await fetch(
    `${service.url}/private_location.v1.PrivateLocationService/Heartbeat`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: toJsonString(HeartbeatRequestSchema, create(HeartbeatRequestSchema, beat)),
    },
  );
  expect(answer.status).toBe(200);
  const shown = await page();
  expect(shown).toContain("Path to the target From ");
  expect(shown).toContain("hop 3 is 10.1.9.2, and was 10.1.9.1");
});
