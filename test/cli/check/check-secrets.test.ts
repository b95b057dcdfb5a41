import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { UsageError } from "#cli/edge/usage-error";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { type Script, tcpPeer } from "../../servers/scripted.ts";

const planted = "pla-nted/4711?é";

/** A directory with the secret `api` for these hosts. */
function secretsFor(...hosts: readonly string[]): string {
  const folder = path.join(temporaryFolder(), "secrets");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "api"), `${planted}\n`);
  writeFileSync(path.join(folder, "api.hosts"), hosts.join("\n"));
  return folder;
}

async function check(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const io = captureIo(env);
  const code = await runCheck(args, io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

/** Sends back the whole request, as a body and in a header. */
const echo: Script = (socket) =>
  void socket.once("data", (bytes: Buffer) => {
    const text = bytes.toString();
    const token = /^x-token: (.*)$/im.exec(text)?.[1] ?? "";
    socket.end(
      `HTTP/1.1 200 OK\r\nX-Echo: ${token}\r\nContent-Length: ${bytes.length}\r\n\r\n${text}`,
    );
  });

const everyForm = [
  planted,
  encodeURIComponent(planted),
  Buffer.from(planted).toString("latin1"),
  "pla-nted",
  "4711",
];

describe("picket check", () => {
  test("puts secrets in as the agent does, from an option or from the agent's setting", async () => {
    const bodies: string[] = [];
    await using peer = await tcpPeer((socket) => {
      socket.once("data", (bytes: Buffer) => {
        bodies.push(bytes.toString());
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    const url = `http://127.0.0.1:${peer.port}`;
    const folder = secretsFor(url);
    const ask = [`${url}/{{secret:api}}`, "-H", "X-Token: {{secret:api}}"];
    expect((await check({}, ...ask, "--secrets-dir", folder)).code).toBe(0);
    expect((await check({ PICKET_SECRETS_DIR: folder }, ...ask)).code).toBe(0);
    expect(bodies).toHaveLength(2);
    for (const text of bodies) {
      expect(text).toContain(`GET /${encodeURIComponent(planted)} `);
      expect(text).toMatch(/^x-token: pla-nted/im);
    }
  });

  test.each(["text", "json", "junit", "prometheus"])(
    "shows none in the format %s, also if the target sends it back",
    async (format) => {
      await using peer = await tcpPeer(echo);
      const url = `http://127.0.0.1:${peer.port}`;
      const explain = format === "text" || format === "json" ? ["--explain"] : [];
      const { out, said } = await check(
        { PICKET_SECRETS_DIR: secretsFor(url) },
        `${url}/{{secret:api}}?k={{secret:api}}`,
        "-H",
        "X-Token: Bearer {{secret:api}}",
        "-X",
        "POST",
        "-d",
        "{{secret:api}}",
        "-a",
        "header x-echo eq nothing",
        "-a",
        "body eq nothing",
        "--format",
        format,
        ...explain,
      );
      for (const form of everyForm) expect(`${out}${said}`).not.toContain(form);
      expect(out.length).toBeGreaterThan(50);
    },
  );

  test("sends none to a host that is not on its list, and says which line to write", async () => {
    let connections = 0;
    await using peer = await tcpPeer(() => {
      connections += 1;
    });
    const url = `http://127.0.0.1:${peer.port}`;
    const { code, out } = await check(
      { PICKET_SECRETS_DIR: secretsFor("shop.test") },
      url,
      "-H",
      "X-Token: {{secret:api}}",
    );
    expect([code, connections]).toEqual([1, 0]);
    expect(out).toContain(`add http://127.0.0.1:${peer.port} to api.hosts`);
  });

  test("says of a directory that cannot be read by which option it was named", async () => {
    await expect(
      check({}, "http://127.0.0.1:1", "--secrets-dir", "/nowhere/at/all"),
    ).rejects.toThrow(new UsageError("--secrets-dir cannot be read: ENOENT (/nowhere/at/all)"));
  });

  test("sends texts as they are if no place of secrets is named", async () => {
    let asked = "";
    await using peer = await tcpPeer((socket) => {
      socket.once("data", (bytes: Buffer) => {
        asked = bytes.toString();
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    await check({}, `http://127.0.0.1:${peer.port}`, "-H", "X-Token: {{secret:api}}");
    expect(asked).toMatch(/^x-token: \{\{secret:api\}\}/im);
  });
});
