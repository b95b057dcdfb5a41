import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { runApply } from "#cli/apply/apply-command";
import { connectManagement, listLocations, listMonitors } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { systemClock } from "#base/clock";
import { tcpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import { type Service, startService } from "#service/server";
import { captureIo } from "../../support/captured-io.ts";

const secret = "planted-secret";
const monitors = `
http_monitors:
  - name: web
    url: https://example.com/?key=${secret}
    periodicity: 1m
    active: true
    headers: [{ key: authorization, value: ${secret} }]
tcp_monitors:
  - { name: db, uri: "db:5432", periodicity: 1m }
`;

let directory = "";
let service: Service;
let writeKey = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "picket-test-"));
  service = await startService({
    database: join(directory, "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
  });
  writeKey = (await service.admin.createApiKey({ name: "writer", scope: "write" })).key;
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function applyWith(
  env: Readonly<Record<string, string>>,
  text: string,
  ...args: readonly string[]
): Promise<Called> {
  const file = join(directory, "monitors.yaml");
  await writeFile(file, text);
  const io = captureIo(env);
  const code = await runApply(["-f", file, ...args], io);
  return { code, stdout: io.written.stdout(), stderr: io.written.stderr() };
}

const apply = (text: string, ...args: readonly string[]): Promise<Called> =>
  applyWith({ SERVICE_API_URL: service.url, SERVICE_API_KEY: writeKey }, text, ...args);

const management = () => connectManagement(service.url, writeKey, directWay());
const never = new AbortController().signal;

describe("picket apply", () => {
  it("creates what is missing and shows the plan", async () => {
    const { code, stdout, stderr } = await apply(monitors);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toBe(
      '+ http "web"\n' +
        '+ tcp  "db" (inactive: "active: true" is missing)\n' +
        "2 to create, 0 to update, 0 the same.\n" +
        "Applied.\n" +
        "1 monitor notifies no one: make a channel for all monitors on the page Channels, or write `all_monitors: true` in a channel of a file.\n",
    );
    const all = await listMonitors(management(), never);
    expect(all.map(({ kind, message }) => [kind, message.name, message.active])).toEqual([
      ["http", "web", true],
      ["tcp", "db", false],
    ]);
  });

  it("changes nothing the second time", async () => {
    await apply(monitors);
    const before = await listMonitors(management(), never);
    const { code, stdout } = await apply(monitors);
    expect(code).toBe(0);
    expect(stdout).toContain("0 to create, 0 to update, 2 the same.");
    expect(await listMonitors(management(), never)).toEqual(before);
  });

  it("updates what differs, keeps its id, and names the arguments without their values", async () => {
    await apply(monitors);
    const before = await listMonitors(management(), never);
    const changed = monitors
      .replaceAll(secret, "another")
      .replace("1m\n    active", "5m\n    active");
    const { stdout } = await apply(changed);
    expect(stdout).toContain('~ http "web": url changed, periodicity 1m → 5m, headers changed\n');
    expect(stdout).not.toContain("another");
    const after = await listMonitors(management(), never);
    expect(after.map(({ message }) => message.id)).toEqual(before.map(({ message }) => message.id));
    expect(after[0]?.message.periodicity).toBe(Periodicity.PERIODICITY_5M);
  });

  it("with --dry-run changes nothing", async () => {
    const { code, stdout } = await apply(monitors, "--dry-run", "--location", "attic");
    expect(code).toBe(0);
    expect(stdout).toContain('+ private location "attic"');
    expect(stdout).toContain("Nothing was changed (--dry-run).");
    expect(await listMonitors(management(), never)).toEqual([]);
    expect(await listLocations(management(), never)).toEqual([]);
  });

  it("makes the location that is missing and shows its token then", async () => {
    const { stdout } = await apply(monitors, "--location", "attic");
    expect(stdout).toMatch(/The token of private location "attic": \S{20,}\n/);
    const [location] = await listLocations(management(), never);
    expect(location?.name).toBe("attic");
    expect(location?.monitorCount).toBe(2);
    const again = await apply(monitors, "--location", "attic");
    expect(again.stdout).toMatch(/^0 to create, 0 to update, 3 the same\.\nApplied\./);
    expect(again.stdout).not.toContain("token");
    expect(await listLocations(management(), never)).toHaveLength(1);
  });

  it("assigns next to what a location runs already", async () => {
    const other = await service.admin.createMonitor(
      { ...tcpDefaults, name: "other", uri: "other:1", periodicity: "1m" },
      "management",
    );
    await service.admin.createPrivateLocation({
      name: "attic",
      monitorIds: [other.id],
      metadata: {},
    });
    await apply(monitors, "--location", "attic");
    const [location] = await listLocations(management(), never);
    const found = await management().locations.getPrivateLocation({ id: location?.id ?? "" });
    expect(found.privateLocation?.monitorIds).toHaveLength(3);
    expect(found.privateLocation?.monitorIds).toContain(other.id);
  });

  it("reads lists of more than one page", async () => {
    const many = Array.from(
      { length: 230 },
      (_, index) => `  - { name: m${index}, uri: "a:1", periodicity: 1m }`,
    );
    const text = `tcp_monitors:\n${many.join("\n")}\n`;
    expect((await apply(text)).code).toBe(0);
    expect((await apply(text)).stdout).toContain("0 to create, 0 to update, 230 the same.");
  });

  it("with a mistake in the file changes nothing", async () => {
    const { code, stderr } = await apply(monitors.replace("db:5432", "db:0"));
    expect(code).toBe(1);
    expect(stderr).toContain("monitors.yaml:9:22: tcp_monitors[0].uri: has port 0");
    expect(stderr).toContain("Nothing was changed.");
    expect(await listMonitors(management(), never)).toEqual([]);
  });

  it("does not guess which of two monitors of one name is meant", async () => {
    const definition = { ...tcpDefaults, name: "db", uri: "db:1", periodicity: "1m" };
    await service.admin.createMonitor(definition, "management");
    await service.admin.createMonitor(definition, "management");
    const { code, stderr } = await apply(monitors);
    expect(code).toBe(1);
    expect(stderr).toContain('The service has 2 tcp monitors named "db"');
    expect(await listMonitors(management(), never)).toHaveLength(2);
  });

  it("says that a file is not there", async () => {
    const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: writeKey });
    expect(await runApply(["-f", join(directory, "none.yaml")], io)).toBe(1);
    expect(io.written.stderr()).toContain("none.yaml: there is no such file. Nothing was changed.");
  });
});

describe("picket apply without a service that takes it", () => {
  const failing = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const { code, stdout, stderr } = await applyWith(env, monitors);
    expect(code).toBe(1);
    expect(stdout).not.toContain("Applied");
    expect(stdout + stderr).not.toContain(secret);
    return stderr;
  };

  it("names both variables that are missing", async () => {
    const said = await failing({});
    expect(said).toContain("SERVICE_API_URL is not set");
    expect(said).toContain("SERVICE_API_KEY is not set");
  });

  it.each([
    ["ftp://example.com", "must be an http or https URL without query"],
    ["https://example.com/?key=planted-secret", "must be an http or https URL without query"],
    ["http://monitoring.example.com", "must be https, or the API key could be read in transit"],
  ])("refuses %s", async (url, message) => {
    expect(await failing({ SERVICE_API_URL: url, SERVICE_API_KEY: "k" })).toContain(message);
  });

  it("says that the key is unknown", async () => {
    const said = await failing({ SERVICE_API_URL: service.url, SERVICE_API_KEY: secret });
    expect(said).toContain("does not know the key in SERVICE_API_KEY");
  });

  it("says that the key may only read", async () => {
    const { key } = await service.admin.createApiKey({ name: "reader", scope: "read" });
    const said = await failing({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key });
    expect(said).toContain("may not do this");
    expect(said).not.toContain(key);
  });

  it("says that nothing can be reached there", async () => {
    const unused = createServer().listen(0, "127.0.0.1");
    await once(unused, "listening");
    const { port } = unused.address() as AddressInfo;
    unused.close();
    await once(unused, "close");
    const url = `http://127.0.0.1:${port}`;
    const said = await failing({ SERVICE_API_URL: url, SERVICE_API_KEY: "k" });
    expect(said).toContain(
      `picket apply: the service 127.0.0.1:${port} cannot be reached: connection refused. Next: check SERVICE_API_URL`,
    );
  });

  it("says that what answers there is another server", async () => {
    await using web = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>hello</html>");
    }).listen(0, "127.0.0.1");
    await once(web, "listening");
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const said = await failing({ SERVICE_API_URL: url, SERVICE_API_KEY: "k" });
    expect(said).toContain(`What answers at ${url}/ is not a service that Picket knows`);
    web.closeAllConnections();
  });

  it("does not pass on a key that the other side shows", async () => {
    await using echo = createServer((request, response) => {
      const message = `no such key: ${String(request.headers["x-service-key"])}`;
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "invalid_argument", message }));
    }).listen(0, "127.0.0.1");
    await once(echo, "listening");
    const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const said = await failing({ SERVICE_API_URL: url, SERVICE_API_KEY: secret });
    expect(said).toBe("picket apply: The service refused it: no such key: [removed].\n");
    echo.closeAllConnections();
  });
});
