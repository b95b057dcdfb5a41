import { spread } from "#base/spread";
import {
  busyLoops,
  type Disturbance,
  fullDisk,
  type QuotaGroup,
  quotaGroup,
} from "./disturbances.ts";
import { type Targets, watchedCount, watchedKinds } from "./targets.ts";
import type { WatchedAgent } from "./watched-agent.ts";
import type { AssignedMonitor } from "./watched-service.ts";

/** One thing that happens beside the watched checks. */
export interface Condition {
  readonly name: string;
  readonly about: string;
  /** Monitors in addition to those that are watched. */
  readonly beside: readonly AssignedMonitor[];
  /** Whether the other tools are measured beside it, too. */
  readonly forTools: boolean;
  /** Begins it; null if this machine cannot make it. */
  begin(agent: WatchedAgent): Begun | null;
}

export interface Begun {
  readonly disturbance: Disturbance;
  /** Puts a tool into the same condition, e.g. a control group; null if nothing has to be done. */
  readonly group: QuotaGroup | null;
}

const nothing: Disturbance = { [Symbol.asyncDispose]: async () => {} };
const quiet = (): Begun => ({ disturbance: nothing, group: null });
const begun = (disturbance: Disturbance): Begun => ({ disturbance, group: null });

/** Every monitor of ten seconds is a tenth of a check a second; the watched ones are in the rate. */
const monitorsFor = (rate: number): number => rate * 10 - watchedCount * watchedKinds.length;
const silentCount = 200;
/** So many bodies of 10 MiB, one from each every 10 s, are 1 GiB in the end; a short run has fewer. */
const largeMonitors = (seconds: number): number => Math.min(40, Math.ceil(1024 / seconds));

export const watchedMonitors = (targets: Targets): readonly AssignedMonitor[] =>
  watchedKinds.flatMap((kind) =>
    Array.from({ length: watchedCount }, (_, n) => ({
      id: `${kind}-${n}`,
      definition: targets.watched(kind, n),
    })),
  );

/** Monitors that make up a rate with those that are watched, whatever else a condition has. */
export const crowdFor = (targets: Targets, rate: number): readonly AssignedMonitor[] =>
  Array.from({ length: Math.max(0, monitorsFor(rate)) }, (_, n) => ({
    id: `crowd-${n}`,
    definition: targets.neighbour(n),
  }));

/** `stateFolder` is that of the agent, on a small file system; null if it is on a large one. */
export function conditionsFor(
  targets: Targets,
  seconds: number,
  stateFolder: string | null,
): readonly Condition[] {
  const neighbours = (rate: number): readonly AssignedMonitor[] =>
    crowdFor(targets, rate).map((one, n) => ({ ...one, id: `neighbour-${n}` }));
  const large = Array.from({ length: largeMonitors(seconds) }, (_, n) => ({
    id: `large-${n}`,
    definition: targets.large(n),
  }));
  const one = (
    name: string,
    about: string,
    more: Partial<Omit<Condition, "name" | "about">> = {},
  ): Condition => ({ name, about, beside: [], forTools: false, begin: quiet, ...more });
  return [
    one("nothing", "the watched checks alone, 60 a second", { forTools: true }),
    one("100 checks/s", "of the same agent: 40 others, half of them HTTP and half TCP", {
      beside: neighbours(100),
    }),
    one("two busy loops", "programs that take a processor each, at the same priority", {
      forTools: true,
      begin: () => begun(busyLoops(2)),
    }),
    one("20 % of a processor", "a control group whose quota is 20 ms in 100 ms", {
      forTools: true,
      begin: inQuota,
    }),
    one("1 GiB of bodies", "responses of 10 MiB come in meanwhile", { beside: large }),
    one("a full disk", "no block is left on the file system of the state folder", {
      begin: () => (stateFolder === null ? null : begun(fullDisk(stateFolder))),
    }),
    one("the service away", "it is stopped, so that calls hang and results wait", {
      begin: (agent) => {
        agent.stopService();
        return begun({ [Symbol.asyncDispose]: async () => agent.continueService() });
      },
    }),
    one("200 time out at once", "targets that never answer; their timeouts end in one instant", {
      beside: silentMonitors(targets),
    }),
    // The last: an agent that is overloaded needs a while to catch up.
    one("1,000 checks/s", "the same with 940 others", { beside: neighbours(1_000) }),
  ];
}

function inQuota(agent: WatchedAgent): Begun | null {
  const group = quotaGroup(0.2);
  if (group === null) return null;
  group.join(agent.pid);
  return {
    group,
    disturbance: {
      [Symbol.asyncDispose]: async () => {
        group.leave(agent.pid);
        group[Symbol.dispose]();
      },
    },
  };
}

/**
 * Slots are hashed from ids: of these ids, slots lie on a whole second of the first three in ten, at which a check begins
 * whatever else is due. Their timeouts all end at the fourth.
 */
function silentMonitors(targets: Targets): readonly AssignedMonitor[] {
  const found: AssignedMonitor[] = [];
  for (let n = 0; found.length < silentCount; n += 1) {
    const offset = Math.floor(spread(`silent-${n}`) * 10_000);
    if (offset % 1_000 !== 0 || offset >= 3_000) continue;
    found.push({
      id: `silent-${n}`,
      definition: targets.silent(found.length, 4_000 - offset),
    });
  }
  return found;
}
