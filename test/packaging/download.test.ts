import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { version } from "#base/version";
import {
  clusterAuthority,
  startWays,
  type StartWay,
} from "#service/operator/locations/start-commands";
import { type Service, startService } from "#service/server";
import { helm, kubectl, programsAreThere } from "../deploy/programs.ts";
import { Authority } from "../support/authority.ts";
import { isInstalled } from "../support/installed.ts";
import { once } from "node:events";
import { type RunningPicket, startCommand } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { workFolder } from "../../packaging/work-folder.ts";

/** The commands of the page of a location, as someone pastes them into a shell of a machine that has nothing of Picket. */

const isThere = isInstalled("curl", "setpriv");
const user = 7777;
const isRoot = process.getuid?.() === 0;
const folder = workFolder("/tmp/picket-download-");
let service: Service;
let token = "";

beforeAll(async () => {
  service = await startService({
    database: path.join(folder.path, "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
  });
  ({ token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  }));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const commandOf = (id: StartWay["id"], address = service.url, shown = token): string =>
  startWays({ address, token: shown }).find((way) => way.id === id)?.commands ?? "";

/** A machine of someone else: an empty home of an ordinary user, and a Node.js that is too old for the program. */
class Machine {
  readonly home: string = temporaryFolder();
  readonly #programs: string = temporaryFolder();

  constructor(node = "echo v20.0.0") {
    chmodSync(this.#programs, 0o755);
    if (isRoot) chownSync(this.home, user, user);
    // The agent is a child of the shell that is killed.
    onTestFinished(() => this.agents().forEach((pid) => process.kill(pid, "SIGKILL")));
    this.put("node", node);
  }

  /** A program that is found before the machine's own. */
  put(name: string, text: string): void {
    const file = path.join(this.#programs, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }

  /** A copy of a program of ours that its user may run: where it is. */
  lend(program: string): string {
    const file = path.join(this.#programs, `our-${path.basename(program)}`);
    copyFileSync(program, file);
    return file;
  }

  paste(line: string, env: Readonly<Record<string, string>> = {}): RunningPicket {
    const typed = path.join(this.home, "typed");
    writeFileSync(typed, `${line}\n`);
    const as = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
    return startCommand("/usr/bin/env", [...(isRoot ? as : []), "sh", typed], {
      cwd: this.home,
      env: {
        HOME: this.home,
        PATH: `${this.#programs}:/usr/bin:/bin`,
        PICKET_STATE_DIR: "",
        ...env,
      },
    });
  }

  /** The processes that run a program of this home. */
  agents = (): readonly number[] =>
    [...argumentsOfAll()]
      .filter(([, words]) => words.includes(`${this.home}/.picket/program`))
      .map(([pid]) => pid);

  has = (file: string): boolean => existsSync(path.join(this.home, file));
  read = (file: string): string => readFileSync(path.join(this.home, file), "utf8");
}

/** What others on the machine can read of each process that runs. */
const argumentsOfAll = (): ReadonlyMap<number, string> =>
  new Map(
    globSync("/proc/[0-9]*/cmdline").map((file) => [Number(file.split("/")[2]), argumentsIn(file)]),
  );

/** Empty of a process that ended meanwhile. */
function argumentsIn(file: string): string {
  try {
    return readFileSync(file, "latin1").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

const ended = async ({ child }: RunningPicket): Promise<unknown> => (await once(child, "close"))[0];

/** A service whose certificate is from its own authority, and the token of a location there. */
async function secureService(): Promise<
  AsyncDisposable & { readonly url: string; readonly token: string; readonly authority: string }
> {
  const authority = await Authority.create();
  const { cert: certificate, key } = await authority.issue();
  const secure = await startService({
    database: path.join(temporaryFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    identity: { certificate, key },
  });
  const made = { name: "office", monitorIds: [], metadata: {} };
  const { token: own } = await secure.admin.createPrivateLocation(made);
  return {
    url: secure.url,
    token: own,
    authority: authority.cert,
    [Symbol.asyncDispose]: () => secure[Symbol.asyncDispose](),
  };
}

/** A service in front of the service, which changes what passes. */
async function meddler(change: (path: string, body: Buffer) => Buffer): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const headers = { "x-service-token": String(request.headers["x-service-token"] ?? "") };
      const answer = await fetch(`${service.url}${request.url}`, { headers });
      const body = change(request.url ?? "", Buffer.from(await answer.arrayBuffer()));
      response.writeHead(answer.status).end(body);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test("the commands that are run here are those of docs/install.md", () => {
  const page = readFileSync("docs/install.md", "utf8");
  for (const id of ["here", "systemd", "docker"] as const)
    expect(page).toContain(commandOf(id, "https://picket.example.com", "pkt_loc_…"));
});

describe.skipIf(!isThere)("the command of the page, on a machine without Picket", () => {
  test("starts an agent with nothing but curl there, and its token is in no process's arguments", async () => {
    const machine = new Machine();
    machine.put("curl", `echo "$*" >>'${machine.home}/curls'; exec /usr/bin/curl "$@"`);
    const agent = machine.paste(commandOf("here"));
    await agent.said(/connected to the service/);
    expect(machine.read("curls")).toContain("/agent/picket.tgz");
    expect(machine.read("curls")).not.toContain(token);
    expect([...argumentsOfAll().values()].filter((words) => words.includes(token))).toEqual([]);
    expect(agent.output()).not.toContain(token);
    expect(statSync(path.join(machine.home, ".picket/token")).mode & 0o777).toBe(0o600);
    expect(globSync(".picket/program/*/runtime/node", { cwd: machine.home })).toHaveLength(1);
    expect(machine.agents()).toHaveLength(1);
  });

  test("runs on the Node.js 26 that is there, and again without the token and without a second download", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const first = machine.paste(commandOf("here"));
    await first.said(/connected to the service/);
    for (const pid of machine.agents()) process.kill(pid, "SIGTERM");
    expect(await ended(first)).toBe(0);
    expect(globSync(".picket/program/*/runtime", { cwd: machine.home })).toEqual([]);
    const [program = ""] = readdirSync(path.join(machine.home, ".picket/program"));
    const before = statSync(path.join(machine.home, ".picket/program", program)).ctimeMs;
    const again = machine.paste(commandOf("here").replace(/PICKET_TOKEN=\S+ /, ""));
    await again.said(/connected to the service/);
    expect(statSync(path.join(machine.home, ".picket/program", program)).ctimeMs).toBe(before);
  });

  test("keeps the program that it starts and the newest other one, and no rest of a download", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const kept = path.join(machine.home, ".picket/program");
    const first = machine.paste(commandOf("here"));
    await first.said(/connected to the service/);
    for (const pid of machine.agents()) process.kill(pid, "SIGTERM");
    expect(await ended(first)).toBe(0);
    const [own = ""] = readdirSync(kept);
    // What a line that runs downloads is its own: this process stands for one.
    const another = `other.${process.pid}.new`;
    for (const [index, name] of [
      own,
      "older",
      "newer",
      "broken.new",
      "ended.0.new",
      another,
    ].entries()) {
      mkdirSync(path.join(kept, name), { recursive: true });
      utimesSync(path.join(kept, name), index + 1, index + 1);
      if (isRoot) chownSync(path.join(kept, name), user, user);
    }
    await machine.paste(commandOf("here")).said(/connected to the service/);
    expect(readdirSync(kept).toSorted()).toEqual([own, "newer", another].toSorted());
  });

  test("keeps an old program that the agent of another location runs", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const kept = path.join(machine.home, ".picket/program");
    const first = machine.paste(commandOf("here"));
    await first.said(/connected to the service/);
    for (const pid of machine.agents()) process.kill(pid, "SIGTERM");
    expect(await ended(first)).toBe(0);
    const [own = ""] = readdirSync(kept);
    renameSync(path.join(kept, own), path.join(kept, "running"));
    for (const [index, name] of ["running", "older", "newer"].entries()) {
      mkdirSync(path.join(kept, name), { recursive: true });
      utimesSync(path.join(kept, name), index + 1, index + 1);
    }
    rmSync(path.join(machine.home, ".picket/pid"));
    await machine
      .paste("exec .picket/program/running/bin/picket agent", {
        PICKET_TOKEN_FILE: path.join(machine.home, ".picket/token"),
        SERVICE_API_URL: service.url,
      })
      .said(/connected to the service/);
    const other = { name: "quay", monitorIds: [], metadata: {} };
    const { token: second } = await service.admin.createPrivateLocation(other);
    await machine.paste(commandOf("here", service.url, second)).said(/connected to the service/);
    expect(readdirSync(kept).toSorted()).toEqual([own, "newer", "running"].toSorted());
  });

  test("starts an agent of a second location next to the first, with its own token, state and port", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const usual = { PICKET_LISTEN: "" };
    const first = machine.paste(commandOf("here"), usual);
    await first.said(/connected to the service/);
    const other = { name: "warehouse", monitorIds: [], metadata: {} };
    const { token: second } = await service.admin.createPrivateLocation(other);
    const line = commandOf("here", service.url, second);
    const next = machine.paste(line, usual);
    const [, address = ""] = await next.said(/its page is at (http:\S+), since port 8686 is taken/);
    await next.said(/connected to the service/);
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    expect(machine.agents()).toHaveLength(2);
    expect(machine.read(".picket/token")).toBe(`${token}\n`);
    const [kept = ""] = readdirSync(path.join(machine.home, ".picket/agents"));
    expect(machine.read(`.picket/agents/${kept}/token`)).toBe(`${second}\n`);
    expect(machine.has(`.picket/agents/${kept}/state`)).toBe(true);
    expect(readdirSync(path.join(machine.home, ".picket/program"))).toHaveLength(1);
    for (const again of [commandOf("here"), line]) {
      const refused = machine.paste(again, usual);
      expect(await ended(refused)).toBe(1);
      expect(refused.output()).toContain("the agent of this location runs here already");
    }
    for (const pid of machine.agents()) process.kill(pid, "SIGTERM");
    expect(await Promise.all([ended(first), ended(next)])).toEqual([0, 0]);
    // The second one finds its own folder, also if the first does not run.
    await machine.paste(line, usual).said(/connected to the service/);
    expect(machine.read(".picket/token")).toBe(`${token}\n`);
  });

  test("keeps a location's folder for it while its agent is stopped, and after its token was rotated", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const made = async (name: string) => {
      const { id, token: own } = await service.admin.createPrivateLocation({
        name,
        monitorIds: [],
        metadata: {},
      });
      return { id, own };
    };
    const [home, next] = [await made("mill"), await made("pier")];
    const start = async (own: string): Promise<void> => {
      const agent = machine.paste(commandOf("here", service.url, own));
      await agent.said(/connected to the service/);
      for (const pid of machine.agents()) process.kill(pid, "SIGTERM");
      expect(await ended(agent)).toBe(0);
    };
    await start(home.own);
    const instance = machine.read(".picket/state/instance");
    await start(next.own);
    expect(machine.read(".picket/token")).toBe(`${home.own}\n`);
    expect(machine.read(".picket/state/instance")).toBe(instance);
    const folders = () => readdirSync(path.join(machine.home, ".picket/agents"));
    const [kept = ""] = folders();
    expect(machine.read(`.picket/agents/${kept}/token`)).toBe(`${next.own}\n`);
    for (const [{ id }, place] of [
      [home, ".picket"],
      [next, `.picket/agents/${kept}`],
    ] as const) {
      const { token: rotated } = await service.admin.renewToken(id);
      await start(rotated);
      expect(machine.read(`${place}/token`)).toBe(`${rotated}\n`);
    }
    expect(folders()).toEqual([kept]);
    expect(machine.read(".picket/state/instance")).toBe(instance);
  });

  test("leaves an agent alone that is in a home behind a link, or that an earlier script started", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const above = temporaryFolder();
    chmodSync(above, 0o755);
    const link = path.join(above, "home");
    symlinkSync(machine.home, link);
    const first = machine.paste(commandOf("here"), { HOME: link });
    await first.said(/connected to the service/);
    const other = { name: "depot", monitorIds: [], metadata: {} };
    const { token: second } = await service.admin.createPrivateLocation(other);
    const line = commandOf("here", service.url, second);
    const next = machine.paste(line, { HOME: link });
    await next.said(/connected to the service/);
    expect(machine.read(".picket/token")).toBe(`${token}\n`);
    expect(machine.agents()).toHaveLength(2);
    expect(await next.stop()).toBe(0);
    for (const file of globSync(".picket/agents/*", { cwd: machine.home }))
      rmSync(path.join(machine.home, file), { recursive: true });
    rmSync(path.join(machine.home, ".picket/pid"));
    const again = machine.paste(line);
    await again.said(/connected to the service/);
    expect(machine.read(".picket/token")).toBe(`${token}\n`);
    for (const pid of machine.agents()) process.kill(pid, "SIGTERM");
    expect(await Promise.all([ended(first), ended(again)])).toEqual([0, 0]);
  });

  test("takes an agent of another folder for no agent of the home's own", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const first = machine.paste(commandOf("here"));
    await first.said(/connected to the service/);
    const other = { name: "harbour", monitorIds: [], metadata: {} };
    const { token: second } = await service.admin.createPrivateLocation(other);
    await machine.paste(commandOf("here", service.url, second)).said(/connected to the service/);
    process.kill(Number(machine.read(".picket/pid")), "SIGTERM");
    expect(await ended(first)).toBe(0);
    rmSync(path.join(machine.home, ".picket/pid"));
    await machine.paste(commandOf("here")).said(/connected to the service/);
    expect(machine.agents()).toHaveLength(2);
  });

  test("starts one agent of a location, if two of its first lines run at the same time", async () => {
    const other = { name: "ferry", monitorIds: [], metadata: {} };
    const { token: second } = await service.admin.createPrivateLocation(other);
    // What runs while the first line downloads: the same line; or another location's, which takes the home, then the same.
    for (const meanwhile of [[token], [second, token]]) {
      const machine = new Machine(`exec '${process.execPath}' "$@"`);
      const gate = path.join(machine.home, "gate");
      machine.put(
        "curl",
        `case "$IS_SLOW $*" in
  yes*/agent/picket.tgz) mkfifo '${gate}' && echo 'at the gate' >&2 && read -r _ <'${gate}' ;;
esac
exec /usr/bin/curl "$@"`,
      );
      const slow = machine.paste(commandOf("here"), { IS_SLOW: "yes" });
      await slow.said(/at the gate/);
      for (const own of meanwhile)
        await machine
          .paste(commandOf("here", service.url, own), { IS_SLOW: "" })
          .said(/connected to the service/);
      await writeFile(gate, "open\n");
      await slow.said(/picket: the agent /);
      expect(slow.output()).toContain("the agent of this location runs here already");
      expect(await ended(slow)).toBe(1);
      expect(machine.agents()).toHaveLength(meanwhile.length);
      expect(machine.read(".picket/token")).toBe(`${meanwhile[0]}\n`);
      expect(globSync(".picket/agents/*", { cwd: machine.home })).toHaveLength(
        meanwhile.length - 1,
      );
    }
  });

  test("refuses a program that was changed on the way, and leaves nothing of it", async () => {
    const machine = new Machine();
    const url = await meddler((at, body) =>
      at.endsWith(".tgz") ? Buffer.concat([body, Buffer.from("x")]) : body,
    );
    const command = machine.paste(commandOf("here", url));
    expect(await ended(command)).toBe(1);
    expect(command.output()).toContain("what came is not what this script names");
    expect(globSync(".picket/program/*/bin", { cwd: machine.home })).toEqual([]);
  });

  test("says what is wrong with a token that the service does not know, and with one that is missing", async () => {
    const machine = new Machine();
    const unknown = machine.paste(commandOf("here", service.url, "pkt_loc_unknown"));
    expect(await ended(unknown)).toBe(1);
    expect(unknown.output()).toContain("the service refuses the token: ");
    expect(unknown.output()).not.toContain("check the address");
    const missing = machine.paste(
      `(curl -fsS ${service.url}/agent/start.sh || echo exit 1) | SERVICE_API_URL=${service.url} setsid sh`,
    );
    expect(await ended(missing)).toBe(1);
    expect(missing.output()).toContain("the token is missing");
  });

  test("installs a unit with the program, the address, the token and the settings", async () => {
    const machine = new Machine();
    const command = machine.paste(commandOf("systemd"), {
      DESTDIR: machine.home,
      PICKET_ALLOW_HTTP: "1",
    });
    expect([await ended(command), command.output()]).toEqual([0, expect.anything()]);
    expect(machine.read("etc/picket/token")).toBe(`${token}\n`);
    expect(machine.read("etc/picket/picket.env").split("\n").toSorted()).toEqual([
      "",
      "PICKET_ALLOW_HTTP=1",
      `SERVICE_API_URL=${service.url}`,
    ]);
    expect(statSync(path.join(machine.home, "etc/picket")).mode & 0o777).toBe(0o755);
    expect(machine.has("etc/systemd/system/picket.service")).toBe(true);
    expect(machine.has("usr/local/lib/picket/runtime/node")).toBe(true);
    expect(command.output()).not.toContain(token);
  });

  test("installs a unit on the Node.js 26 that is there, on another processor than the service's, too", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    machine.put("uname", '[ "$1" = -s ] && echo Linux || echo riscv64');
    const command = machine.paste(commandOf("systemd"), { DESTDIR: machine.home });
    expect([await ended(command), command.output()]).toEqual([0, expect.anything()]);
    expect(machine.has("usr/local/lib/picket/picket.mjs")).toBe(true);
    expect(globSync("usr/local/lib/picket/**/runtime", { cwd: machine.home })).toEqual([]);
    expect(machine.has("usr/local/lib/picket/systemd/install.sh")).toBe(true);
    const launcher = machine.read("usr/local/bin/picket");
    expect(launcher).toMatch(
      /^exec '\/tmp\/[^']*\/node' .*'\/usr\/local\/lib\/picket\/picket.mjs'/m,
    );
  });

  test("leaves the settings of the agent that runs, if the new program refuses what it is given", async () => {
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const asked = commandOf("systemd");
    const env = { DESTDIR: machine.home };
    expect(await ended(machine.paste(asked, env))).toBe(0);
    const before = machine.read("etc/picket/picket.env");
    machine.put(
      "node",
      `for word; do [ "$word" != config ] || exit 1; done; exec '${process.execPath}' "$@"`,
    );
    const authority = path.join(machine.home, "ca.pem");
    writeFileSync(authority, "-----BEGIN CERTIFICATE-----\n");
    const again = { ...env, PICKET_CA_FILE: authority, PICKET_ALLOW_HTTP: "1" };
    const refused = machine.paste(asked, again);
    expect(await ended(refused)).toBe(1);
    expect(refused.output()).toContain("nothing was changed");
    expect(machine.read("etc/picket/picket.env")).toBe(before);
    expect(machine.has("etc/picket/ca.pem")).toBe(false);
  });

  test("asks for a Node.js that the unit sees, if the service's does not run on this processor", async () => {
    const machine = new Machine();
    machine.put("uname", '[ "$1" = -s ] && echo Linux || echo riscv64');
    const command = machine.paste(commandOf("systemd"), { DESTDIR: machine.home });
    expect(await ended(command)).toBe(1);
    expect(command.output()).toContain("install Node.js 26 in /usr/local or /usr, which the unit");
    expect(machine.has("etc/picket")).toBe(false);
  });

  test("builds an image from what the service sent, and gives a container the token by a pipe", async () => {
    const machine = new Machine();
    const log = path.join(machine.home, "docker.log");
    machine.put(
      "docker",
      `echo "$*" >>'${log}'
case $1 in
  build) tar -tzf - | sort >'${machine.home}/context' ;;
  container) exit 1 ;;
  run) [ "$2" != --rm ] || cat >>'${machine.home}/secrets' ;;
esac`,
    );
    const command = machine.paste(commandOf("docker"));
    expect([await ended(command), command.output()]).toEqual([0, expect.anything()]);
    expect(machine.read("docker.log")).not.toContain(token);
    expect(machine.read("docker.log")).toMatch(/^run --detach --name picket .*--network host/m);
    // The image's own address would open the agent's page to the machine's network.
    expect(machine.read("docker.log")).toMatch(/ --env PICKET_LISTEN=127\.0\.0\.1:\d+ /);
    expect(machine.read("secrets")).toBe(`${token}\n`);
    const context = machine.read("context").split("\n");
    expect(context).toEqual(expect.arrayContaining(["Dockerfile", "dist/picket.mjs", "LICENSE"]));
  });

  test("gives a second container its own name and volumes, if one is given", async () => {
    const machine = new Machine();
    machine.put(
      "docker",
      `echo "$*" >>'${machine.home}/docker.log'
case $1 in
  build) cat >/dev/null ;;
  container) [ "$3" = picket ] && echo other ;;
  run) [ "$2" != --rm ] || cat >/dev/null ;;
esac`,
    );
    const command = machine.paste(commandOf("docker"), { PICKET_CONTAINER: "picket-2" });
    expect([await ended(command), command.output()]).toEqual([0, expect.anything()]);
    const run = /^run --detach .*$/m.exec(machine.read("docker.log"))?.[0] ?? "";
    expect(run).toContain("--name picket-2 ");
    expect(run).toContain("--volume picket-2-state:/var/lib/picket ");
    expect(run).toContain("--volume picket-2-secrets:/run/secrets:ro ");
    expect(machine.read("docker.log")).not.toMatch(/^(stop|rm) .*picket$/m);
  });

  test.each([
    ["127.0.0.1:9999", "--env SERVICE"],
    ["off", "--no-healthcheck --env SERVICE"],
  ])("gives a container the PICKET_LISTEN %s of the person", async (listen, next) => {
    const machine = new Machine();
    machine.put(
      "docker",
      `echo "$*" >>'${machine.home}/docker.log'
case $1 in
  build) cat >/dev/null ;;
  container) exit 1 ;;
  run) [ "$2" != --rm ] || cat >/dev/null ;;
esac`,
    );
    const command = machine.paste(commandOf("docker"), { PICKET_LISTEN: listen });
    expect([await ended(command), command.output()]).toEqual([0, expect.anything()]);
    const run = /^run --detach .*$/m.exec(machine.read("docker.log"))?.[0] ?? "";
    expect(run).toContain("--network host ");
    expect(run).toContain(`--env PICKET_LISTEN=${listen} ${next}`);
  });

  test("replaces only a container of the same location, and leaves any other called picket", async () => {
    const machine = new Machine();
    const docker = (label: string, kept = "pkt_loc_another"): void =>
      machine.put(
        "docker",
        `echo "$*" >>'${machine.home}/docker.log'
case $1 in
  build) cat >/dev/null ;;
  container) echo "${label}" ;;
  cp) cd '${machine.home}' && echo ${kept} >kept && tar -cf - kept ;;
  run) [ "$2" != --rm ] || cat >/dev/null ;;
esac`,
      );
    const labelOf = (name: string, address = service.url): string =>
      createHash("sha256").update(`${address} ${name}`).digest("hex").slice(0, 16);
    // Of someone else, with the same token; of another location; and of this one before an upgrade and a rotation.
    for (const [label, kept] of [
      ["", token],
      [labelOf("2"), undefined],
      [labelOf("pkt_loc_rotated"), "pkt_loc_rotated"],
    ] as const) {
      rmSync(path.join(machine.home, "docker.log"), { force: true });
      docker(label, kept);
      const refused = machine.paste(commandOf("docker"));
      expect(await ended(refused)).toBe(1);
      expect(machine.read("docker.log")).not.toMatch(/^(stop|rm|run|build)/m);
      expect(refused.output()).toContain(
        "was not started by this line for this location and address",
      );
      expect(refused.output()).toContain("put PICKET_CONTAINER=picket-2 before sh");
      // The state has results that were not sent yet: it is removed only if it is another location's.
      expect(refused.output()).toContain(
        "To replace it and keep its state, run docker rm --force picket, then this line. If it is another location's, run between the two: docker volume rm picket-state picket-secrets",
      );
    }
    // The location's name, and that of an earlier script; then both at the service's address before this one.
    for (const [label, kept] of [
      [labelOf("1"), undefined],
      [labelOf(token), undefined],
      [labelOf("1", "https://before.example.com"), token],
      [labelOf(token, "https://before.example.com"), token],
    ] as const) {
      rmSync(path.join(machine.home, "docker.log"));
      docker(label, kept);
      const replaced = machine.paste(commandOf("docker"));
      expect([await ended(replaced), replaced.output()]).toEqual([0, expect.anything()]);
      expect(machine.read("docker.log")).toMatch(/^stop .*picket$/m);
      expect(machine.read("docker.log")).toMatch(/^rm picket$/m);
      expect(machine.read("docker.log")).not.toContain(token);
    }
  });

  test("fetches the chart of the same version with the image for a cluster", async () => {
    const machine = new Machine();
    machine.put("docker", "cat >/dev/null");
    const [line = ""] = commandOf("kubernetes").split("\n");
    const command = machine.paste(line);
    expect([await ended(command), command.output()]).toEqual([0, expect.anything()]);
    const chart = "deploy/kubernetes/helm/picket";
    const files = globSync("**/*.*", { cwd: chart }).toSorted();
    expect(globSync("**/*.*", { cwd: path.join(machine.home, "picket-chart") }).toSorted()).toEqual(
      files,
    );
    expect(machine.read("picket-chart/values.schema.json")).toBe(
      readFileSync(path.join(chart, "values.schema.json"), "utf8"),
    );
    appendFileSync(path.join(machine.home, "picket-chart/values.yaml"), "# ours\n");
    const renamed = machine.paste(line);
    expect([await ended(renamed), renamed.output()]).toEqual([0, expect.anything()]);
    expect(await ended(machine.paste(line))).toBe(0);
    const [before = "", ...others] = globSync("picket-chart.*", { cwd: machine.home });
    expect(others).toEqual([]);
    expect(renamed.output()).toContain(`./${before}`);
    expect(machine.read(`${before}/values.yaml`)).toContain("# ours");
    expect(machine.read("picket-chart/values.yaml")).not.toContain("# ours");
  });
});

describe.skipIf(!isThere || !programsAreThere())("the lines of the page for a cluster", () => {
  /** A cluster that takes what it is given: the programs are real, and what they would send is written into the home. */
  const withCluster = (): Machine => {
    const machine = new Machine();
    machine.put("docker", "[ $1 != build ] || cat >/dev/null");
    machine.put(
      "kubectl",
      `case "$*" in
  'apply -f -') { echo ---; cat; } >>'${machine.home}/applied.yaml' ;;
  *'rollout status'*) ;;
  *) exec '${machine.lend(kubectl)}' "$@" ;;
esac`,
    );
    machine.put(
      "helm",
      `[ "$1 $2" = 'upgrade --install' ] && shift 2 && exec '${machine.lend(helm)}' template "$@" >'${machine.home}/chart.yaml'`,
    );
    return machine;
  };

  test("put the token into a Secret alone, and give the chart the address, the image and the authority", async () => {
    await using secure = await secureService();
    const machine = withCluster();
    const file = path.join(machine.home, "ca.pem");
    writeFileSync(file, secure.authority);
    const lines = commandOf("kubernetes", secure.url, secure.token)
      .replace(
        "\nhelm ",
        `\n${clusterAuthority.configMap} --dry-run=client -o yaml >ca.yaml\nhelm `,
      )
      .replace("--set image", `${clusterAuthority.option} --set image`);
    const pasted = machine.paste(`set -e\n${lines}`, { CURL_CA_BUNDLE: file });
    expect([await ended(pasted), pasted.output()]).toEqual([0, expect.anything()]);
    const applied = parseAllDocuments(machine.read("applied.yaml")).map((one) => one.toJS());
    expect(applied.map(({ kind }) => kind)).toEqual(["Namespace", "Secret"]);
    const { token: kept } = applied[1].data;
    expect(Buffer.from(kept, "base64").toString().trim()).toBe(secure.token);
    expect(machine.has("token.txt")).toBe(false);
    const chart = machine.read("chart.yaml");
    expect(chart).not.toContain(secure.token);
    expect(chart).toContain(`SERVICE_API_URL: "${secure.url}"`);
    expect(chart).toContain(`image: "registry.example.com/picket:${version()}"`);
    expect(chart).toContain('secretName: "picket-token"');
    expect(chart).toContain('name: "picket-ca"');
    expect(machine.read("ca.yaml")).toContain("name: picket-ca");
  });
});

test.skipIf(!isThere)(
  "a service with a certificate of one's own authority is trusted by its file",
  async () => {
    await using secure = await secureService();
    const machine = new Machine(`exec '${process.execPath}' "$@"`);
    const file = path.join(machine.home, "ca.pem");
    writeFileSync(file, secure.authority);
    const agent = machine.paste(commandOf("here", secure.url, secure.token), {
      CURL_CA_BUNDLE: file,
      PICKET_CA_FILE: file,
    });
    await agent.said(/connected to the service/);
    expect(machine.agents()).toHaveLength(1);
  },
);
