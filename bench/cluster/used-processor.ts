import { readdirSync, readFileSync } from "node:fs";
import { type Millis, millis } from "#base/units";

/** proc(5) counts a process's time in hundredths of a second. */
const hundredth = 10;

/** What a process and those that it has started have used, the ended ones included that it waited for. */
export function usedByTree(pid: number): Millis {
  const [own, ended] = usedBy(pid);
  const children = childrenOf(pid).reduce((sum, child) => sum + usedByTree(child), 0);
  return millis(own + ended + children);
}

/** What it has used itself, and what its children have that have ended; nothing of a process that is gone. */
function usedBy(pid: number): readonly [own: number, ended: number] {
  const fields = fieldsOf(pid);
  const at = (index: number): number => Number(fields[index] ?? 0) * hundredth;
  return [at(11) + at(12), at(13) + at(14)];
}

/** Behind the name, which may hold spaces and ends with the last bracket. */
function fieldsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "latin1")
        .split(" ")
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** How long all processors of the machine together have worked, and how long they had nothing to do. */
export function machineTime(): { readonly busy: Millis; readonly idle: Millis } {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n");
  const fields = line.split(/ +/).slice(1, 9).map(Number);
  const idle = (fields[3] ?? 0) + (fields[4] ?? 0);
  const all = fields.reduce((sum, one) => sum + one, 0);
  return { busy: millis((all - idle) * hundredth), idle: millis(idle * hundredth) };
}

/** What several processes have used since it began to count, by a name for each: they may be killed and started again. */
export class UsedProcessor {
  readonly #before = new Map<string, number>();
  readonly #lives = new Map<string, { readonly pid: number; readonly from: number }>();

  /** A process has a name from now on; what it used before does not count. */
  begin(name: string, pid: number): void {
    this.#lives.set(name, { pid, from: usedByTree(pid) });
  }

  /** Before a process is killed: its time is gone with it. */
  end(name: string): void {
    const life = this.#lives.get(name);
    if (life === undefined) return;
    this.#before.set(name, (this.#before.get(name) ?? 0) + usedByTree(life.pid) - life.from);
    this.#lives.delete(name);
  }

  /** Ends all, and gives what each used. */
  all(): ReadonlyMap<string, Millis> {
    for (const name of this.#lives.keys()) this.end(name);
    return new Map([...this.#before].map(([name, used]) => [name, millis(used)]));
  }
}
