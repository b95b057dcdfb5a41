import { beginNotices } from "#service/operator/planned/begin-moves";
import { endNotices } from "#service/operator/planned/end-moves";
import { extensionNotices } from "#service/operator/planned/extensions";
import { silenceNotices } from "#service/operator/silence-form";

/** What the list and the page of one say after a form. */
export const workNotices: Readonly<Record<string, string>> = {
  ...silenceNotices,
  ...extensionNotices,
  ...endNotices,
  ...beginNotices,
  planned: "Planned: nothing opens an incident in its window.",
  "under-way":
    "Under way: nothing opens an incident until it ends. What was down before now stays downtime.",
  changed: "Saved.",
};
