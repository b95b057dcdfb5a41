import { readFileSync } from "node:fs";

/** Whether a test file starts programs or browsers. */
export const startsPrograms = (file: string): boolean => programs.test(readFileSync(file, "utf8"));

/**
 * Whether a test file needs a process that no other file had before it: it starts programs, or looks at what belongs to
 * the process, such as its memory, its threads or its environment. The others share theirs, and with it the loaded
 * sources: most of them take longer to load than to run.
 */
export const needsOwnProcess = (file: string): boolean =>
  startsPrograms(file) || ofTheProcess.test(readFileSync(file, "utf8"));

const programs =
  /child_process|\/(form|browser|file-browser|daemon|running-picket|run-command|own-network|postgres-server)\.ts"/;
const ofTheProcess = /\bprocess\.\w|globalThis|worker_threads|\/metering\.ts"|\bvi\.(spyOn|stub)/;
