import { request as httpRequest, type RequestOptions } from "node:http";
import { once } from "node:events";
import { httpDefaults } from "#check/definition";
import { noAccounts } from "#service/notify/accounts";
import type { Logger } from "#base/log";
import type { NotificationWay } from "#service/service-rooms";
import type { Block } from "#network/address-block";
import { FakeClock } from "../../support/fake-clock.ts";
import { runningService, type RunningService } from "../../support/running-service.ts";

export interface StatusScene extends AsyncDisposable {
  readonly service: RunningService;
  readonly clock: FakeClock;
  /** A call of the management contract; its answer. */
  readonly call: (name: string, ask: object) => Promise<Record<string, never>>;
  /** A reader's request, which follows no redirect. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

const sceneBegan = Date.parse("2026-11-22T12:00:00Z");

const services: Readonly<Record<string, string>> = {
  CreateStatusReport: "openstatus.status_report.v1.StatusReportService",
  AddStatusReportUpdate: "openstatus.status_report.v1.StatusReportService",
  UpdateStatusReport: "openstatus.status_report.v1.StatusReportService",
  CreateMaintenance: "openstatus.maintenance.v1.MaintenanceService",
  UpdateMaintenance: "openstatus.maintenance.v1.MaintenanceService",
  DeleteMaintenance: "openstatus.maintenance.v1.MaintenanceService",
  GetMaintenance: "openstatus.maintenance.v1.MaintenanceService",
  AddMaintenanceUpdate: "openstatus.maintenance.v1.MaintenanceService",
  UpdateMaintenanceUpdate: "openstatus.maintenance.v1.MaintenanceService",
  DeleteMaintenanceUpdate: "openstatus.maintenance.v1.MaintenanceService",
};

/** By which server it sends, and its address as readers know it. */
export interface Mailing {
  readonly port: number;
  readonly publicUrl?: string;
}

/** How a service is started that sends by it. */
export function mailingBy({ port, publicUrl = "https://status.test/" }: Mailing): {
  readonly publicUrl: string;
  readonly notifying: NotificationWay;
} {
  const account = {
    host: "127.0.0.1",
    port,
    tls: "if-offered",
    login: null,
    dkim: null,
    isGiven: false,
  } as const;
  const smtp = { ...account, from: "Acme <status@acme.test>" };
  const proxying = { proxy: null, exceptions: [] };
  const accounts = { ...noAccounts, smtp };
  return {
    publicUrl,
    notifying: { accounts, proxying, secureContext: undefined, httpAllowed: false },
  };
}

/** A running service with a write key, and the monitor 1 of the name "shop", which nothing has checked. */
export async function statusScene(
  trustedProxies: readonly Block[] = [],
  mail: Mailing | null = null,
  place: {
    readonly database?: string;
    readonly secretFile?: string;
    readonly log?: Logger;
  } = {},
): Promise<StatusScene> {
  const clock = new FakeClock(sceneBegan);
  const more = mail === null ? {} : mailingBy(mail);
  const service = await runningService({ clock, trustedProxies, ...more, ...place });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const url = "https://shop.test/";
  const shop = {
    ...httpDefaults,
    name: "shop",
    url,
    periodicity: "30s",
    active: true,
    public: true,
  };
  await service.admin.createMonitor(shop, "management");
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${service.url}${path}`, { redirect: "manual", ...init });
  return {
    service,
    clock,
    call: async (name, body) => {
      const of = services[name] ?? "openstatus.status_page.v1.StatusPageService";
      const answer = await service.post(`/rpc/${of}/${name}`, body, { "x-service-key": key });
      if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
      return JSON.parse(await answer.text());
    },
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, fields, headers = {}) =>
      ask(path, { method: "POST", body: new URLSearchParams(fields), headers }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** A GET with a Host header of its own, which fetch does not send. */
export const getAs = (url: string, host: string): Promise<RawAnswer> =>
  requestAs(url, { headers: { host } });

/** Any request with headers that fetch does not send; a connection that is upgraded ends. */
export async function requestAs(
  url: string,
  options: RequestOptions,
  body?: string,
): Promise<RawAnswer> {
  const asked = httpRequest(url, options);
  asked.end(body);
  const upgraded = once(asked, "upgrade").then(([response, socket]) => {
    socket.destroy();
    return { status: response.statusCode, body: "" };
  });
  const answered = once(asked, "response").then(async ([response]) => {
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return { status: response.statusCode, body: Buffer.concat(parts).toString() };
  });
  return Promise.race([upgraded, answered]);
}
