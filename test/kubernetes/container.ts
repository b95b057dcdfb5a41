import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { at } from "../deploy/manifests.ts";
import type { Cluster } from "./cluster.ts";
import type { Pod } from "./scene.ts";

/** The agent's container as its node sees it: a process, and files. */
export interface Container {
  /** A file of /proc/PID, as `status`. */
  told(file: string): Promise<string>;
  variables(): Promise<readonly string[]>;
  /** Sends a signal, as `STOP`. */
  signal(name: string): Promise<void>;
  /** How many bytes of memory it may have. */
  memoryLimit(): Promise<number>;
  /** How many results wait for the service, by the agent's own word. */
  waiting(): Promise<number>;
  /** The monitor and the slot of each result in the spool of an emptyDir; its process has to stand still. */
  spooled(): readonly string[];
}

export function containerOf(
  { engine, enclosure, kubeletFolder }: Cluster,
  { uid, address, containerId }: Pod,
): Container {
  const inspected = (what: string): Promise<string> =>
    engine.must("inspect", "--format", what, containerId);
  const told: Container["told"] = async (file) => {
    const pid = await inspected("{{.State.Pid}}");
    return readFileSync(`${enclosure.root}/proc/${pid}/${file}`, "utf8");
  };
  return {
    told,
    variables: async () => (await told("environ")).split("\0"),
    signal: async (name) =>
      void (await enclosure.run(["kill", `-${name}`, await inspected("{{.State.Pid}}")])),
    memoryLimit: async () => Number(await inspected("{{.HostConfig.Memory}}")),
    waiting: async () => {
      const { stdout } = await enclosure.run(["curl", "-s", `${address}:8686/status`]);
      return Number(at(JSON.parse(stdout), "reports", "waiting"));
    },
    spooled: () =>
      reportsIn(path.join(kubeletFolder, `pods/${uid}/volumes/kubernetes.io~empty-dir/state`)),
  };
}

/** Read from a copy: the agent keeps the file for itself. */
function reportsIn(state: string): readonly string[] {
  const copy = mkdtempSync(path.join(tmpdir(), "picket-spool-"));
  try {
    for (const name of ["spool.sqlite", "spool.sqlite-wal"])
      if (existsSync(path.join(state, name)))
        copyFileSync(path.join(state, name), path.join(copy, name));
    using spool = new DatabaseSync(path.join(copy, "spool.sqlite"));
    const rows = spool.prepare("SELECT monitor_id, slot FROM reports").all();
    return rows.map((row) => `${String(row["monitor_id"])} ${String(row["slot"])}`);
  } finally {
    rmSync(copy, { recursive: true });
  }
}
