import { readFileSync } from "node:fs";

/** Whether a test file starts programs or browsers. */
export const startsPrograms = (file: string): boolean => programs.test(readFileSync(file, "utf8"));

/**
 * Whether a test file needs a process that no other file had before it: it measures the process, listens to its events,
 * counts its threads, or changes its environment or its modules. The others share theirs, and with it the loaded sources,
 * which take most files longer to load than to run. What a file starts in a process of its own changes nothing here.
 */
export const needsOwnProcess = (file: string): boolean =>
  ofTheProcess.test(readFileSync(file, "utf8"));

const programs =
  /child_process|\/(form|browser|file-browser|daemon|running-picket|run-command|two-processes|own-network|postgres-server)\.ts"/;
/** What a file says in a text, e.g. the name of a metric or a module for another process, is none of it. */
const ofTheProcess =
  /\bprocess\.((memory|cpu)Usage|on\(|off\(|env\S* = )|\bstartProcessFigures\(|^import .*"node:worker_threads"|\bvi\.(spyOn|stub)/m;
