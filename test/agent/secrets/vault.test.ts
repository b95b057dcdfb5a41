import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSecrets, sourcesOf } from "#agent/secrets/read-secrets";
import { readSecretsOnce } from "#agent/secrets/secret-watch";
import { Secrets } from "#agent/secrets/secrets";
import { VaultValues } from "#agent/secrets/vault-values";
import { type VaultSource, vaultMistakes, vaultSourceOf } from "#agent/secrets/vault-source";
import { systemClock } from "#base/clock";
import { minutes, seconds } from "#base/units";
import { closedPort } from "../../servers/scripted.ts";
import { vaultStandIn } from "../../servers/vault-stand-in.ts";
import { Authority } from "../../support/authority.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

function written(name: string, text: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

const planted = "planted-vault-4711";

function sourceOf(env: Readonly<Record<string, string>>): VaultSource {
  const source = vaultSourceOf(env);
  return source ?? expect.fail("no Vault is named");
}

const textsOf = (name: string): readonly string[] => [`{{secret:${name}}}`];

/** A stand-in with one entry, and what an agent knows of it by the token of a file. */
async function scene(more: Readonly<Record<string, string>> = {}, tls: Authority | null = null) {
  const vault = await vaultStandIn(tls === null ? null : await tls.issue());
  onTestFinished(() => vault.goAway());
  vault.tokens.set("hvs.good", 0);
  vault.entries.set("secret/picket", { api: planted, number: 123_456 });
  const tokenFile = written("token", "hvs.good\n");
  const env = {
    PICKET_VAULT_ADDR: vault.url,
    PICKET_VAULT_PATH: "secret/picket",
    PICKET_VAULT_TOKEN_FILE: tokenFile,
    ...more,
  };
  const [clock, log] = [new FakeClock(Date.UTC(2026, 0, 1)), memoryLog()];
  const values = new VaultValues(sourceOf(env), clock, log);
  /** What a check of a monitor that names `api` is told. */
  const failureOf = (): string | null => {
    const reading = readSecrets(
      { ...sourcesOf(env), hostsFile: written("hosts", "api shop.test\n") },
      values,
    );
    const to = { host: "shop.test", port: 443, verified: true };
    const filled = new Secrets(reading.table).fill(textsOf("api"), to, (fill) =>
      fill("{{secret:api}}"),
    );
    if (!filled.ok) return filled.failure.message;
    expect(filled.value).toBe(planted);
    return null;
  };
  return { vault, values, clock, log, tokenFile, failureOf };
}

/** A real Vault or OpenBao in its development mode, if its program is given; else the stand-in. */
const program = process.env["VAULT_PROGRAM"] ?? "";

describe(`Vault, ${program === "" ? "for which one stands in," : "a real one,"}`, () => {
  test("gives the fields of an entry of its key-value store, by a token from a file", async () => {
    const { url, token } = program === "" ? await standIn() : await realVault(program);
    const env = {
      PICKET_VAULT_ADDR: url,
      PICKET_VAULT_PATH: "secret/picket",
      PICKET_VAULT_TOKEN_FILE: written("token", `${token}\n`),
    };
    const { table, errors } = await readSecretsOnce(sourcesOf(env), systemClock);
    expect([errors, table.away]).toEqual([[], null]);
    expect([...table.secrets].map(([name, { value }]) => [name, value])).toEqual([
      ["api", planted],
    ]);
  });
});

async function standIn(): Promise<{ readonly url: string; readonly token: string }> {
  const vault = await vaultStandIn();
  onTestFinished(() => vault.goAway());
  vault.tokens.set("root", 0);
  vault.entries.set("secret/picket", { api: planted });
  return { url: vault.url, token: "root" };
}

async function realVault(file: string): Promise<{ readonly url: string; readonly token: string }> {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}`;
  const listen = [`-dev-listen-address=127.0.0.1:${port}`, "-dev-root-token-id=root"];
  const child = spawn(file, ["server", "-dev", "-dev-no-store-token", ...listen], {
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const put = (): Promise<boolean> =>
    fetch(`${url}/v1/secret/data/picket`, {
      method: "POST",
      headers: { "x-vault-token": "root" },
      body: JSON.stringify({ data: { api: planted } }),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(put).toBe(true);
  return { url, token: "root" };
}

describe("secrets from Vault", () => {
  test("go by the operator's own list of hosts, and a number is written as text", async () => {
    const { values, failureOf } = await scene();
    await values.refresh();
    expect([...values.values]).toEqual([
      ["api", planted],
      ["number", "123456"],
    ]);
    expect(failureOf()).toBeNull();
  });

  test("are read again, by another token if the file has one", async () => {
    const { vault, values, tokenFile } = await scene();
    await values.refresh();
    const state = values.state;
    await values.refresh();
    expect(values.state).toBe(state);
    vault.tokens.delete("hvs.good");
    vault.tokens.set("hvs.next", 0);
    writeFileSync(tokenFile, "hvs.next");
    vault.entries.set("secret/picket", { api: "renewed-1" });
    await values.refresh();
    expect(values.values.get("api")).toBe("renewed-1");
    expect(values.state).not.toBe(state);
  });

  test("are read by the service account of a pod, whose token is renewed at half of its lease", async () => {
    const { vault, values, clock } = await scene({
      PICKET_VAULT_TOKEN_FILE: "",
      PICKET_VAULT_ROLE: "picket",
      PICKET_VAULT_JWT_FILE: written("jwt", "a service account's token\n"),
    });
    await values.refresh();
    clock.suspend(seconds(40));
    await values.refresh();
    clock.suspend(seconds(20));
    await values.refresh();
    expect(vault.heard.filter((one) => one.startsWith("POST"))).toEqual([
      "POST auth/kubernetes/login",
      "POST auth/token/renew-self",
    ]);
    clock.suspend(seconds(200));
    await values.refresh();
    expect(vault.heard.at(-2)).toBe("POST auth/kubernetes/login");
    expect(values.values.get("api")).toBe(planted);
  });

  test("are used for an hour while Vault is away, and then the check says so and sends nothing", async () => {
    const { vault, values, clock, log, failureOf } = await scene();
    await values.refresh();
    await vault.goAway();
    clock.suspend(minutes(59));
    expect(await values.refresh()).toBe(seconds(10));
    await values.refresh();
    expect(failureOf()).toBeNull();
    expect(log.said).toHaveLength(1);
    clock.suspend(minutes(2));
    expect(failureOf()).toMatch(
      /^The secret api cannot be used: Vault cannot be reached \(ECONNREFUSED\) since 2026-01-01T00:00:00.000Z, at http:\/\/127\.0\.0\.1:\d+, and what it said is not kept longer than 60 minutes$/,
    );
  });

  test("are not there yet if Vault never answered, and the sentence says where it was looked for", async () => {
    const { vault, values, failureOf } = await scene();
    vault.fault = { status: 503 };
    await values.refresh();
    expect(failureOf()).toMatch(
      /^This agent has no secret api: Vault is sealed, or in maintenance \(auth\/token\/lookup-self\), at http:/,
    );
    vault.fault = null;
    await values.refresh();
    expect(failureOf()).toBeNull();
  });

  test.each([
    [403, "refuses the token, or its policy does not allow this (secret/data/picket)"],
    [404, "has nothing there"],
    [500, "answered with 500"],
    [307, "leads to another address: name that one"],
  ])(
    "are not read if Vault answers with %d, and nothing follows a redirect",
    async (status, why) => {
      const { vault, values } = await scene();
      vault.fault = { status, headers: { location: "http://127.0.0.1:1/" } };
      await values.refresh();
      expect(values.unusable).toContain(why);
      expect(values.unusable).not.toContain("hvs.good");
    },
  );

  test("are read over TLS that the named authority signed, and not over another's", async () => {
    const authority = await Authority.create();
    const trusted = await scene(
      { PICKET_VAULT_CA_FILE: written("ca.pem", authority.cert) },
      authority,
    );
    await trusted.values.refresh();
    expect(trusted.values.unusable).toBeNull();
    const stranger = await scene({}, authority);
    await stranger.values.refresh();
    expect(stranger.values.unusable).toMatch(/cannot be reached \((?!ECONN)/);
    expect(stranger.vault.heard).toEqual([]);
  });

  test.each([
    [{ PICKET_VAULT_ADDR: "http://vault.test:8200" }, "must be https://HOST"],
    [{ PICKET_VAULT_ADDR: "https://ann:pw@vault.test" }, "must be https://HOST"],
    [{ PICKET_VAULT_ADDR: "vault" }, "must be https://HOST"],
    [{ PICKET_VAULT_TOKEN_FILE: "" }, "needs PICKET_VAULT_TOKEN_FILE, or PICKET_VAULT_ROLE"],
    [{ PICKET_VAULT_PATH: "" }, "needs PICKET_VAULT_PATH"],
    [{ PICKET_VAULT_PATH: "secret" }, '"secret" is not MOUNT/PATH'],
    [{ PICKET_VAULT_PATH: "secret/../sys/x" }, "is not MOUNT/PATH"],
  ])("are not asked for with the settings %j", (wrong, sentence) => {
    const source = sourceOf({
      PICKET_VAULT_ADDR: "https://vault.test",
      PICKET_VAULT_PATH: "secret/picket",
      PICKET_VAULT_TOKEN_FILE: "/token",
      ...wrong,
    });
    expect(vaultMistakes(source).join("; ")).toContain(sentence);
  });

  const byRole = (): Readonly<Record<string, string>> => ({
    PICKET_VAULT_TOKEN_FILE: "",
    PICKET_VAULT_ROLE: "picket",
    PICKET_VAULT_JWT_FILE: written("jwt", "a service account's token\n"),
  });
  const loginsOf = ({ heard }: { readonly heard: readonly string[] }): number =>
    heard.filter((one) => one === "POST auth/kubernetes/login").length;

  test("cost no login after login if the policy does not allow one of the entries", async () => {
    const { vault, values, clock } = await scene({
      ...byRole(),
      PICKET_VAULT_PATH: "secret/picket,secret/other",
    });
    vault.loginLease = 3_600;
    vault.faultsOf.set("secret/data/other", 403);
    for (let turn = 0; turn < 5; turn += 1) {
      clock.suspend(await values.refresh());
      expect(values.unusable).toContain("refuses the token");
    }
    expect(loginsOf(vault)).toBe(1);
    clock.suspend(minutes(10));
    await values.refresh();
    await values.refresh();
    expect(loginsOf(vault)).toBe(2);
  });

  test("are those of the entries that are there, and an entry that was deleted is logged once", async () => {
    const { vault, values, log } = await scene({
      PICKET_VAULT_PATH: "secret/picket,secret/other",
    });
    vault.entries.set("secret/other", { other: "other-value" });
    await values.refresh();
    expect([...values.values.keys()]).toEqual(["api", "number", "other"]);
    vault.entries.delete("secret/other");
    await values.refresh();
    await values.refresh();
    expect(values.unusable).toBeNull();
    expect([...values.values.keys()]).toEqual(["api", "number"]);
    expect(log.said).toMatchObject([
      { message: "an entry of Vault is not there: its secrets are missing" },
    ]);
    vault.entries.delete("secret/picket");
    await values.refresh();
    expect(log.said).toHaveLength(2);
    expect(values.values.get("api")).toBe(planted);
  });

  test.each([400, 403, 500])(
    "are read while the token is good, although its renewal is answered with %d",
    async (status) => {
      const { vault, values, clock } = await scene(byRole());
      await values.refresh();
      vault.faultsOf.set("auth/token/renew-self", status);
      vault.entries.set("secret/picket", { api: "renewed-1" });
      clock.suspend(seconds(60));
      await values.refresh();
      expect(values.unusable).toBeNull();
      expect(values.values.get("api")).toBe("renewed-1");
      clock.suspend(seconds(60));
      await values.refresh();
      expect(loginsOf(vault)).toBe(2);
    },
  );

  test("are not asked for if the address is not one that the token may go to", async () => {
    const { vault, tokenFile } = await scene();
    const { errors } = await readSecretsOnce(
      sourcesOf({
        PICKET_VAULT_ADDR: `${vault.url}/?to=elsewhere`,
        PICKET_VAULT_PATH: "secret/picket",
        PICKET_VAULT_TOKEN_FILE: tokenFile,
      }),
      systemClock,
    );
    expect(errors).toEqual([expect.stringContaining("must be https://HOST")]);
    expect(vault.heard).toEqual([]);
  });

  test.each(["hvs.first\nhvs.second", "hvs.gööd€", "hvs.g ood", "", "\n"])(
    "are not read by a token file that holds %j: the sentence names the file, and no request is made",
    async (text) => {
      const { vault, values, tokenFile } = await scene();
      writeFileSync(tokenFile, text);
      expect(await values.refresh()).toBe(seconds(10));
      expect(values.unusable).toContain(
        `Vault cannot be asked: ${tokenFile} must hold one token, in one line of ASCII characters without spaces, at http:`,
      );
      expect(values.unusable).not.toContain("hvs.");
      expect(vault.heard).toEqual([]);
      writeFileSync(tokenFile, "hvs.good");
      await values.refresh();
      expect(values.unusable).toBeNull();
    },
  );

  test("are not read by a token from a login that no header can carry", async () => {
    const { vault, values } = await scene(byRole());
    vault.loginToken = "two\nlines";
    await values.refresh();
    expect(values.unusable).toContain("Vault gave no token, at http:");
  });

  test("are read over TLS if the address has its scheme in capitals", async () => {
    const authority = await Authority.create();
    const { vault } = await scene({}, authority);
    const values = new VaultValues(
      sourceOf({
        PICKET_VAULT_ADDR: vault.url.replace("https:", "HTTPS:"),
        PICKET_VAULT_PATH: "secret/picket",
        PICKET_VAULT_TOKEN_FILE: written("token", "hvs.good"),
        PICKET_VAULT_CA_FILE: written("ca.pem", authority.cert),
      }),
      new FakeClock(),
      memoryLog(),
    );
    await values.refresh();
    expect(values.unusable).toBeNull();
  });

  test("are not taken from an answer that is too large", async () => {
    const { vault, values } = await scene();
    vault.entries.set("secret/picket", { api: "x".repeat(2 ** 20) });
    await values.refresh();
    expect(values.unusable).toContain("Vault answered too much, at");
  });

  test("are not used if a variable has one of the same name, and neither is that", async () => {
    const { values } = await scene();
    await values.refresh();
    const env = {
      PICKET_VAULT_ADDR: "https://vault.test",
      PICKET_VAULT_PATH: "secret/picket",
      PICKET_VAULT_TOKEN_FILE: "/token",
      PICKET_SECRET_api: "another-value",
    };
    const { table } = readSecrets(sourcesOf(env), values);
    expect(table.unusable.get("api")).toContain("remove one");
  });
});
