import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runService } from "#cli/service/service-command";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { captureIo } from "../../support/captured-io.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { quickFolder } from "../../support/running-service.ts";

const password = "correct horse battery staple";

/** A database that a service has made. */
async function running() {
  const database = path.join(quickFolder(), "service.sqlite");
  const options = { database, host: "127.0.0.1", port: 0, log: silentLogger };
  const clock = new FakeClock();
  clock.suspend(Date.now() - clock.wall());
  const service = await startService({ ...options, clock });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const person = async (...words: string[]): Promise<[number, string, string]> => {
    const io = captureIo({ PICKET_SERVICE_PUBLIC_URL: "https://picket.example.com/" });
    const code = await runService(["person", ...words, "--database", database], io);
    return [code, io.written.stdout(), io.written.stderr()];
  };
  const post = (to: string, fields: Record<string, string>) =>
    fetch(`${service.url}${to}`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(fields),
    });
  return { person, post };
}

const linkIn = (said: string): string =>
  /^ {2}https:\/\/picket\.example\.com\/join\?link=(pkt_link_[\w-]{43})$/m.exec(said)?.[1] ?? "";

test("the first owner comes by a link of the command line, and by another after a reset", async () => {
  const { person, post } = await running();
  const [code, added] = await person("add", "Ann@example.com", "--name", "Ann");
  expect(code).toBe(0);
  expect((await post("/join", { link: linkIn(added), password })).status).toBe(303);
  expect(await person("list")).toEqual([0, "owner      active    ann@example.com  Ann\n", ""]);
  const signIn = async () =>
    (await post("/sign-in", { email: "ann@example.com", password })).status;
  expect(await signIn()).toBe(303);
  const [, reset] = await person("reset", "ann@example.com");
  expect(await signIn()).toBe(403);
  expect((await post("/join", { link: linkIn(reset), password })).status).toBe(303);
  expect(await signIn()).toBe(303);
});

test("what cannot be done is a sentence that says why", async () => {
  const { person } = await running();
  await person("add", "ann@example.com", "--role", "reader");
  expect(await person("add", "ann@example.com")).toEqual([
    1,
    "",
    "picket service: email already belongs to another person\n",
  ]);
  expect(await person("add", "bob@example.com", "--name", "ANN@example.com")).toEqual([
    1,
    "",
    "picket service: name is an e-mail address, but not the person's own\n",
  ]);
  expect(await person("reset", "bob@example.com")).toEqual([
    1,
    "",
    "picket service: there is no such person\n",
  ]);
  expect((await person("list"))[1]).toBe("reader     invited   ann@example.com  ann@example.com\n");
});

test.each([
  [["add"]],
  [["remove"]],
  [["add", "a@b.test", "--role", "boss"]],
  [["list", "all", "x"]],
])("wrong words are refused before any file is touched: %s", async (words) => {
  await expect(runService(["person", ...words], captureIo())).rejects.toThrow(/person|--role/);
});
