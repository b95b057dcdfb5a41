import { once } from "node:events";
import path from "node:path";
import { expect, test } from "vitest";
import { type HeldNetworks, holdRouters } from "../support/held-networks.ts";
import { canRoute, pair, up } from "../support/routed-network.ts";
import { startPicketBehind } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { type AgentRun, watchAgent } from "./agent-run.ts";
import { tell } from "./figures.ts";
import { expectWhole, ledgerOf } from "./ledger.ts";
import { acceptedIn, populate } from "./scene.ts";
import { everyMonitorChecked, patience, type Shared, shared, shareOf } from "./shares.ts";

/** Three hosts behind two routers, which answer all that is asked. */
const target = `createHttpServer((request, response) => response.writeHead(204).end()).listen(80, "::", ready);`;
const hosts = ["10.0.2.9", "10.0.2.10", "10.0.2.11"];
/** "other" is a second machine at the first router. The first also has a separate line to the service. */
const machines: readonly string[] = [
  ...hosts.slice(1).map((host) => `ip -n target address add ${host}/24 dev eth0`),
  "ip netns add other; ip -n other link set lo up",
  pair("other", "eth0", "r1", "other"),
  up("other", "eth0", "10.0.4.2/24"),
  up("r1", "other", "10.0.4.1/24"),
  "ip -n other route add default via 10.0.4.1",
  "ip -n r2 route add 10.0.4.0/24 via 10.0.1.1",
  pair("agent", "eth1", "target", "eth1"),
  up("agent", "eth1", "10.0.9.2/24"),
  up("target", "eth1", "10.0.9.9/24"),
];

const impaired = "this agent's network is faulty: targets behind it are not checked";

test.skipIf(!canRoute())(
  "two agents share a location, and one is cut off from its targets: the other takes its share, until it can see again",
  async () => {
    const database = path.join(temporaryFolder(), "service.sqlite");
    const urls = Array.from({ length: 30 }, (_, n) => `http://${hosts[n % 3]}/${n}`);
    const { token, key, ids } = await populate(database, { urls, periodicity: "10s" });
    await using networks = await holdRouters({ target, breakIt: machines });
    const service = startPicketBehind(
      networks.within("target"),
      `service --database ${database} --listen 0.0.0.0:8787 --allow-http`.split(" "),
    );
    await service.said(/listens on/);
    const location = { networks, token, key };
    const cutOff = member(location, "agent", "http://10.0.9.9:8787");
    const steady = member(location, "other", "http://10.0.2.9:8787");
    const agents = [cutOff, steady];
    const scene: Shared = {
      monitors: ids.map((id) => ({ id, period: 10_000 })),
      accepted: () => acceptedIn(database),
    };
    for (const agent of agents) await agent.said(/assignment taken/);
    await shared(scene, agents);
    await everyMonitorChecked(scene, 0);
    const from = Date.now();
    await networks.order("ip -n r1 link set near down");
    await expect.poll(() => agents.map(shareOf), patience).toEqual([0, ids.length]);
    await everyMonitorChecked(scene, Date.now());
    expect(await statusOf(location)).toBe("active");
    await networks.order("ip -n r1 link set near up");
    await shared(scene, agents);
    await everyMonitorChecked(scene, Date.now());
    const to = Date.now();
    expect(await statusOf(location)).toBe("active");
    expect(new Set(await incidentsOf(location))).toEqual(new Set(["vantage lab, over"]));
    for (const agent of agents) expect(await agent.stop()).toBe(0);
    const accepted = scene.accepted();
    expect(accepted.filter(({ status }) => status !== "success")).toEqual([]);
    // On a busy machine an agent may have no verdict for its own pause besides.
    const faults = cutOff.all(impaired).filter(({ fields }) => fields["scope"] !== "machine");
    expect(faults.map(({ fields }) => fields["cause"])).toEqual([
      "eth0 has no carrier: its cable or switch is gone",
    ]);
    const ledger = ledgerOf(scene.monitors, agents, accepted, { from, to });
    const hidden = cutOff.all("missed").filter(({ fields }) => fields["reason"] === "vantage");
    tell(
      "2 agents, 30 monitors: one is cut off",
      ledger,
      `${hidden.length} checks of the one that was cut off were no verdict`,
    );
    expectWhole(ledger);
    expect(hidden.length).toBeGreaterThan(0);
  },
  600_000,
);

interface Location {
  readonly networks: HeldNetworks;
  readonly token: string;
  readonly key: string;
}

const member = ({ networks, token }: Location, network: string, url: string): AgentRun =>
  watchAgent(
    {
      PICKET_TOKEN: token,
      SERVICE_API_URL: url,
      PICKET_ALLOW_HTTP: "1",
      PICKET_INSTANCE: network,
      PICKET_LISTEN: "off",
      PICKET_LOG_LEVEL: "debug",
      PICKET_LOG_FORMAT: "json",
    },
    networks.within(network),
  );

/** What `picket` prints as JSON, a line each. */
async function asked(
  { networks, key }: Location,
  ...args: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const env = {
    SERVICE_API_URL: "http://10.0.2.9:8787",
    SERVICE_API_KEY: key,
    PICKET_ALLOW_HTTP: "1",
  };
  const picket = startPicketBehind(networks.within("other"), [...args, "--json"], env);
  await once(picket.child, "close");
  const lines = picket.output().split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

async function statusOf(location: Location): Promise<unknown> {
  const [lab] = await asked(location, "status", "lab");
  return lab?.["status"];
}

/** All that were ever opened, in words. */
async function incidentsOf(location: Location): Promise<readonly string[]> {
  const incidents = await asked(location, "incidents", "--all");
  return incidents.map(
    ({ kind, name, ended_at: end }) =>
      `${String(kind)} ${String(name)}, ${end === null ? "open" : "over"}`,
  );
}
