import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connectManagement, listMonitors } from "#cli/management/management";
import { configurationFolder } from "#cli/service/service-folder";
import { directWay } from "#cli/management/service-way";
import type { Logger } from "#base/log";
import { startService } from "#service/server";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";

/** A log of which a test waits for the next line that says something. */
class AwaitedLog implements Logger {
  readonly #lines: string[] = [];
  #ring = (): void => {};
  debug = (): void => {};
  warn = (): void => {};
  info = (message: string): void => this.#take(message);
  error = (message: string, fields: object = {}): void =>
    this.#take(`${message} ${JSON.stringify(fields)}`);
  #take(line: string): void {
    this.#lines.push(line);
    this.#ring();
  }
  /** The next line with these words; those before it are dropped. */
  async line(words: string): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line?.includes(words) === true) return line;
      if (line === undefined)
        await new Promise<void>((resolve) => {
          this.#ring = resolve;
        });
    }
  }
}

/** A folder as a ConfigMap is mounted: files are links into a folder that is swapped as a whole. */
function configMap() {
  const folder = temporaryFolder();
  let edition = 0;
  const swap = (files: Readonly<Record<string, string>>): void => {
    edition += 1;
    const data = path.join(folder, `..edition_${edition}`);
    mkdirSync(data);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(data, name), text);
    symlinkSync(path.basename(data), path.join(folder, "..next"));
    renameSync(path.join(folder, "..next"), path.join(folder, "..data"));
    if (edition === 1)
      for (const name of Object.keys(files))
        symlinkSync(path.join("..data", name), path.join(folder, name));
  };
  return { folder, swap };
}

const monitors = (...names: readonly string[]): string =>
  `http_monitors:\n${names.map((name) => `  - { name: ${name}, url: "https://${name}.test/", periodicity: 30s, active: true }\n`).join("")}`;

const office = "private_locations: [{ name: office }]\n";
const acme =
  "status_pages: [{ slug: acme, title: Acme, groups: [{ name: Web }], components: [{ name: Desk }] }]\n";

test("a folder is applied at the start and when its link is swapped, all or nothing, and its objects are changed there alone", async () => {
  const { folder, swap } = configMap();
  swap({ "a.yaml": monitors("shop", "blog"), "b.yaml": `${office}${acme}` });
  const [clock, log] = [new FakeClock(), new AwaitedLog()];
  await using service = await startService({
    database: path.join(temporaryFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock,
    log,
    configuration: configurationFolder(folder, {}),
  });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const ask = async (to: string, body: unknown = null) => {
    const headers = { "x-service-key": key, "content-type": "application/json" };
    const asked = body === null ? {} : { method: "POST", body: JSON.stringify(body) };
    return fetch(`${service.url}${to}`, { headers, ...asked });
  };
  const call = (method: string, body: unknown) =>
    ask(`/openstatus.monitor.v1.MonitorService/${method}`, body);
  const listed = () =>
    listMonitors(connectManagement(service.url, key, directWay()), new AbortController().signal);
  const names = async () => (await listed()).map(({ message }) => message.name).toSorted();
  await log.line("are applied");
  expect(await names()).toEqual(["blog", "shop"]);
  expect(await (await ask("/healthz")).json()).toMatchObject({ configuration: { mistakes: 0 } });

  const refused = await call("DeleteMonitor", { id: (await listed())[0]?.message.id });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(`managed by the files in ${folder}`);

  const page = (method: string, body: unknown) =>
    ask(`/openstatus.status_page.v1.StatusPageService/${method}`, body);
  const content = JSON.parse(await (await page("GetStatusPageContent", { id: "1" })).text());
  const [component, group] = [content.components[0].id, content.groups[0].id];
  const edits = {
    UpdateStatusPage: { id: "1", title: "Other" },
    DeleteStatusPage: { id: "1" },
    AddMonitorComponent: { pageId: "1", monitorId: "1" },
    AddStaticComponent: { pageId: "1", name: "Other" },
    UpdateComponent: { id: component, name: "Other" },
    RemoveComponent: { id: component },
    CreateComponentGroup: { pageId: "1", name: "Other" },
    UpdateComponentGroup: { id: group, name: "Other" },
    DeleteComponentGroup: { id: group },
  };
  for (const [method, body] of Object.entries(edits)) {
    const answer = await page(method, body);
    expect([method, answer.status, await answer.text()]).toEqual([
      method,
      400,
      expect.stringContaining(`managed by the files in ${folder}`),
    ]);
  }
  // No import takes anything from the folder either: for another owner, or for none.
  for (const owner of ["team", ""]) {
    const taken = { kind: "status_page", name: "acme", owner, fromOwner: "config" };
    const answer = await ask("/picket.v1.ConfigurationService/ImportObject", taken);
    expect([owner, answer.status, await answer.text()]).toEqual([
      owner,
      400,
      expect.stringContaining(`managed by the files in ${folder}`),
    ]);
  }
  // A page that no file says is a person's.
  const own = await page("CreateStatusPage", { slug: "by-hand", title: "By hand" });
  expect(own.status).toBe(200);

  // One file is right, and the other has a mistake: nothing of either is done.
  swap({ "a.yaml": monitors("shop", "api"), "b.yaml": "private_locations: [{ nme: office }]\n" });
  void clock.advance(2_000);
  expect(await log.line("not applied")).toContain("private_locations[0].name: is required");
  expect(await names()).toEqual(["blog", "shop"]);
  const well = await ask("/healthz");
  expect(well.status).toBe(200);
  expect(await well.json()).toMatchObject({ status: "ok", configuration: { mistakes: 2 } });
  expect(await (await ask("/metrics")).text()).toMatch(/^picket_configuration_mistakes 2$/m);

  swap({ "a.yaml": monitors("shop", "api"), "b.yaml": `${office}${acme}` });
  void clock.advance(2_000);
  await log.line("are applied");
  expect(await names()).toEqual(["api", "shop"]);
  expect(await (await ask("/metrics")).text()).toMatch(/^picket_configuration_mistakes 0$/m);
});

test("no call speaks for the owner of the service's folder: not a plan, an apply, an import, nor a command", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "a.yaml"), monitors("shop", "blog"));
  const log = new AwaitedLog();
  await using service = await startService({
    database: path.join(temporaryFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: new FakeClock(),
    log,
    configuration: configurationFolder(folder, {}),
  });
  await log.line("are applied");
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const ask = async (to: string, body: unknown) => {
    const headers = { "x-service-key": key, "content-type": "application/json" };
    return fetch(`${service.url}/${to}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const made = await ask("openstatus.status_page.v1.StatusPageService/CreateStatusPage", {
    slug: "by-hand",
    title: "By hand",
  });
  expect(made.status).toBe(200);
  const nothing = { configuration: { owner: "config" }, prune: true };
  const refusal = `owner "config" is the owner of the files in ${folder}: edit them there, and the service applies them, or name another owner`;
  for (const [method, body] of Object.entries({
    PlanConfiguration: nothing,
    ApplyConfiguration: nothing,
    ImportObject: { kind: "status_page", name: "by-hand", owner: "config" },
  })) {
    const answer = await ask(`picket.v1.ConfigurationService/${method}`, body);
    expect([answer.status, answer.headers.get("error-field")]).toEqual([400, "owner"]);
    expect(JSON.parse(await answer.text())).toMatchObject({ message: refusal });
  }
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: key };
  const theirs = path.join(temporaryFolder(), "theirs.yaml");
  writeFileSync(theirs, monitors("other"));
  const commands = {
    plan: ["-f", theirs],
    apply: ["-f", theirs, "--prune", "--yes"],
    import: ["page", "by-hand"],
  };
  for (const [name, words] of Object.entries(commands)) {
    const io = captureIo(env);
    expect([name, await main([name, ...words, "--owner", "config"], io)]).toEqual([name, 1]);
    expect(io.written.stderr()).toBe(`picket ${name}: The service refused it: ${refusal}.\n`);
  }
  const management = connectManagement(service.url, key, directWay());
  const kept = await listMonitors(management, new AbortController().signal);
  expect(kept.map(({ message }) => message.name).toSorted()).toEqual(["blog", "shop"]);
});
