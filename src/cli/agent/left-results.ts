import { thrownText } from "#base/text";
import { existsSync } from "node:fs";
import type { Clock } from "#base/clock";
import * as agentLimits from "#limits/agent-limits";
import * as spoolLimits from "#limits/spool-limits";
import type { Logger } from "#base/log";
import { removeDatabase } from "#agent/spool/set-aside";
import type { Spool, SpoolLimits } from "#agent/spool/spool";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import type { StateDirectory } from "#agent/state/state-directory";

interface LeftResultsTools {
  readonly state: StateDirectory;
  /** The agent's own, which what was left goes into. */
  readonly spool: Spool;
  readonly spoolLimits: SpoolLimits;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Until it is disposed, takes over the results of agents that used the same state directory and have ended. */
export function takeOverLeftResults(tools: LeftResultsTools): AsyncDisposable {
  const over = new AbortController();
  const looking = lookAlways(tools, over.signal);
  return {
    [Symbol.asyncDispose]: () => {
      over.abort();
      return looking;
    },
  };
}

async function lookAlways(tools: LeftResultsTools, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const pause =
      takeSome(tools) > 0 ? spoolLimits.spoolSaveEvery : agentLimits.leftResultsLookEvery;
    await tools.clock.sleep(pause, over);
  }
}

/** Moves so many results as go in one turn; how many that were. A file that cannot be read now is tried again. */
function takeSome(tools: LeftResultsTools): number {
  if (!tools.spool.durable) return 0;
  let taken = 0;
  try {
    for (const left of tools.state.left()) {
      using place = left;
      const file = place.file("spool.sqlite");
      if (file !== null && existsSync(file)) taken += takeFrom(file, tools);
    }
  } catch (error) {
    tools.log.warn("results of an agent that ended cannot be taken over now", {
      "error.message": thrownText(error),
    });
  }
  return taken;
}

/** What is moved is durable here before it goes there, and an id counts once: nothing is lost or doubled by a kill. */
function takeFrom(file: string, { spool, spoolLimits, clock, log }: LeftResultsTools): number {
  const left = new SqliteSpool({ file, limits: spoolLimits, clock, log });
  const ids: string[] = [];
  for (const monitorId of left.waiting.keys())
    for (const report of left.oldestOf(monitorId, agentLimits.leftResultsAtOnce - ids.length)) {
      spool.add(report);
      ids.push(report.id);
    }
  spool.save();
  if (spool.durable) left.settle(ids);
  left[Symbol.dispose]();
  if (left.size > 0) return ids.length;
  removeDatabase(file);
  if (ids.length > 0)
    log.info("the results of an agent that ended are taken over", { file, results: ids.length });
  return ids.length;
}
