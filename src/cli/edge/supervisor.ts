import type * as Ffi from "node:ffi";
import { closeSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import type { Clock } from "#base/clock";
import * as limits from "#limits/cli-limits";
import type { Logger } from "#base/log";
import { showText } from "#base/text";
import { millis, type Millis } from "#base/units";

/** What started this process and wants to know how it is: systemd, by the datagrams of sd_notify(3). */
export interface Supervisor {
  /** It restarts us when it hears nothing for so long; null if it does not watch. */
  readonly watchdog: Millis | null;
  /** Sends assignments such as `READY=1`; what cannot be sent is lost, as the protocol wants it. */
  tell(...assignments: readonly string[]): void;
}

export const noSupervisor: Supervisor = { watchdog: null, tell: () => {} };

/** The one that the environment names; none if it names none, or where node:ffi or the C library is missing. */
export function openSupervisor(
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Supervisor {
  const { NOTIFY_SOCKET: socket = "" } = env;
  if (socket === "") return noSupervisor;
  try {
    const send = datagramsTo(socket);
    return { watchdog: watchdogOf(env), tell: (...assignments) => send(assignments.join("\n")) };
  } catch (error) {
    log.warn(
      "cannot notify systemd: set Type=exec in the unit, or systemd will kill Picket as failed to start",
      { error: String(error) },
    );
    return noSupervisor;
  }
}

/**
 * Gives what says how far a start is. systemd waits on from each word, and kills one that says nothing more; a step may
 * take longer than that, so the newest word is said again until `started` aborts.
 */
export function tellStart(
  manager: Supervisor,
  clock: Clock,
  started: AbortSignal,
): (line: string) => void {
  const micros = limits.supervisorStartRest * 1000;
  let newest = "starts";
  const tell = (line: string): void => {
    newest = line;
    manager.tell(`STATUS=${showText(line)}`, `EXTEND_TIMEOUT_USEC=${micros}`);
  };
  const repeat = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(limits.supervisorStartSaidEvery, started);
      if (started.aborted) return;
      tell(newest);
    }
  };
  tell(newest);
  void repeat();
  return tell;
}

/** How a daemon does, at the moment. */
export interface Signs {
  /** Whether it works, so that a restart would only cost time. */
  readonly alive: boolean;
  /** One line for a person. */
  readonly line: string;
}

/**
 * Says that a daemon runs, how it does, and that it lives, until `ended` aborts. The watchdog goes unfed, and so has the
 * daemon restarted, when its signs say that it is stuck; when this thread is, nothing feeds it.
 */
export async function tellSupervisor(
  { manager, signs, drainTimeout, clock }: Supervision,
  stopping: AbortSignal,
  ended: AbortSignal,
): Promise<void> {
  const status = (): string => `STATUS=${signs().line}`;
  manager.tell("READY=1", status());
  const onStop = (): void => manager.tell("STOPPING=1", status(), stopTimeOf(drainTimeout));
  stopping.addEventListener("abort", onStop, { once: true });
  // systemd advises half of its patience; a third leaves room for one that comes late.
  const every = millis(Math.min(limits.supervisorStatusEvery, (manager.watchdog ?? Infinity) / 3));
  while (!ended.aborted) {
    manager.tell(status(), ...(signs().alive ? ["WATCHDOG=1"] : []));
    await clock.sleep(every, ended);
  }
  stopping.removeEventListener("abort", onStop);
}

interface Supervision {
  readonly manager: Supervisor;
  readonly signs: () => Signs;
  /** How long a stop may take. */
  readonly drainTimeout: Millis;
  readonly clock: Clock;
}

/** How long a stop may take; systemd waits for its TimeoutStopSec= all the same where that is longer. */
function stopTimeOf(drainTimeout: Millis): string {
  const micros = (drainTimeout + limits.supervisorStopRest) * 1000;
  return `EXTEND_TIMEOUT_USEC=${micros}`;
}

/** The watchdog may be meant for another process, whose environment we have inherited. */
function watchdogOf(env: Readonly<Record<string, string | undefined>>): Millis | null {
  const { WATCHDOG_USEC: micros = "", WATCHDOG_PID: pid = "" } = env;
  if (pid !== "" && pid !== String(process.pid)) return null;
  return /^[1-9]\d*$/.test(micros) ? millis(Number(micros) / 1000) : null;
}

// unix(7) and socket(2), the same on x64 and arm64.
const unix = 1;
const datagramCloseOnExecNonBlocking = 0o2004002;
const unixPathBytesMax = 108;

/** node has no datagrams of the unix kind: the C library opens the socket, a plain write(2) sends. */
function datagramsTo(socket: string): (text: string) => void {
  const address = unixAddress(socket);
  // Loaded only here: node:ffi does not exist in other runtimes, and is announced as experimental if it does.
  const ffi: typeof Ffi = createRequire(import.meta.url)("node:ffi");
  const { functions } = ffi.dlopen("libc.so.6", {
    socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
    connect: { arguments: ["i32", "pointer", "u32"], return: "i32" },
  });
  return (text) => {
    // Opened anew each time: a manager that was itself started again listens on another socket of the same name.
    const fd = functions.socket(unix, datagramCloseOnExecNonBlocking, 0);
    if (fd < 0) return;
    try {
      if (functions.connect(fd, address, address.length) === 0) writeSync(fd, text);
    } catch {
      // The manager is away or its queue is full: the next round notifies it.
    } finally {
      closeSync(fd);
    }
  };
}

/** struct sockaddr_un; a name that begins with `@` lies in the abstract namespace. */
function unixAddress(socket: string): Buffer {
  const name = Buffer.from(socket.startsWith("@") ? `\0${socket.slice(1)}` : `${socket}\0`);
  if (!/^[@/]/.test(socket) || name.length > unixPathBytesMax)
    throw new RangeError("NOTIFY_SOCKET is not the path of a socket");
  const family = Buffer.alloc(2);
  family.writeUInt16LE(unix);
  return Buffer.concat([family, name]);
}
