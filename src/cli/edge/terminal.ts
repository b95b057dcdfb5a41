import type { Io } from "#cli/edge/io";

/** Where a command writes: a terminal of some size, or a stream that goes elsewhere. */
export interface Terminal {
  /** Null if the stream is no terminal, and a line may be as long as it is. */
  readonly columns: number | null;
  readonly rows: number;
  readonly colour: boolean;
}

/** A terminal that says nothing of its size is as wide as a card. */
export function terminalOf({ stdout, env, interactive }: Io): Terminal {
  const size = (name: "columns" | "rows", otherwise: number): number => {
    const given: unknown = Reflect.get(stdout, name);
    return typeof given === "number" && given > 0 ? given : otherwise;
  };
  return {
    columns: interactive ? size("columns", 80) : null,
    rows: size("rows", 24),
    colour: interactive && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
  };
}
