import { setTimeout as wait } from "node:timers/promises";
import type { ResultStatus } from "#check/verdict";

/** What an agent would report of a monitor, as the scenario says. */
export interface ScriptedAgent extends AsyncDisposable {
  /** What the monitors are from now on. */
  become(monitors: readonly string[], status: ResultStatus): void;
  /** While it is cut off it checks on, and keeps what it sees. */
  cutOff: boolean;
  /** Settles when all that it saw until now has arrived. */
  flushed(): Promise<void>;
  /** Monitors of which the service has accepted a failure. */
  readonly failedSeen: ReadonlySet<string>;
}

export interface ScriptedPlace {
  /** Replicas, of which any answers. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly monitors: readonly string[];
  /** How often each monitor is checked. */
  readonly every: number;
}

interface KeptResult {
  readonly id: string;
  readonly monitorId: string;
  readonly slot: number;
  readonly status: ResultStatus;
}

const batchMax = 200;

/** Checks in name only, so that a thousand monitors fail in one second; what it reports goes the agents' way. */
export function scriptAgent({ urls, token, monitors, every }: ScriptedPlace): ScriptedAgent {
  const statuses = new Map<string, ResultStatus>(monitors.map((id) => [id, "success"]));
  const kept: KeptResult[] = [];
  const failedSeen = new Set<string>();
  const ending = new AbortController();
  let cutOff = false;
  let last = 0;
  const post = async (method: string, body: unknown): Promise<boolean> => {
    for (const url of urls)
      try {
        const response = await fetch(
          `${url}/rpc/private_location.v1.PrivateLocationService/${method}`,
          {
            method: "POST",
            headers: { "x-service-token": token, "content-type": "application/json" },
            body: JSON.stringify(body),
            signal: AbortSignal.timeout(10_000),
          },
        );
        await response.arrayBuffer();
        if (response.ok) return true;
      } catch {
        // It is away, or was killed in the middle: the next one, or the next round.
      }
    return false;
  };
  const check = (): void => {
    const slot = Math.max(last + 1_000, Math.floor(Date.now() / 1_000) * 1_000);
    last = slot;
    for (const [monitorId, status] of statuses)
      kept.push({ id: `${monitorId}-${slot}`, monitorId, slot, status });
  };
  const flush = async (): Promise<void> => {
    for (;;) {
      if (kept.length === 0 || cutOff || ending.signal.aborted) return;
      // As an agent does: what is new goes first.
      const some = kept.slice(-batchMax);
      if (!(await post("IngestBatch", { instanceId: "scripted", results: some.map(asResult) })))
        return;
      kept.splice(-some.length);
      for (const { monitorId, status } of some) if (status === "error") failedSeen.add(monitorId);
    }
  };
  const loop = (async () => {
    for (let round = 0; !ending.signal.aborted; round += 1) {
      const began = Date.now();
      check();
      if (!cutOff && round % 3 === 0) await post("Heartbeat", { instanceId: "scripted" });
      await flush();
      const pause = Math.max(50, every - (Date.now() - began));
      await wait(pause, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return {
    become: (some, status) => {
      for (const id of some) statuses.set(id, status);
    },
    get cutOff() {
      return cutOff;
    },
    set cutOff(is) {
      cutOff = is;
    },
    flushed: async () => {
      const until = last;
      while (kept.some(({ slot }) => slot <= until)) await wait(50);
    },
    failedSeen,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await loop;
    },
  };
}

const asResult = ({ id, monitorId, slot, status }: KeptResult): unknown => ({
  tcp: {
    id,
    monitorId,
    requestStatus: status,
    timestamp: String(slot),
    cronTimestamp: String(slot),
    latency: "20",
  },
  ...(status === "error" ? { detail: { failure } } : {}),
});
const failure = { code: "connection_refused", phase: "connect", message: "nothing listens there" };
