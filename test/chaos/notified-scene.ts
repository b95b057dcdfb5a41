import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "#base/clock";
import { tcpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { isServer } from "#service/store/open-store";
import { closedPort } from "../servers/scripted.ts";
import { type RunningPicket, startPicket } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { type MoodyProvider, openMoodyProvider } from "./moody-provider.ts";
import { type ScriptedAgent, scriptAgent } from "./scripted-agent.ts";

/** Services that notify three channels of a provider that may be moody, and an agent at each of two locations. */
export interface NotifiedScene extends AsyncDisposable {
  readonly database: string;
  readonly urls: readonly string[];
  readonly key: string;
  readonly provider: MoodyProvider;
  /** By their location. */
  readonly office: ScriptedAgent;
  readonly branch: ScriptedAgent;
  readonly monitors: Readonly<Record<"office" | "branch", readonly string[]>>;
  /** By their names. */
  readonly channels: ReadonlyMap<string, number>;
  /** Starts a replica, or starts it again. */
  start(index: number): Promise<void>;
  kill(index: number): Promise<void>;
}

export interface NotifiedOptions {
  readonly monitors: { readonly office: number; readonly branch: number };
  /** Of the office's monitors, those whose every incident is a separate message to the pager and the webhook. */
  readonly paged: number;
  readonly replicas?: number;
  readonly database?: string;
  /** How often each monitor is checked. */
  readonly every?: number;
}

export async function openNotified({
  monitors: counts,
  paged,
  replicas: count = 1,
  database: given,
  every = 2_500,
}: NotifiedOptions): Promise<NotifiedScene> {
  await using opened = new AsyncDisposableStack();
  const folder = temporaryFolder();
  const database = given ?? path.join(folder, "service.sqlite");
  const secretFile = path.join(folder, "sealing-key");
  const provider = opened.use(await openMoodyProvider());
  const ports = await Promise.all(Array.from({ length: count }, () => closedPort()));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const made = await populate({ database, secretFile, provider, counts, paged });
  const replicas = new Map<number, RunningPicket>();
  const agentOf = (place: "office" | "branch"): ScriptedAgent =>
    opened.use(
      scriptAgent({ urls, token: made.tokens[place], monitors: made.monitors[place], every }),
    );
  const [office, branch] = [agentOf("office"), agentOf("branch")];
  const life = opened.move();
  return {
    database,
    urls,
    provider,
    office,
    branch,
    ...made,
    start: async (index) => {
      const listen = isServer(database) ? [] : ["--database", database];
      const env = {
        PICKET_SERVICE_DATABASE: database,
        PICKET_SERVICE_SECRET_FILE: secretFile,
        PICKET_PAGERDUTY_URL: provider.url,
      };
      const replica = startPicket(
        ["service", ...listen, "--listen", `127.0.0.1:${ports[index]}`],
        env,
      );
      replicas.set(index, replica);
      await replica.said(/listens on/);
    },
    kill: async (index) => replicas.get(index)?.kill(),
    [Symbol.asyncDispose]: async () => {
      for (const replica of replicas.values()) await replica.kill();
      await life.disposeAsync();
    },
  };
}

/** Waits until something holds, and fails with what it says then. */
export async function holds(
  patience: number,
  sentence: () => string,
  is: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + patience;
  while (!(await is())) {
    if (Date.now() > end) throw new Error(sentence());
    await wait(200);
  }
}

interface Populated {
  readonly database: string;
  readonly secretFile: string;
  readonly provider: MoodyProvider;
  readonly counts: NotifiedOptions["monitors"];
  readonly paged: number;
}

/** By the service itself, in this process, before the ones that are killed begin. */
async function populate({ database, secretFile, provider, counts, paged }: Populated) {
  const place = { database, secretFile, host: "127.0.0.1", port: 0 } as const;
  await using service = await startService({ ...place, clock: systemClock, log: silentLogger });
  const { admin } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const monitorsOf = async (name: string, count: number): Promise<readonly string[]> => {
    const made = Array.from({ length: count }, (_, index) => {
      const target = { name: `${name}-${index}`, uri: "db.test:5432", timeout: 1_000, retry: 0 };
      const definition = { ...tcpDefaults, ...target, periodicity: "10s", active: true };
      return admin.createMonitor(definition, "assignment");
    });
    return (await Promise.all(made)).map(({ id }) => id);
  };
  const monitors = {
    office: await monitorsOf("office", counts.office),
    branch: await monitorsOf("branch", counts.branch),
  };
  const tokenOf = async (name: "office" | "branch"): Promise<string> =>
    (await admin.createPrivateLocation({ name, monitorIds: monitors[name], metadata: {} })).token;
  const all = [...monitors.office, ...monitors.branch];
  const some = [...monitors.office.slice(0, paged), ...monitors.branch];
  const wanted = [
    ["ops", "SLACK", { slack: { webhook_url: `${provider.url}/ops/T1` } }, all],
    ["hook", "WEBHOOK", { webhook: { endpoint: `${provider.url}/hook` } }, some],
    ["pager", "PAGERDUTY", { pagerduty: { integration_key: "k".repeat(32) } }, some],
  ] as const;
  const channels = new Map<string, number>();
  for (const [name, word, data, monitorIds] of wanted) {
    const provider = `NOTIFICATION_PROVIDER_${word}`;
    const { notification } = await call(service.url, key, createNotification, {
      name,
      provider,
      data,
      monitorIds,
    });
    channels.set(name, Number(notification.id));
  }
  const tokens = { office: await tokenOf("office"), branch: await tokenOf("branch") };
  return { key, monitors, tokens, channels };
}

const createNotification = "openstatus.notification.v1.NotificationService/CreateNotification";

/** A management call; rejects when it is refused. A busy database may have no answer for a while. */
export async function call(
  url: string,
  key: string,
  method: string,
  body: unknown,
): Promise<ReturnType<typeof JSON.parse>> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(`${url}/rpc/${method}`, {
      method: "POST",
      headers: { "x-service-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    const answer = `${method}: ${response.status} ${await response.text()}`;
    if (response.status !== 503 || attempt >= 60) throw new Error(answer);
    await wait(1_000);
  }
}
