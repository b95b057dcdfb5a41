import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Logger } from "#base/log";
import type { Block } from "#network/address-block";
import type { Accounts } from "#service/notify/accounts";
import type { Channel } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Delivery } from "#service/notify/provider";
import type { OidcSettings } from "#service/oidc/oidc-provider";
import { notifyingDirectly } from "#service/service-rooms";
import { type Service, startService } from "#service/server";
import { epochMillis, minutes } from "#base/units";
import { FakeClock } from "./fake-clock.ts";
import { goneAtOnce } from "./gone-at-once.ts";
import { generateHistory } from "./generated-history.ts";
import { openStoreHere } from "./open-store-here.ts";
import { runFolder } from "./run-folder.ts";
import { quickFolder } from "./running-service.ts";
import { sendingNowhere } from "./sending-nowhere.ts";
import { memoryLog } from "./twins.ts";

export interface OperatorScene {
  readonly service: Service;
  readonly clock: FakeClock;
  readonly log: ReturnType<typeof memoryLog> & Logger;
  readonly database: string;
  /** What its channels would have sent. */
  readonly sent: readonly Delivery[];
  /** And where to, a channel for each. */
  readonly sentTo: readonly Channel[];
  /** A request as a browser would make it, which follows no redirect. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (
    path: string,
    fields: Record<string, string> | URLSearchParams,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

const database = "service.sqlite";
const generatedAt = epochMillis(Date.parse("2026-11-22T12:00:00Z"));

/** A past takes seconds to make, so the tests of one run share it. */
const generated = new Map<number, Promise<string>>();
const generatedDatabase = (days: number): Promise<string> =>
  generated.getOrInsertComputed(days, async () => {
    const folder = path.join(runFolder(), `generated-${days}-days`);
    if (!existsSync(folder)) await generateInto(folder, days);
    return path.join(folder, database);
  });

/** It appears as a whole. Where another process was quicker, its past is as good. */
async function generateInto(folder: string, days: number): Promise<void> {
  const made = `${folder}-of-${process.pid}`;
  mkdirSync(made);
  const file = path.join(made, database);
  await generateHistory({ database: file, now: generatedAt, days, spacing: minutes(60) });
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** A real service on a database with a generated past, gone with the test. */
export async function operatorScene({
  pages = "local",
  days = 14,
  oidc,
  trustedProxies = [],
  opensStore = openStoreHere,
  accounts,
  outcome,
  sends = "nowhere",
}: {
  pages?: "local" | "signed in";
  days?: number;
  oidc?: OidcSettings;
  trustedProxies?: readonly Block[];
  opensStore?: typeof openStoreHere;
  /** What the service has at providers; without it nothing. */
  accounts?: Accounts;
  /** What becomes of a message; without it, it is taken. */
  outcome?: () => DeliveryOutcome;
  /** Whether its messages go to where they are sent: to a receiver of the test. */
  sends?: "nowhere" | "really";
} = {}): Promise<OperatorScene> {
  const clock = new FakeClock(generatedAt);
  const own = path.join(quickFolder(), database);
  if (days > 0)
    for (const suffix of ["", ".key"])
      copyFileSync(`${await generatedDatabase(days)}${suffix}`, `${own}${suffix}`);
  const log = memoryLog();
  const sent: Delivery[] = [];
  const sentTo: Channel[] = [];
  const sending = sends === "really" ? {} : { sender: sendingNowhere(sent, sentTo, outcome) };
  const listen = { host: "127.0.0.1", port: 0 };
  const seen = oidc === undefined ? { pages } : { pages, oidc };
  const listening = { ...listen, trustedProxies };
  const notifying = accounts === undefined ? {} : { notifying: { ...notifyingDirectly, accounts } };
  const options = { database: own, ...listening, clock, log, ...seen, ...sending, opensStore };
  const service = await startService({ ...options, ...notifying });
  onTestFinished(() => goneAtOnce(service));
  const ask = (to: string, init: RequestInit) =>
    fetch(`${service.url}${to}`, { redirect: "manual", ...init });
  return {
    service,
    clock,
    log,
    database: own,
    sent,
    sentTo,
    get: (to, headers = {}) => ask(to, { headers: { accept: "text/html", ...headers } }),
    post: (to, fields, headers = {}) =>
      ask(to, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { accept: "text/html", ...headers },
      }),
  };
}
