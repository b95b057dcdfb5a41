import path from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { onTestFinished } from "vitest";
import { type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import { tcpDefaults } from "#check/definition";
import type { ResultStatus } from "#check/verdict";
import type {
  CheckCauseSchema,
  HeartbeatRequestSchema,
  VantageConditionSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { Channel } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Notice } from "#service/notify/event";
import type { Delivery, Sender } from "#service/notify/provider";
import { NotificationChannels } from "#service/channels/notification-channels";
import { Monitors } from "#service/monitors/monitors";
import { noAccounts } from "#service/notify/accounts";
import { openSecretBox } from "#service/edge/secret-box";
import type { NotificationWay } from "#service/service-rooms";
import type { openStore } from "#service/store/open-store";
import type { NewMaintenance } from "#service/store/maintenance-store";
import type { Store } from "#service/store/store";
import { AskedStore } from "../../support/asked-store.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { quickFolder, type RunningService, runningService } from "../../support/running-service.ts";

/** A provider that keeps what it was sent, and answers as a test says. */
export class Mailbox implements Sender, AsyncDisposable {
  readonly taken: { readonly channel: Channel; readonly delivery: Delivery }[] = [];
  /** Every attempt, the failed ones included. */
  tries = 0;
  answer: (channel: Channel, notice: Notice) => DeliveryOutcome | Promise<DeliveryOutcome>;

  constructor() {
    this.answer = () => delivered;
  }

  async send(channel: Channel, delivery: Delivery): Promise<DeliveryOutcome> {
    this.tries += 1;
    const outcome = await this.answer(channel, delivery.notice);
    if (outcome.is === "delivered") this.taken.push({ channel, delivery });
    return outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async ask(): Promise<DeliveryOutcome> {
    return delivered;
  }

  notices(channel: string): readonly Notice[] {
    return this.taken
      .filter((one) => one.channel.name === channel)
      .map(({ delivery }) => delivery.notice);
  }

  /** What one channel was sent, in a word each. */
  words(channel: string): readonly string[] {
    return this.notices(channel).map((notice) =>
      notice.type === "digest" ? `digest of ${notice.count}` : notice.type,
    );
  }
}

export const gatewayGone: MessageInitShape<typeof CheckCauseSchema> = {
  scope: "gateway",
  subject: "10.0.0.1",
  certainty: "proven",
  causeId: "c1",
  since: BigInt(Date.parse("2026-08-12T12:00:00Z")),
  sentence: "the gateway 10.0.0.1 does not answer on this network",
  affected: 2n,
};

const refused = { code: "connection_refused", phase: "connect", message: "nothing listens" };

export const delivered: DeliveryOutcome = { is: "delivered", reference: null, moved: null };
const trouble = { code: "provider_failed", message: "it has a fault", status: 503 } as const;
export const again: DeliveryOutcome = { is: "again", after: null, trouble };
export const troubled = (is: "permanent" | "failing" | "disabled"): DeliveryOutcome => ({
  is,
  trouble,
});

type Configured = "slack" | "pagerduty" | "webhook" | "sms";
const configurations: Readonly<Record<Configured, ChannelArguments>> = {
  slack: { webhook_url: "https://hooks.slack.test/1" },
  pagerduty: { integration_key: "k".repeat(32) },
  webhook: { endpoint: "https://hooks.test/" },
  sms: { phone_number: "+491701234567" },
};

interface ScriptedAgent {
  isAlive: boolean;
  /** How far its clock is ahead of the service's, in milliseconds. */
  clockAhead: number;
  /** What each error that it reports from now on is. */
  failure: { readonly code: string; readonly phase: string; readonly message: string };
  /** What it counts, in each heartbeat from now on. */
  counts: Pick<
    MessageInitShape<typeof HeartbeatRequestSchema>,
    | "checksRun"
    | "resultsWaiting"
    | "missedSlotsOwn"
    | "resultsGivenUp"
    | "resultsRejected"
    | "resultsUnassigned"
  >;
}

/** A running service with monitors at one location, its channels, and an agent that says what a test wants. */
export interface Office {
  readonly clock: FakeClock;
  readonly mailbox: Mailbox;
  readonly store: Store;
  readonly service: RunningService;
  readonly key: string;
  readonly monitors: readonly string[];
  readonly locationId: number;
  /** The location's, for further agents. */
  readonly token: string;
  readonly channel: (
    name: string,
    provider?: Configured,
    rules?: Partial<ChannelRules>,
  ) => Promise<number>;
  /** One result of each of these monitors, by default of all, in the slot of now, or of so many seconds ago. */
  readonly report: (
    status: ResultStatus,
    monitors?: readonly string[],
    secondsAgo?: number,
  ) => Promise<void>;
  /** In the slot of now nothing is learned of the monitors, because the gateway is gone. */
  readonly miss: () => Promise<unknown>;
  /** What the agent says is broken at its own place; it is in each heartbeat from now on. */
  readonly conditions: MessageInitShape<typeof VantageConditionSchema>[];
  readonly beat: () => Promise<unknown>;
  /** While it is alive, it sends its heartbeats as time passes. */
  readonly agent: ScriptedAgent;
  /** Moves the clock by a second at a time until it holds; what the threads of the store do takes real time. */
  readonly until: (holds: () => boolean | Promise<boolean>, patience?: number) => Promise<void>;
  /** Moves the clock by so many seconds; every look of the service is done before the next. */
  readonly pass: (count: number) => Promise<void>;
  /** Stops the service and starts it again on its file. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Work on all monitors of the office, in one window. */
export const plannedWork = (
  { monitors, clock }: Office,
  window: Pick<NewMaintenance, "from" | "to"> & Partial<NewMaintenance>,
): NewMaintenance => ({
  title: "update",
  message: "",
  recurrence: "",
  timeZone: "UTC",
  page: "",
  components: [],
  monitors: monitors.map(Number),
  locations: [],
  owner: "",
  notify: true,
  at: clock.wall(),
  ...window,
});

export async function alertedOffice(
  count = 1,
  more: {
    readonly heartbeatUrl?: string;
    readonly notifying?: NotificationWay;
    readonly opensStore?: typeof openStore;
  } = {},
): Promise<Office> {
  const clock = new FakeClock(Date.parse("2026-08-12T12:00:00Z"));
  const mailbox = new Mailbox();
  const database = path.join(quickFolder(), "service.sqlite");
  const asked = new AskedStore(more.opensStore ?? openStoreHere);
  const open = (): Promise<RunningService> =>
    runningService({ clock, database, sender: mailbox, ...more, opensStore: asked.open });
  let service = await open();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const monitors: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const target = { name: `m${index}`, uri: "db.test:5432", timeout: 1_000, retry: 0 };
    const definition = { ...tcpDefaults, ...target, periodicity: "30s", active: true };
    monitors.push((await service.admin.createMonitor(definition, "management")).id);
  }
  const wanted = { name: "office", monitorIds: monitors, metadata: {} };
  const { id, token } = await service.admin.createPrivateLocation(wanted);
  const agent: ScriptedAgent = { isAlive: true, clockAhead: 0, failure: refused, counts: {} };
  const conditions: Office["conditions"] = [];
  const beat = (): Promise<unknown> =>
    service.agent(token).heartbeat({
      instanceId: "a",
      hostname: "probe-1",
      monitorCount: BigInt(count),
      sentAt: BigInt(clock.wall() + agent.clockAhead),
      conditions,
      ...agent.counts,
    });
  const slotNow = (): bigint => BigInt(Math.floor(clock.wall() / 1_000) * 1_000);
  /** The loops of a service that has nothing to do sleep, all of them, and none waits for the store. */
  const settled = async (): Promise<void> => {
    for (let still = 0; still < 4;) {
      await asked.answered();
      await new Promise((resolve) => setImmediate(resolve));
      still = asked.isAnswered && clock.sleeping >= idle ? still + 1 : 0;
    }
  };
  for (let turn = 0; turn < 50; turn += 1) await store.health();
  const idle = clock.sleeping;
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 1) {
      await clock.advance(1_000);
      await settled();
      if (agent.isAlive && passed % 20 === 19) await beat();
    }
  };
  const channels = new NotificationChannels(store, {
    monitors: new Monitors(store, clock),
    box: openSecretBox(`${database}.key`),
    accounts: more.notifying?.accounts ?? noAccounts,
    httpAllowed: false,
    clock,
  });
  return {
    clock,
    mailbox,
    store,
    key,
    monitors,
    locationId: Number(id),
    token,
    pass,
    get service() {
      return service;
    },
    channel: async (name, provider = "slack", rules = {}) => {
      const wanted = { name, provider, given: configurations[provider], monitorIds: monitors };
      const made = await channels.create({ ...wanted, rules: { ...rulesDefault, ...rules } });
      return made.id;
    },
    report: async (status, some = monitors, secondsAgo = 0) => {
      const slot = slotNow() - BigInt(secondsAgo * 1_000);
      const results = some.map((monitorId) => ({
        result: {
          case: "tcp" as const,
          value: { monitorId, requestStatus: status, timestamp: slot, cronTimestamp: slot },
        },
        detail: status === "error" ? { failure: agent.failure } : {},
      }));
      for (let from = 0; from < results.length; from += 200)
        await service
          .agent(token)
          .ingestBatch({ instanceId: "a", results: results.slice(from, from + 200) });
    },
    miss: () => {
      const [from, to] = [slotNow(), slotNow()];
      const why = { from, to, count: 1n, reason: "vantage", cause: gatewayGone };
      const missed = monitors.map((monitorId) => ({ monitorId, ...why }));
      return service.agent(token).ingestBatch({ instanceId: "a", missed });
    },
    conditions,
    beat,
    agent,
    until: async (holds, patience = 120) => {
      for (let passed = 0; passed < patience; passed += 1) {
        if (await holds()) return;
        await pass(1);
        if (agent.isAlive && passed % 20 === 19) await beat();
      }
      throw new Error(`it does not hold after ${patience} seconds`);
    },
    restart: async () => {
      await service[Symbol.asyncDispose]();
      service = await open();
    },
    stop: async () => service[Symbol.asyncDispose](),
  };
}
