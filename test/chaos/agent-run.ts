import { once } from "node:events";
import { type RunningPicket, startPicketBehind } from "../support/running-picket.ts";
import type { Span } from "./span.ts";

/** A line of the agent's log, and when it reached us by our own clock, whatever the agent's clock says. */
export interface Line {
  readonly at: number;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One life of an agent process. */
export interface AgentRun extends RunningPicket {
  readonly lines: readonly Line[];
  /** From when it knew its monitors until it ended; null when it never did. */
  readonly span: Span | null;
  /** Lines with this message. */
  all(message: string): readonly Line[];
}

/** Starts `picket agent`, behind a command that says where it runs, and takes down what it says. */
export function watchAgent(
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
): AgentRun {
  const lines: Line[] = [];
  let rest = "";
  let ended: { readonly at: number; readonly killed: boolean } | null = null;
  const running = startPicketBehind(before, ["agent"], env, (text) => {
    const whole = `${rest}${text}`.split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) if (line.startsWith("{")) lines.push(lineOf(line));
  });
  void once(running.child, "exit").then(([, signal]: unknown[]) => {
    ended = { at: Date.now(), killed: signal === "SIGKILL" };
  });
  return {
    ...running,
    lines,
    get span() {
      const known = lines.find(({ message }) => message.startsWith("assignment "));
      if (known === undefined) return null;
      return { from: known.at, to: ended?.at ?? Infinity, killed: ended?.killed ?? false };
    },
    all: (message) => lines.filter((line) => line.message === message),
  };
}

function lineOf(text: string): Line {
  const { message, ...fields }: Record<string, unknown> = JSON.parse(text);
  return { at: Date.now(), message: String(message), fields };
}
