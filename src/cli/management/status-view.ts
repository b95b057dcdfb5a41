import type { Io } from "#cli/edge/io";
import type { Inventory } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import type { Terminal } from "#cli/edge/terminal";
import type { Clock } from "#base/clock";

/** What `picket status` shows at one moment. */
export interface StatusView {
  readonly lines: readonly string[];
  /** The same for a program. */
  readonly json: readonly object[];
  readonly code: number;
}

/** What a view is made with. */
export interface ViewTools {
  readonly management: Management;
  readonly inventory: Inventory;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly signal: Io["signal"];
}
