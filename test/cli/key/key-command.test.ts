import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import { newSigningKey } from "#signing/private-key";
import { signatureFault } from "#signing/monitor-signature";
import { managedDefinition, managedIn } from "#wire/managed-monitor";
import { captureIo } from "../../support/captured-io.ts";
import { isInstalled } from "../../support/installed.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

const hasSsh = isInstalled("ssh-keygen");

/** A service, a folder with a key and a file of monitors, and commands that are called on them. */
async function scene() {
  const service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const folder = temporaryFolder();
  const at = (name: string): string => path.join(folder, name);
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key, ...env });
    const code = await main(args, io);
    return { code, out: io.written.stdout(), said: io.written.stderr() };
  };
  const files = (url = "https://shop.test/health"): string => {
    writeFileSync(
      at("monitors.yaml"),
      `http_monitors:\n  - { name: shop, url: "${url}", periodicity: 1m, active: true, locations: [office] }\n` +
        "tcp_monitors:\n  - { name: db, uri: 'db.test:5432', periodicity: 1m, active: true }\n" +
        "private_locations:\n  - { name: office, monitors: [db] }\n  - { name: berlin, monitors: [shop] }\n",
    );
    return at("monitors.yaml");
  };
  const signaturesOf = async (): Promise<Readonly<Record<string, string>>> => {
    const { httpMonitors, tcpMonitors } = await service.monitors(key).listMonitors({});
    return Object.fromEntries(
      [...httpMonitors, ...tcpMonitors].map(({ name, signature }) => [name, signature]),
    );
  };
  const { out: publicLine } = await run(["key", "new", at("key"), "--comment", "ci@shop"]);
  return {
    service,
    key,
    at,
    run,
    files,
    signaturesOf,
    publicLine,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const locationsIn = (signature = ""): unknown =>
  JSON.parse(Buffer.from(signature.split(".")[2] ?? "", "base64url").toString());

describe("picket key", () => {
  test("makes a key that only its owner reads, once, and shows its public half", async () => {
    await using it = await scene();
    expect(it.publicLine).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} ci@shop\n$/);
    expect(statSync(it.at("key")).mode & 0o777).toBe(0o600);
    const before = readFileSync(it.at("key"), "utf8");
    expect(await it.run(["key", "new", it.at("key")])).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^picket key: .*key cannot be written \(EEXIST\)\n$/),
    });
    expect(readFileSync(it.at("key"), "utf8")).toBe(before);
    const shown = await it.run(["key", "show", it.at("key")]);
    expect(it.publicLine).toContain(shown.out.trim());
    expect(existsSync(it.at("key.pub"))).toBe(false);
    expect((await it.run(["key"])).code).toBe(64);
    expect((await it.run(["key", "old", "x"])).code).toBe(64);
  });

  test.skipIf(!hasSsh)(
    "prints statement and signature, which ssh-keygen verifies together",
    async () => {
      await using it = await scene();
      await it.run(["apply", "-f", it.files(), "--sign", it.at("key")]);
      const { out: statement } = await it.run(["key", "statement", "shop"]);
      const { out: signature } = await it.run(["key", "signature", "shop"]);
      writeFileSync(it.at("signers"), `ci ${it.publicLine}`);
      writeFileSync(it.at("signature"), signature);
      const args = [
        "-Y",
        "verify",
        "-f",
        it.at("signers"),
        "-I",
        "ci",
        "-n",
        "picket-monitor",
        "-s",
        it.at("signature"),
      ];
      expect(execFileSync("ssh-keygen", args, { input: statement }).toString()).toContain("Good");
      const other = statement.replace("shop.test", "evil.test");
      expect(spawnSync("ssh-keygen", args, { input: other }).status).not.toBe(0);
    },
  );
});

describe("apply --sign", () => {
  test("signs each monitor for the locations that the files name, and what is the same is not signed again", async () => {
    await using it = await scene();
    const file = it.files();
    const applied = await it.run([
      "apply",
      "-f",
      file,
      "--sign",
      it.at("key"),
      "--location",
      "rome",
    ]);
    expect(applied).toMatchObject({ code: 0, said: "" });
    const first = await it.signaturesOf();
    expect(locationsIn(first["shop"])).toEqual(["berlin", "office", "rome"]);
    expect(locationsIn(first["db"])).toEqual(["office", "rome"]);
    const again = await it.run(["plan", "-f", file, "--sign", it.at("key"), "--location", "rome"]);
    expect(again).toMatchObject({ code: 0 });
    // Without the key nothing is taken away from what did not change.
    await it.run(["apply", "-f", file]);
    expect(await it.signaturesOf()).toEqual(first);
    const fewer = await it.run(["plan", "-f", file, "--sign", it.at("key")]);
    expect(fewer.out).toMatch(
      /^~ http "shop": signature for berlin, office, rome, by SHA256:\S+, \S+Z → for berlin, office, by SHA256:\S+, \S+Z$/m,
    );
  });

  test("takes the key from a variable of CI, and says what is wrong with one", async () => {
    await using it = await scene();
    const file = it.files();
    const { key, text } = newSigningKey("");
    const env = { DEPLOY_KEY: text };
    expect((await it.run(["apply", "-f", file, "--sign", "env:DEPLOY_KEY"], env)).code).toBe(0);
    const { shop = "" } = await it.signaturesOf();
    expect(Buffer.from(shop.split(".")[3] ?? "", "base64").includes(key.raw)).toBe(true);
    for (const [sign, why] of [
      ["env:ABSENT", "the variable ABSENT is not set"],
      [it.at("nothing"), "cannot be read (ENOENT)"],
      [file, "holds no private key in PEM"],
    ] as const) {
      const refused = await it.run(["apply", "-f", file, "--sign", sign]);
      expect(refused.code).toBe(1);
      expect(refused.said).toContain(why);
    }
  });

  test("a plan that was kept is applied with signatures, and its file holds none", async () => {
    await using it = await scene();
    const plan = it.at("plan");
    expect((await it.run(["plan", "-f", it.files(), "-o", plan])).code).toBe(2);
    expect((await it.run(["apply", plan, "--sign", it.at("key")])).code).toBe(0);
    expect(Object.values(await it.signaturesOf()).every((one) => one !== "")).toBe(true);
  });

  test("a change by a call takes the signature away, unless no agent would notice", async () => {
    await using it = await scene();
    await it.run(["apply", "-f", it.files(), "--sign", it.at("key")]);
    const { shop: before } = await it.signaturesOf();
    const monitors = it.service.monitors(it.key);
    const id = (await monitors.listMonitors({})).httpMonitors[0]?.id ?? "";
    await monitors.updateHTTPMonitor({ id, monitor: { description: "call Ann", active: false } });
    expect((await it.signaturesOf())["shop"]).toBe(before);
    await monitors.updateHTTPMonitor({ id, monitor: { url: "https://evil.test/" } });
    expect((await it.signaturesOf())["shop"]).toBe("");
    await monitors.updateHTTPMonitor({ id, monitor: { signature: before ?? "" } });
    expect((await it.signaturesOf())["shop"]).toBe("");
  });

  test("export writes signatures, and another service takes them as they are", async () => {
    await using it = await scene();
    await it.run(["apply", "-f", it.files(), "--sign", it.at("key")]);
    const before = await it.signaturesOf();
    const { out } = await it.run(["export"]);
    writeFileSync(it.at("exported.yaml"), out);
    await using other = await scene();
    const applied = await other.run(["apply", "-f", it.at("exported.yaml")]);
    expect(applied).toMatchObject({ code: 0, said: "" });
    expect(await other.signaturesOf()).toEqual(before);
    const { httpMonitors } = await other.service.monitors(other.key).listMonitors({});
    const managed = managedIn({
      case: "http",
      value:
        httpMonitors[0] ??
        (() => {
          throw new Error("none");
        })(),
    });
    expect(managed === null ? "none" : signatureFault(managedDefinition(managed))).toBeNull();
    writeFileSync(it.at("edited.yaml"), out.replace("shop.test", "evil.test"));
    const refused = await other.run(["apply", "-f", it.at("edited.yaml")]);
    expect(refused.code).toBe(1);
    expect(refused.said).toContain(
      "is not of this monitor as it is written: sign it again with picket apply --sign",
    );
  });
});
