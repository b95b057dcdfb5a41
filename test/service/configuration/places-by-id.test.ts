import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

/** A service with locations that were made without files, and commands that are called on it. */
async function scene(...places: readonly string[]) {
  const service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const ids: string[] = [];
  for (const name of places) {
    const made = await service.locations(key).createPrivateLocation({ name });
    ids.push(made.privateLocation?.id ?? "");
  }
  const run = async (command: string, text: string, ...more: readonly string[]) => {
    const file = path.join(temporaryFolder(), "a.yaml");
    writeFileSync(file, text);
    const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key });
    io.typing.end("");
    const args = command === "export" ? [command] : [command, "-f", file, ...more];
    const code = await main(args, io);
    return { code, out: io.written.stdout(), said: io.written.stderr() };
  };
  /** The monitors of the service, each with the ids of its locations. */
  const placed = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
    const { httpMonitors } = await service.monitors(key).listMonitors({});
    return Object.fromEntries(httpMonitors.map((one) => [one.name, one.privateLocationIds]));
  };
  return { ids, run, placed, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const monitor = (name: string, more: string): string =>
  `  - { name: ${name}, url: "https://${name}.test/", periodicity: 30s, active: true, ${more} }\n`;
const file = (...lines: readonly string[]): string => `http_monitors:\n${lines.join("")}`;

describe("a location that files name by its id", () => {
  test("gets the monitors, and then all of it is the same", async () => {
    await using it = await scene("office", "lab");
    const [office = "", lab = ""] = it.ids;
    const text = file(
      monitor("a", `locations: ["id:${office}"]`),
      monitor("b", `locations: [office, "id:${office}"]`),
      monitor("c", "locations: [office]"),
    );
    const first = await it.run("apply", text);
    expect(first.code).toBe(0);
    expect(first.out).toContain('~ private location "office": monitors + http "a" + http "b"');
    expect(await it.placed()).toEqual({ a: [office], b: [office], c: [office] });
    expect(await it.run("plan", text)).toMatchObject({ code: 0 });
    const more = text.replace(`["id:${office}"]`, `["id:${office}", "id:${lab}"]`);
    expect((await it.run("apply", more)).out).toContain(
      '~ private location "lab": monitors + http "a"\n',
    );
    expect((await it.placed())["a"]).toEqual([office, lab]);
    expect(await it.run("plan", more)).toMatchObject({ code: 0 });
    const { out } = await it.run("export", "");
    expect(out).toMatch(/name: lab\n\s+monitors:\n\s+- a\n/);
    expect((await it.run("plan", out)).out).not.toContain("monitors +");
  });

  test("is that of the same files, also under its next name", async () => {
    await using it = await scene("office");
    const [office = ""] = it.ids;
    const text = `${file(monitor("a", `locations: ["id:${office}"]`), monitor("b", ""))}private_locations:\n`;
    const named = `${text}  - { name: office, monitors: [b] }\n`;
    expect(await it.run("apply", named)).toMatchObject({ code: 0 });
    expect(await it.placed()).toEqual({ a: [office], b: [office] });
    expect(await it.run("plan", named)).toMatchObject({ code: 0 });
    const renamed = `${text}  - { name: desk, renamed_from: office, monitors: [b] }\n`;
    expect(await it.run("apply", renamed)).toMatchObject({ code: 0 });
    expect(await it.placed()).toEqual({ a: [office], b: [office] });
    expect(await it.run("plan", renamed)).toMatchObject({ code: 0 });
  });

  test("of other files keeps their owner and their monitors", async () => {
    await using it = await scene();
    const theirs = `owner: other\n${file(monitor("theirs", ""))}private_locations: [{ name: lab, monitors: [theirs] }]\n`;
    expect(await it.run("apply", theirs)).toMatchObject({ code: 0 });
    const ours = `owner: ours\n${file(monitor("ours", 'locations: ["id:1"]'))}`;
    expect(await it.run("apply", ours, "--prune", "--yes")).toMatchObject({ code: 0 });
    expect(await it.placed()).toEqual({ theirs: ["1"], ours: ["1"] });
    expect(await it.run("plan", ours)).toMatchObject({ code: 0 });
  });

  test("is the one of two that have the same name, which the name alone does not say", async () => {
    await using it = await scene("office", "office");
    const [, second = ""] = it.ids;
    const text = file(monitor("a", `locations: ["id:${second}"]`));
    expect(await it.run("apply", text)).toMatchObject({ code: 0 });
    expect(await it.placed()).toEqual({ a: [second] });
    expect(await it.run("plan", text)).toMatchObject({ code: 0 });
    const byName = await it.run("apply", file(monitor("a", "locations: [office]")));
    expect(byName.said).toContain("it is not clear which one is meant");
  });

  test("is refused if the service has none of that id, and none is made of it", async () => {
    await using it = await scene("office");
    const one = await it.run("apply", file(monitor("a", 'locations: ["id:99"]')));
    expect(one.code).toBe(1);
    expect(one.said).toContain(
      'The monitor http "a" names the private location "id:99", which neither the files nor the service have.',
    );
    const all = await it.run("apply", file(monitor("a", "")), "--location", "id:99");
    expect([all.code, all.said]).toEqual([1, expect.stringContaining('location "id:99"')]);
    expect(await it.placed()).toEqual({});
    expect(
      await it.run("apply", file(monitor("a", "")), "--location", `id:${it.ids[0]}`),
    ).toMatchObject({ code: 0 });
    expect(await it.placed()).toEqual({ a: it.ids });
  });

  test("is refused in what is signed, for an agent knows the name alone", async () => {
    await using it = await scene("office");
    const key = path.join(temporaryFolder(), "key");
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    const signed = await it.run(
      "apply",
      file(monitor("a", `locations: ["id:${it.ids[0]}"]`)),
      "--sign",
      key,
    );
    expect(signed.said).toContain("write the name of the location in its place");
    expect(await it.placed()).toEqual({});
  });
});

test("ids mean objects of the service in every list of files: monitors of channels, locations of them, components, work", async () => {
  await using it = await scene("office");
  const [office = ""] = it.ids;
  expect(await it.run("apply", file(monitor("a", "")))).toMatchObject({ code: 0 });
  const text = `owner: second
tcp_monitors: [{ name: b, uri: "b.test:1", periodicity: 30s, active: true, depends_on: ["id:1"] }]
private_locations: [{ name: lab, monitors: [b, "id:1"] }]
notifications:
  - { name: ops, provider_type: webhook, webhook: { endpoint: "https://hook.test/x" }, monitors: [b, "id:1"], locations: [office, "id:${office}"] }
status_pages:
  - { title: Shop, slug: shop, components: [{ name: one, monitor: "id:1" }] }
maintenances:
  - { title: work, message: Back soon, from: 2026-12-01T22:00, to: 2026-12-01T23:30, monitors: ["id:1"], locations: ["id:${office}"] }
`;
  const applied = await it.run("apply", text);
  expect([applied.code, applied.said]).toEqual([0, ""]);
  expect(applied.out).toContain('+ notification "ops": monitors + tcp "b" + http "a"');
  const again = await it.run("plan", text);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining("0 to create, 0 to update")]);
  expect(await it.placed()).toEqual({ a: ["2"] });
  const { out } = await it.run("export", "");
  expect(out).toMatch(/name: ops\n(?:    .*\n)*    monitors:\n\s+- a\n\s+- b\n/);
  expect(out).toMatch(/monitor: a\n/);
});
