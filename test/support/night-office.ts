import { rulesDefault } from "#service/alerting/channel-rules";
import { Agent } from "#agent/agent";
import { placeSources } from "#agent/looks/place-sources";
import { tcpDefaults } from "#check/definition";
import { type Clock, systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { noAccounts } from "#service/notify/accounts";
import type { Delivery } from "#service/notify/provider";
import { startInlineProber } from "#agent/prober/inline-prober";
import { LocalChecker } from "#agent/prober/local-checker";
import type { ProberOptions } from "#agent/prober/prober";
import { NotificationChannels } from "#service/channels/notification-channels";
import { Monitors } from "#service/monitors/monitors";
import { openSecretBox } from "#service/edge/secret-box";
import { startService } from "#service/server";
import { memorySpool } from "#agent/spool/memory-spool";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { Beat, ControlPlane } from "#transport/control-plane";
import { epochMillis, hours, mebibytes, millis, minutes, nanos, seconds } from "#base/units";
import { openStoreHere } from "./open-store-here.ts";
import { sendingNowhere } from "./sending-nowhere.ts";
import { wayWith } from "./service-way.ts";
import { memoryLog, type Said } from "./twins.ts";

/** A service and an agent in one process, whose clock runs so many times as fast: nothing of it waits for the other. */
const times = 15;
const began = systemClock.wall();
const clock: Clock = {
  wall: () => epochMillis(began + (systemClock.wall() - began) * times),
  monotonic: () => nanos(systemClock.monotonic() * times),
  sleep: (duration, signal) => systemClock.sleep(millis(duration / times), signal),
};

/** In memory that a scene of routers has to itself, and that ends with it. */
const database = "/run/service.sqlite";

/** What was seen of them. */
export interface NightOffice {
  readonly agent: Agent;
  /** What the office was sent, in order. */
  readonly sent: readonly Delivery[];
  readonly beats: readonly Beat[];
  readonly log: readonly Said[];
  /** Waits until it holds. */
  readonly until: (holds: () => boolean) => Promise<void>;
  /** Ends both. */
  readonly stop: () => Promise<void>;
}

/** Checks each of these host:port every half minute, and sends what the service has to say of it to one channel. */
export async function nightOffice(
  uris: readonly string[],
  probing: ProberOptions,
): Promise<NightOffice> {
  const sent: Delivery[] = [];
  const service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    trustedProxies: [],
    clock,
    log: silentLogger,
    opensStore: openStoreHere,
    sender: sendingNowhere(sent),
  });
  const monitors: string[] = [];
  for (const uri of uris) {
    const wanted = { ...tcpDefaults, name: uri, uri, periodicity: "30s", active: true } as const;
    monitors.push((await service.admin.createMonitor(wanted, "management")).id);
  }
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const channels = new NotificationChannels(store, {
    monitors: new Monitors(store, clock),
    box: openSecretBox(`${database}.key`),
    accounts: noAccounts,
    httpAllowed: false,
    clock,
  });
  const given = { webhook_url: "https://hooks.slack.test/1" };
  const rules = rulesDefault;
  await channels.create({ name: "ops", provider: "slack", given, monitorIds: monitors, rules });
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: monitors,
    metadata: {},
  });
  const log = memoryLog();
  const beats: Beat[] = [];
  const agent = await agentOf({ url: service.url, token, log, beats, probing });
  const stop = new AbortController();
  const ended = agent.run(stop.signal, new AbortController().signal);
  return {
    agent,
    sent,
    beats,
    log: log.said,
    until: async (holds) => {
      while (!holds()) await systemClock.sleep(millis(20));
    },
    stop: async () => {
      stop.abort();
      await ended;
      await service[Symbol.asyncDispose]();
    },
  };
}

interface AgentParts {
  readonly url: string;
  readonly token: string;
  readonly log: ReturnType<typeof memoryLog>;
  readonly beats: Beat[];
  readonly probing: ProberOptions;
}

async function agentOf({ url, token, log, beats, probing }: AgentParts): Promise<Agent> {
  const prober = await startInlineProber({ ...probing, threads: 1 });
  return new Agent({
    checker: new LocalChecker({ prober, clock, log, concurrency: 100, chance: () => 0.5 }),
    controlPlane: heard(url, token, beats),
    watch: null,
    spool: memorySpool(clock, { bytesMax: mebibytes(4), ageMax: hours(24) }),
    clock,
    log,
    place: placeSources(probing, clock),
    serviceUrl: url,
    pollInterval: minutes(1),
    heartbeatInterval: seconds(10),
    drainTimeout: seconds(30),
    chance: () => 0.5,
  });
}

/** The way to the service, with every heartbeat that went there. */
function heard(baseUrl: string, token: string, beats: Beat[]): ControlPlane {
  const plane = connectControlPlane({
    baseUrl,
    token: () => token,
    tokenHeader: "x-service-token",
    instance: { id: "a", version: "1", hostname: "h", node: "", labels: {}, placement: "share" },
    way: wayWith({ clock }),
    clock,
  });
  return {
    pull: (known, signal) => plane.pull(known, signal),
    report: (reports, onReceipt, signal) => plane.report(reports, onReceipt, signal),
    reportsSingly: false,
    heartbeat: (beat, signal) => {
      beats.push(beat);
      return plane.heartbeat(beat, signal);
    },
  };
}
