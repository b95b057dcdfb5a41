import { createServer, request } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { dnsDefaults, httpDefaults, tcpDefaults } from "#check/definition";
import { type SeenService, seenService } from "../../support/seen-service.ts";

const statesCall = "/picket.v1.MonitorStateService/ListMonitorStates";
const incidentsCall = "/picket.v1.IncidentService/ListIncidents";
const listsCall = "/openstatus.monitor.v1.MonitorService/ListMonitors";

const newerCalls = [statesCall, incidentsCall];

/** The way to a service, which says which calls came; on that of an older one there is no call for states and incidents. */
async function wayTo(seen: SeenService, { isOlder }: { readonly isOlder: boolean }) {
  const calls: string[] = [];
  const server = createServer((asked, answer) => {
    const path = asked.url ?? "";
    calls.push(path);
    // What an older service of ours says to a call that it does not have.
    const url = `${seen.service.url}${isOlder && newerCalls.includes(path) ? "/unknown" : path}`;
    const { method, headers } = asked;
    asked.pipe(
      request(url, { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    calls,
    env: { SERVICE_API_URL: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** More than a page of lists has, of kinds in turn. */
async function addMonitors({ service: { admin } }: SeenService): Promise<void> {
  for (let index = 0; index < 105; index += 1) {
    const common = { name: `more ${index}`, periodicity: "30s", active: index % 3 === 0 };
    const host = `host-${index}.test`;
    await admin.createMonitor(
      [
        { ...dnsDefaults, ...common, uri: host },
        { ...tcpDefaults, ...common, uri: `${host}:1` },
        { ...httpDefaults, ...common, url: `https://me:planted@${host}/?key=planted` },
      ][index % 3]!,
      "management",
    );
  }
}

const commands = [
  ["status"],
  ["status", "--json"],
  ["status", "shop", "--json"],
  ["status", "office"],
  ["status", "nowhere"],
  ["monitors"],
  ["monitors", "--json"],
  ["monitors", "--names"],
  ["silence", "--list"],
];

test("commands show the same of a service that has the calls for states and incidents and of one that has not", async () => {
  await using seen = await seenService();
  await addMonitors(seen);
  await using newer = await wayTo(seen, { isOlder: false });
  await using older = await wayTo(seen, { isOlder: true });
  for (const command of commands) {
    const [now, before] = [
      await seen.run(command, { env: newer.env }),
      await seen.run(command, { env: older.env }),
    ];
    expect([command, now]).toEqual([command, before]);
    expect(now.out).not.toContain("planted");
  }
  for (const call of newerCalls) expect(newer.calls).toContain(call);
  expect(newer.calls).not.toContain(listsCall);
  expect(older.calls).toContain(listsCall);
});
