import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putBundle } from "../support/built-program.ts";
import { type CommandEnd, runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running-service.ts";

/** The installer's files, below a DESTDIR; what systemd makes of them is test/systemd's. */

const repository = path.resolve(import.meta.dirname, "../..");
const installer = path.join(repository, "systemd/install.sh");
const service = "https://picket.example.com";

/** What is installed from, made once. */
const folder = mkdtempSync(path.join(tmpdir(), "picket-install-"));
const from = (name: string): string => path.join(folder, name);

/** The installer leaves no variable, but by these what it starts is quick, as in every other test. */
const quick = ["NODE_COMPILE_CACHE", "NODE_OPTIONS"]
  .map((name) => `${name}='${process.env[name] ?? ""}'`)
  .join(" ");

beforeAll(async () => {
  await putBundle(from("dist"));
  putScript(from("picket"), `${quick} exec '${repository}/bin/picket' "$@"`);
  putScript(from("agreeable"), "exit 0");
  putScript(from("broken"), "exit 1");
  putNode("node 26's", "v26.1.0");
  putNode("node 20", "v20.19.0");
  mkdirSync(from("empty"));
  writeFileSync(from("token"), "pkt_loc_first\n");
  writeFileSync(from("another-token"), "pkt_loc_second\n");
  writeFileSync(from("blank-token"), " \n\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

function putScript(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}
/** This Node.js in a separate folder, by the version that it is to tell. */
const putNode = (name: string, version: string): void =>
  putScript(
    path.join(from(name), "node"),
    `[ "$*" != --version ] || { echo ${version}; exit; }\nexec '${process.execPath}' "$@"`,
  );

/** A machine's files: a folder with a name that has to be quoted. */
class Root {
  readonly folder: string = path.join(temporaryFolder(), "it's a root");

  install(args: readonly string[], nodes = "node 26's"): Promise<CommandEnd> {
    const PATH = `${from(nodes)}:/usr/bin:/bin`;
    return runCommand(installer, args, { env: { PATH, DESTDIR: this.folder } });
  }
  async must(args: readonly string[], nodes?: string): Promise<CommandEnd> {
    const end = await this.install(args, nodes);
    if (end.code !== 0) throw new Error(`install.sh ended with ${end.code}: ${end.output}`);
    return end;
  }
  read(file: string): string {
    return readFileSync(path.join(this.folder, file), "utf8");
  }
  has(file: string): boolean {
    return existsSync(path.join(this.folder, file));
  }
  mode(file: string): string {
    return (statSync(path.join(this.folder, file)).mode & 0o777).toString(8);
  }
  /** Every file with its text. */
  files(): Readonly<Record<string, string>> {
    const files = globSync("**/*", { cwd: this.folder, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .toSorted();
    return Object.fromEntries(files.map((file) => [file, this.read(file)]));
  }
}

const [program, settings, token, unit] = [
  "usr/local/bin/picket",
  "etc/picket/picket.env",
  "etc/picket/token",
  "etc/systemd/system/picket.service",
] as const;

describe("a first installation", () => {
  test("puts four files, of which settings and token are for root only", async () => {
    const root = new Root();
    await root.must([from("agreeable"), service, from("token")]);
    expect(root.files()).toEqual({
      [program]: readFileSync(from("agreeable"), "utf8"),
      [settings]: `SERVICE_API_URL=${service}\n`,
      [token]: "pkt_loc_first\n",
      [unit]: readFileSync(path.join(repository, "systemd/picket.service"), "utf8"),
    });
    expect([program, settings, token, unit].map((file) => root.mode(file))).toEqual([
      "755",
      "600",
      "600",
      "644",
    ]);
    expect(["etc", "etc/picket", "usr/local/bin"].map((file) => root.mode(file))).toEqual([
      "755",
      "755",
      "755",
    ]);
  });

  test.each([
    ["a program that is not there", ["nothing", service, "token"], "is neither an executable nor"],
    ["a program that does not run", ["broken", service, "token"], "does not run on this machine"],
    ["a folder without a program", ["empty", service, "token"], "is neither an executable nor"],
    ["no service", ["picket", "", "token"], "give SERVICE_URL"],
    ["a service that is no URL", ["picket", "not a url", "token"], "SERVICE_API_URL must be an"],
    ["a service over plain http", ["picket", "http://far.test", "token"], "PICKET_ALLOW_HTTP=1"],
    ["a token of blanks", ["picket", service, "blank-token"], "is empty"],
    ["a token file that is not there", ["picket", service, "no-token"], "no-token: No such file"],
    ["no token at all", ["picket", service, ""], "is empty"],
  ])(
    "with %s leaves nothing, and says why",
    async (_what, [name = "", url = "", held = ""], says) => {
      const root = new Root();
      const { code, output } = await root.install([from(name), url, held && from(held)]);
      expect(output).toContain(says);
      expect(code).toBe(1);
      expect(root.files()).toEqual({});
      expect(root.has("etc/picket")).toBe(false);
    },
  );

  test("takes the settings that were written before it, and adds the service", async () => {
    const root = new Root();
    mkdirSync(path.join(root.folder, "etc/picket"), { recursive: true, mode: 0o700 });
    writeFileSync(path.join(root.folder, settings), 'PICKET_ALLOW_HTTP="1"', { mode: 0o644 });
    await root.must([from("picket"), "http://far.test", from("token")]);
    expect(root.read(settings)).toBe('SERVICE_API_URL=http://far.test\nPICKET_ALLOW_HTTP="1"');
    expect([settings, "etc/picket"].map((file) => root.mode(file))).toEqual(["600", "700"]);
  });

  test("takes an authority and settings with it, and leaves all as it was if the program refuses them", async () => {
    const root = new Root();
    writeFileSync(from("ca"), "-----BEGIN CERTIFICATE-----\n");
    const ca = ["--ca", from("ca")];
    await root.must([from("picket"), service, from("token")]);
    const before = root.files();
    for (const wrong of [
      [...ca, from("picket"), "http://far.test"],
      [...ca, from("picket"), service, from("blank-token")],
      ["--ca", from("token"), from("picket"), service],
    ]) {
      expect((await root.install(wrong)).code).toBe(1);
      expect(root.files()).toEqual(before);
    }
    const http = ["--set", "PICKET_ALLOW_HTTP=1"];
    await root.must(["--offline", ...ca, ...http, from("picket"), "http://far.test"]);
    expect(root.read(settings)).toBe(
      "SERVICE_API_URL=http://far.test\nPICKET_CA_FILE=/etc/picket/ca.pem\nPICKET_ALLOW_HTTP=1\n",
    );
    expect(root.read("etc/picket/ca.pem")).toBe("-----BEGIN CERTIFICATE-----\n");
    expect(["etc/picket/ca.pem", settings].map((file) => root.mode(file))).toEqual(["644", "600"]);
  });

  test("asks at a terminal for the token, and does not show it", async () => {
    const root = new Root();
    const command = `'${installer}' '${from("agreeable")}' ${service}`;
    const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      env: { PATH: "/usr/bin:/bin", SHELL: "/bin/sh", DESTDIR: root.folder },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let shown = "";
    for await (const chunk of terminal.stdout) {
      shown += String(chunk);
      if (shown.includes("then Enter")) terminal.stdin.write("pkt_loc_typed\n");
    }
    expect(shown).toContain("token");
    expect(shown).not.toContain("pkt_loc_typed");
    expect(root.read(token)).toBe("pkt_loc_typed\n");
  });
});

describe("an upgrade", () => {
  test.each([
    ["of the one file that does not run", "broken", "node 26's", "does not run on this machine"],
    ["to the bundle with an older Node.js", "dist", "node 20", "is Node.js v20.19.0"],
    ["to the bundle with what is no Node.js", "dist", "empty-node", "does not run"],
  ])("%s changes nothing, not even the token", async (_what, name, nodes, says) => {
    putScript(path.join(from("empty-node"), "node"), "exit 1");
    for (const installed of ["agreeable", "dist"]) {
      const root = new Root();
      await root.must([from(installed), service, from("token")]);
      const before = root.files();
      const { code, output } = await root.install(
        [from(name), service, from("another-token")],
        nodes,
      );
      expect(output).toContain(says);
      expect(code).toBe(1);
      expect(root.files()).toEqual(before);
    }
  });

  test("goes between the forms: the folder of the one is gone with the other", async () => {
    const root = new Root();
    await root.must([from("dist"), service, from("token")]);
    const launcher = root.read(program);
    expect(launcher).toContain(" '/usr/local/lib/picket/picket.mjs' \"$@\"\n");
    expect(launcher).toContain(`exec '${from("node 26'\\''s/node")}' --`);
    expect(root.has("usr/local/lib/picket/probe-worker.mjs")).toBe(true);
    await root.must([from("dist")]);
    expect(root.read(program)).toBe(launcher);
    await root.must([from("agreeable")]);
    expect(Object.keys(root.files())).toEqual([settings, token, unit, program]);
    expect(root.has("usr/local/lib/picket")).toBe(false);
    await root.must([from("dist")]);
    expect(root.read(program)).toBe(launcher);
  });

  test("keeps the service that is set, and takes another if it is given one", async () => {
    const root = new Root();
    await root.must([from("agreeable"), service, from("token")]);
    chmodSync(path.join(root.folder, settings), 0o644);
    expect((await root.must([from("agreeable"), service])).output).toBe("");
    writeFileSync(
      path.join(root.folder, settings),
      `PICKET_WORKERS=2\nSERVICE_API_URL=${service}\nPICKET_HTTP2=off\n`,
    );
    const { output } = await root.must([from("agreeable"), "https://other.test"]);
    expect(output).toContain(`SERVICE_API_URL was ${service} and becomes https://other.test`);
    expect(root.read(settings)).toBe(
      "SERVICE_API_URL=https://other.test\nPICKET_WORKERS=2\nPICKET_HTTP2=off\n",
    );
    expect(root.mode(settings)).toBe("600");
    expect(root.read(token)).toBe("pkt_loc_first\n");
  });

  test("takes a token that it is given", async () => {
    const root = new Root();
    await root.must([from("agreeable"), service, from("token")]);
    await root.must([from("agreeable"), service, from("another-token")]);
    expect(root.read(token)).toBe("pkt_loc_second\n");
    expect(root.mode(token)).toBe("600");
  });

  test("from what is installed itself is refused: its folder would go", async () => {
    const root = new Root();
    await root.must([from("dist"), service, from("token")]);
    const before = root.files();
    const { code, output } = await root.install([path.join(root.folder, program)]);
    expect(output).toContain("is the program that is installed");
    expect(code).toBe(1);
    expect(root.files()).toEqual(before);
  });
});

describe("an uninstallation", () => {
  test("that is misspelt removes nothing", async () => {
    const root = new Root();
    await root.must([from("agreeable"), service, from("token")]);
    const before = root.files();
    const { code, output } = await root.install(["uninstall", "--purg"]);
    expect(output).toContain("Usage:");
    expect(code).toBe(64);
    expect(root.files()).toEqual(before);
  });

  test("keeps token and settings; with --purge nothing", async () => {
    const root = new Root();
    await root.must([from("dist"), service, from("token")]);
    await root.must(["uninstall"]);
    expect(Object.keys(root.files())).toEqual([settings, token]);
    await root.must(["uninstall", "--purge"]);
    expect(root.files()).toEqual({});
    expect(root.has("etc/picket")).toBe(false);
  });

  test.each([["uninstall"], ["/bin/true"]])("is root's affair, as is `%s`", async (first) => {
    const users = temporaryFolder();
    putScript(path.join(users, "id"), "echo 1000");
    // Nothing else is in the PATH: there is no DESTDIR here that would keep a defect from this machine.
    const env = { PATH: users };
    const { code, output } = await runCommand(installer, [first], { env });
    expect(output).toBe("install.sh: run it as root\n");
    expect(code).toBe(1);
  });
});
