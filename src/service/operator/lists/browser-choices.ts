import type { IncomingMessage } from "node:http";
import type { EpochMillis } from "#base/units";
import { undoClosedIn } from "#service/operator/deleting/undo-closing";
import { type ListView, listViewIn } from "#service/operator/lists/list-view";
import { type Theme, themeIn } from "#service/operator/settings/theme";

/** What a person chose in their browser, which keeps it. */
export interface BrowserChoices {
  readonly theme: Theme | null;
  /** How high the lines of the overview are; null if that was never chosen. */
  readonly listView?: ListView | null;
  /** When the newest deletion was whose notice they closed. */
  readonly undoClosedAt?: EpochMillis;
}

export const choicesIn = (request: IncomingMessage): BrowserChoices => ({
  theme: themeIn(request),
  listView: listViewIn(request),
  undoClosedAt: undoClosedIn(request),
});
