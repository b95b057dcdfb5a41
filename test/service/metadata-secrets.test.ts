import { expect, test } from "vitest";
import type { DefinitionOf } from "#check/definition";
import { systemClock } from "#base/clock";
import { kindTable } from "#check/kinds/kind-table";
import { exportedMonitor } from "#cli/apply/exported-monitor";
import { configurationMessage } from "#cli/apply/configuration-message";
import { runCheck } from "#cli/check/check-command";
import { connectManagement, listMonitors } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { captureIo } from "../support/captured-io.ts";
import { runningService } from "../support/running-service.ts";
import { grpcServer } from "../servers/grpc-server.ts";

/** The metadata of a gRPC monitor are secrets, as headers are: no plan, export, page, log or answer shows their values. */

const definition = (token: string): DefinitionOf<"grpc"> => ({
  ...kindTable.grpc.defaults,
  name: "orders",
  uri: "orders.test:50051",
  periodicity: "1m",
  metadata: [{ key: "authorization", value: `Bearer ${token}` }],
});

const alone = { path: [], locations: [], notifications: [], dependsOn: [], renamedFrom: "" };
const nothing = {
  owner: "",
  locations: [],
  channels: [],
  pages: [],
  maintenances: [],
  elsewhere: [],
};

test("a plan, an export and a key that may only read do not show them", async () => {
  await using service = await runningService({ clock: systemClock });
  const { key } = await service.admin.createApiKey({ name: "w", scope: "write" });
  const { key: reader } = await service.admin.createApiKey({ name: "r", scope: "read" });
  const management = connectManagement(service.url, key, directWay());
  const configurationOf = (token: string) => {
    const one = definition(token);
    const written = [{ ...alone, definition: one }];
    return configurationMessage({ ...nothing, monitors: [one], written }, "", null);
  };
  const made = configurationOf("planted-before");
  await management.configuration.applyConfiguration({ configuration: made });
  const configuration = configurationOf("planted-after");
  const plan = await management.configuration.planConfiguration({ configuration });
  expect(plan.changes).toMatchObject([{ action: "update", fields: [{ name: "metadata" }] }]);
  expect(JSON.stringify(plan.changes)).not.toContain("planted");
  const [listed] = await listMonitors(management, new AbortController().signal);
  if (listed === undefined) throw new Error("the monitor is not there");
  const exported = JSON.stringify(exportedMonitor(listed, String));
  expect(exported).toContain('{"env":"ORDERS_AUTHORIZATION"}');
  expect(exported).not.toContain("planted");
  const shown = await service.monitors(reader).getMonitor({ id: listed.message.id });
  const config = shown.monitor?.config;
  expect(config?.case === "grpc" && config.value.metadata).toMatchObject([
    { key: "authorization", value: "" },
  ]);
});

test("a check by hand does not show them, nor what a server sends back of them", async () => {
  const refusal = { code: 16, details: "no such token: planted-secret" };
  await using server = await grpcServer({ "": refusal });
  const io = captureIo();
  const header = "authorization: Bearer planted-secret";
  await runCheck([`grpc://127.0.0.1:${server.port}`, "-H", header, "--explain"], io);
  const out = io.written.stdout();
  expect(server.calls[0]?.get("authorization")).toEqual(["Bearer planted-secret"]);
  expect(out).toContain("UNAUTHENTICATED (16): no such token: (metadata)");
  expect(out).not.toContain("planted");
});
