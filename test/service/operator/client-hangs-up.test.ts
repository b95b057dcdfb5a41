import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { operatorScene } from "../../support/operator-scene.ts";
import { statusScene } from "../status-site/status-scene.ts";
import { memoryLog } from "../../support/twins.ts";

/** Begins to post a form, and goes away in the middle of it. */
async function hangUp(url: string, path: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 99\r\n`;
  socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\n\r\nsecret=`);
  // What was written has come, and the service reads on, once another request for the same has its answer.
  const again = async () => (await fetch(`${url}${path}`, { redirect: "manual" })).text();
  await again();
  socket.resetAndDestroy();
  await once(socket, "close");
  await again();
}

test("a person who goes away while signing in is not a fault of the service", async () => {
  const { service, log } = await operatorScene({ pages: "signed in", days: 0 });
  await hangUp(service.url, "/sign-in");
  expect(log.said.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});

test("a reader who goes away while typing a status page's password is not a fault of the service", async () => {
  const log = memoryLog();
  await using here = await statusScene([], null, { log });
  const access = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password: "open sesame" };
  await here.call("CreateStatusPage", { title: "A", slug: "acme", published: true, ...access });
  await hangUp(here.service.url, "/status/acme/sign-in");
  expect(log.said.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});
