import { confirms } from "#cli/confirm";
import { exitCodes } from "#cli/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/io";
import { locationEntries, monitorEntries } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import { namedOne } from "#cli/management/named-item";
import { deleteGrammar } from "#cli/management/seeing-grammars";
import { withService } from "#cli/management/with-service";
import { UsageError } from "#cli/usage-error";
import { nearest } from "#nearest";
import { counted, showText } from "#text";

/** `picket delete`: a monitor or a location goes, with its results, once a person has said yes. */
export async function runDelete(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(deleteGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [kindWord, name, ...more] = typed.words;
  if (kindWord === undefined || name === undefined || more.length > 0)
    throw new UsageError("delete takes a KIND and a NAME");
  const kind = kindOf(kindWord);
  return withService("delete", io, async (management) => {
    const doomed = await deletable[kind](name, management, io.signal);
    if (
      !typed.values.yes &&
      !(await confirms(`Delete ${doomed.what}, with all its results?`, io))
    ) {
      io.stderr.write("Nothing was deleted.\n");
      return exitCodes.failed;
    }
    await doomed.go();
    io.stdout.write(`Deleted ${doomed.what}.\n`);
    return exitCodes.fine;
  });
}

type DeletableKind = "monitor" | "location";

function kindOf(word: string): DeletableKind {
  if (word === "monitor" || word === "location") return word;
  const meant = nearest(word, ["monitor", "location"]);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`delete knows monitor and location, not "${word}"${hint}`);
}

interface Deletion {
  readonly what: string;
  readonly go: () => Promise<unknown>;
}

const deletable: {
  readonly [K in DeletableKind]: (
    name: string,
    management: Management,
    signal: AbortSignal,
  ) => Promise<Deletion>;
} = {
  monitor: async (name, management, signal) => {
    const found = namedOne("monitor", name, await monitorEntries(management, signal));
    return {
      what: `the ${found.kind} monitor "${showText(found.name)}" (${showText(found.target)})`,
      go: () => management.monitors.deleteMonitor({ id: found.id }, { signal }),
    };
  },
  location: async (name, management, signal) => {
    const found = namedOne("location", name, await locationEntries(management, signal));
    return {
      what: `the private location "${showText(found.name)}", which runs ${counted(found.monitorCount, "monitor")}`,
      go: () => management.locations.deletePrivateLocation({ id: found.id }, { signal }),
    };
  },
};
