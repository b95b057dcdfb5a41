import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { connectManagement, type Management } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { closedPort } from "../../servers/scripted.ts";
import { type RunningPicket, startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

/** A service and an agent at its location "office", each a process that can be stopped and started again. */
export interface TwoProcesses {
  /** Where the agent keeps what outlives it. */
  readonly state: string;
  /** Runs already. */
  readonly service: RunningPicket;
  readonly management: Management;
  /** The key and the token, for who looks for secrets. */
  readonly key: string;
  readonly url: string;
  readonly token: string;
  readonly startTheService: () => RunningPicket;
  readonly startTheAgent: (more?: Readonly<Record<string, string>>) => RunningPicket;
}

/** Starts the service and applies a monitors file; the agent asks for changes once in `pollInterval`. */
export async function openTwoProcesses(
  monitors: string,
  { pollInterval }: { readonly pollInterval: string },
): Promise<TwoProcesses> {
  const folder = temporaryFolder();
  const state = path.join(folder, "state");
  const host = `127.0.0.1:${await closedPort()}`;
  const url = `http://${host}`;
  const database = path.join(folder, "service.sqlite");
  const startTheService = (): RunningPicket =>
    startPicket(["service", "--database", database, "--listen", host]);
  const service = startTheService();
  const [key = ""] = await service.said(/pkt_key_[\w-]{43}/);
  const file = path.join(folder, "monitors.yaml");
  writeFileSync(file, monitors);
  const apply = startPicket(["apply", "-f", file, "--location", "office"], {
    SERVICE_API_URL: url,
    SERVICE_API_KEY: key,
  });
  const [token = ""] = await apply.said(/pkt_loc_[\w-]{43}/);
  await once(apply.child, "exit");
  return {
    state,
    service,
    management: connectManagement(url, key, directWay()),
    key,
    url,
    token,
    startTheService,
    startTheAgent: (more = {}) =>
      startPicket(["agent"], {
        PICKET_TOKEN: token,
        PICKET_STATE_DIR: state,
        SERVICE_API_URL: url,
        PICKET_LOG_LEVEL: "debug",
        PICKET_POLL_INTERVAL: pollInterval,
        PICKET_LISTEN: "127.0.0.1:0",
        ...more,
      }),
  };
}

/** How many results the service has of the first monitor. */
export async function resultsOf({ management }: TwoProcesses): Promise<number> {
  const { monitors } = await management.monitors.summarizeResults({});
  return Number(monitors[0]?.total ?? 0n);
}
