import { readdirSync, readFileSync } from "node:fs";
import { type Nanos, nanos } from "#base/units";

/**
 * The time that all threads of a process have spent on a processor, in user and system mode, from proc(5)'s schedstat:
 * /proc/PID/stat counts in hundredths of a second. A thread that has ended is not in it.
 */
export function processTime(pid: number): Nanos {
  const tasks = `/proc/${pid}/task`;
  return nanos(
    readdirSync(tasks).reduce((sum, task) => sum + threadTime(`${tasks}/${task}/schedstat`), 0),
  );
}

const threadTime = (file: string): number => Number(readFileSync(file, "latin1").split(" ")[0]);

/** What one thread has used, or several of one name. */
export interface ThreadTime {
  readonly user: Nanos;
  readonly system: Nanos;
  /** How often it slept and was woken. Other work on the machine does not change it. */
  readonly wakes: number;
}

/** The same by thread; helpers of one name count as one. The share of user mode is that of the hundredths. */
export function threadTimes(pid: number): ReadonlyMap<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const task of readdirSync(`/proc/${pid}/task`).map(Number)) {
    const folder = `/proc/${pid}/task/${task}`;
    // The name may hold spaces, and ends with the last bracket.
    const fields = readFileSync(`${folder}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    const user = Number(fields[11]);
    const system = Number(fields[12]);
    const used = threadTime(`${folder}/schedstat`);
    const share = user + system === 0 ? 1 : user / (user + system);
    const name = threadName(pid, task);
    const wakes = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(
      readFileSync(`${folder}/status`, "latin1"),
    );
    const known = times.get(name) ?? { user: nanos(0), system: nanos(0), wakes: 0 };
    times.set(name, {
      user: nanos(known.user + used * share),
      system: nanos(known.system + used * (1 - share)),
      wakes: known.wakes + Number(wakes?.[1]),
    });
  }
  return times;
}

/** As the runtime calls it, but for the main thread, which has the name of the program. */
export const threadName = (pid: number, task: number): string =>
  task === pid ? "main" : readFileSync(`/proc/${pid}/task/${task}/comm`, "latin1").trim();
