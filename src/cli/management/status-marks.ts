import type { Colour } from "#cli/edge/coloured";
import type { MonitorStatus } from "#check/monitor-status";

/** The sign and the colour of each status of a monitor, and of one that is not active. */
export const statusMarks: {
  readonly [S in MonitorStatus | "inactive"]: { readonly mark: string; readonly colour: Colour };
} = {
  error: { mark: "✗", colour: "red" },
  degraded: { mark: "!", colour: "yellow" },
  unknown: { mark: "?", colour: "magenta" },
  active: { mark: "✓", colour: "green" },
  inactive: { mark: "–", colour: "dim" },
};
