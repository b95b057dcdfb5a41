import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { monitorsMadeAtOnce } from "#limits/lines-limits";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

const three = "http://a.test/x0\nhttp://a.test/x1\ndb.test:5432";

/** A service, and what is sent by the form of a new monitor with several addresses. */
async function listScene() {
  const scene = await operatorScene({ days: 0 });
  const form = sentForm(await (await scene.get("/monitors/new")).text(), "/monitors/new");
  const send = async (target: string, more: Record<string, string> = {}) => {
    const sent = new URLSearchParams(form);
    sent.set("url", target);
    for (const [name, value] of Object.entries(more)) sent.set(name, value);
    const answer = await scene.post("/monitors/new", sent);
    const text = await answer.text();
    return { status: answer.status, text, to: answer.headers.get("location") ?? "" };
  };
  const names = async (): Promise<readonly string[]> => {
    const { monitors } = JSON.parse(await (await scene.get("/overview.json")).text());
    return monitors.map(({ name }: { name: string }) => name).toSorted();
  };
  return { ...scene, form, send, names };
}

test("several addresses become as many monitors with the settings of the form, and go by one undo", async () => {
  const { get, post, form, send, names } = await listScene();
  const before = await names();
  const filled = await send(three, { fill: "yes" });
  expect([filled.status, filled.text]).toEqual([
    200,
    expect.stringContaining("These are 3 addresses. Each becomes a monitor"),
  ]);
  expect(filled.text).toContain("Each of the 3 addresses is checked");
  expect(filled.text).toContain("Next: press Create 3 monitors.");
  const shown = sentForm(filled.text, "/monitors/new");
  expect([shown.get("several"), shown.get("url")?.split(/\r?\n/)]).toEqual([
    "3",
    three.split("\n"),
  ]);
  const made = await send(three, { several: "3", periodicity: "5m" });
  expect(made.status).toBe(303);
  expect(await names()).toEqual([...before, "a.test/x0", "a.test/x1", "db.test:5432"].toSorted());
  const page = (await (await get(made.to)).text()).replaceAll(/<[^>]*>/g, " ");
  expect(page).toContain("3 monitors are created. You can undo this until");
  const undo = new URL(made.to, "http://service.test").searchParams.get("undo") ?? "";
  const token = form.get("form") ?? "";
  const undone = await post("/monitors/many/undo", { form: token, undo, query: "" });
  expect(await names()).toEqual(before);
  const said = await (await get(undone.headers.get("location") ?? "")).text();
  expect(said).toContain("Undone: 3 monitors are deleted.");
});

test("of several addresses none becomes a monitor if one cannot be written", async () => {
  const { database, send, names } = await listScene();
  const before = await names();
  using file = new DatabaseSync(database);
  file.exec(`CREATE TRIGGER refused BEFORE INSERT ON monitors WHEN NEW.definition LIKE '%a.test/x1%'
    BEGIN SELECT RAISE(ABORT, 'the test refuses it'); END`);
  expect((await send(three, { several: "3" })).status).toBeGreaterThanOrEqual(500);
  expect(await names()).toEqual(before);
  file.exec("DROP TRIGGER refused");
  expect((await send(three, { several: "3" })).status).toBe(303);
  expect(await names()).toHaveLength(before.length + 3);
});

test("several addresses are refused as a whole, and the wrong one is named", async () => {
  const { send, names } = await listScene();
  const before = await names();
  const wrong = await send("http://a.test/\nftp://b.test/\nhttp://c.test/", { several: "3" });
  expect([wrong.status, wrong.text]).toEqual([
    422,
    expect.stringContaining(
      "a wrong address, number 2, “ftp://b.test/”: it must begin with http://",
    ),
  ]);
  const other = await send("http://a.test/\ndb.test:5432", {
    several: "2",
    body: "a",
    method: "POST",
  });
  expect([other.status, other.text]).toEqual([
    422,
    expect.stringContaining("number 2, “db.test:5432”: it is of another kind"),
  ]);
  expect(await names()).toEqual(before);
});

test("a list of addresses is not the target of one monitor, and is not made unless its number was seen", async () => {
  const { get, post, send, names } = await listScene();
  const before = await names();
  for (const more of [{}, { several: "2" }, { try: "yes" }] as const) {
    const refused = await send(three, more);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining("It has 3 addresses"),
    ]);
  }
  const most = Array.from({ length: monitorsMadeAtOnce + 1 }, (_, index) => `web${index}.test`);
  const offered = await send(most.join("\n"), { fill: "yes" });
  expect(offered.text.replaceAll(/\s+/g, " ")).toContain(
    "These are 51 addresses, and one form creates 50 monitors at most.",
  );
  expect(offered.text).not.toContain("Create 51 monitors");
  const over = await send(most.join("\n"), { several: String(most.length) });
  expect([over.status, over.text]).toEqual([
    422,
    expect.stringContaining("one form creates 50 monitors"),
  ]);
  expect(await names()).toEqual(before);
  const one = await send("http://a.test/");
  const path = `${one.to.split("?")[0]}/edit`;
  const edited = sentForm(await (await get(path)).text(), path);
  edited.set("url", "http://a.test/\nhttp://b.test/");
  const saved = await post(path, edited);
  expect([saved.status, await saved.text()]).toEqual([
    422,
    expect.stringContaining("It has 2 addresses, and a monitor has one: leave one of them."),
  ]);
});
