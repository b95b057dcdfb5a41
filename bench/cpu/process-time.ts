import { readdirSync, readFileSync } from "node:fs";
import { type Nanos, nanos } from "#units";

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
