import { parseDuration } from "#base/duration";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { shownInstant } from "#cli/management/instant";
import { locationEntries } from "#cli/management/inventory";
import { namedOne } from "#cli/management/named-item";
import { tokenGrammar } from "#cli/management/seeing-grammars";
import { withService } from "#cli/management/with-service";
import { UsageError } from "#cli/edge/usage-error";
import { showText } from "#base/text";

/** `picket token rotate`: another token for a location; it alone goes to stdout. */
export async function runToken(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(tokenGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [verb, name, ...more] = typed.words;
  if (verb !== "rotate" || name === undefined || more.length > 0)
    throw new UsageError("token takes rotate LOCATION");
  const overlap = overlapOf(typed.values.overlap);
  return withService("token", io, async (management) => {
    const all = await locationEntries(management, io.signal);
    const { id } = namedOne("location", name, all);
    const answer = await management.locations.rotatePrivateLocationToken(
      overlap === null ? { id } : { id, overlapSeconds: overlap },
      { signal: io.signal },
    );
    io.stderr.write(
      `The old token of "${showText(name)}" works until ${shownInstant(answer.oldTokenValidUntil)} UTC. Give its agents this one before:\n`,
    );
    io.stdout.write(`${showText(answer.token)}\n`);
    return exitCodes.fine;
  });
}

function overlapOf(text: string | null): bigint | null {
  if (text === null) return null;
  const duration = parseDuration(text);
  if (duration === null)
    throw new UsageError(`--overlap must be a duration such as 30m or 24h, not "${text}"`);
  return BigInt(Math.round(duration / 1000));
}
