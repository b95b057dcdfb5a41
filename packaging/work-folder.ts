import { mkdtempSync, rmSync } from "node:fs";

/** A folder to build or measure in. */
export interface WorkFolder extends Disposable {
  readonly path: string;
}

/** Makes a folder whose path begins with `prefix`; it is gone with the scope, and when the process has to end. */
export function workFolder(prefix: string): WorkFolder {
  const path = mkdtempSync(prefix);
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  const listeners = signals.map((signal) => {
    const onSignal = (): void => {
      remove();
      // Without a listener the signal ends the process as it would have.
      stopListening();
      process.kill(process.pid, signal);
    };
    process.on(signal, onSignal);
    return { signal, onSignal };
  });
  const stopListening = (): void => {
    for (const { signal, onSignal } of listeners) process.off(signal, onSignal);
  };
  return {
    path,
    [Symbol.dispose]: () => {
      stopListening();
      remove();
    },
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
