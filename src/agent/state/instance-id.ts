import { thrownText } from "#base/text";
import { randomUUID } from "node:crypto";
import { keepText, keptText } from "#machine/kept-text";
import type { StateDirectory } from "#agent/state/state-directory";
import type { Logger } from "#base/log";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The agent's own name, made at its first start and kept in its state directory; null if none can be kept. */
export function keptInstanceId(state: StateDirectory, log: Logger): string | null {
  const file = state.file("instance");
  if (file === null) return null;
  try {
    const kept = keptText(file)?.trim() ?? "";
    if (uuid.test(kept)) return kept;
    const made = randomUUID();
    keepText(file, `${made}\n`);
    return made;
  } catch (error) {
    log.warn(
      "the agent's id cannot be saved: its host's name is used instead, unless PICKET_INSTANCE is set",
      {
        file,
        "error.message": thrownText(error),
      },
    );
    return null;
  }
}
