import { confirms } from "#cli/edge/confirm";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { locationEntries, monitorEntries } from "#cli/management/inventory";
import { listAll, type Management } from "#cli/management/management";
import { namedOne } from "#cli/management/named-item";
import { type DeletableKind, deletableKinds, deleteGrammar } from "#cli/management/seeing-grammars";
import { withService } from "#cli/management/with-service";
import { UsageError } from "#cli/edge/usage-error";
import { nearest } from "#base/nearest";
import { counted, showText } from "#base/text";

/** `picket delete`: an object of the service goes, with what is kept of it, once a person has said yes. */
export async function runDelete(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(deleteGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [kindWord, name, ...more] = typed.words;
  if (kindWord === undefined || name === undefined || more.length > 0)
    throw new UsageError("delete takes a KIND and a NAME");
  const kind = kindOf(kindWord);
  return withService("delete", io, async (management) => {
    const doomed = await deletable[kind](name, management, io.signal);
    if (!typed.values.yes && !(await confirms(`Delete ${doomed.what}${doomed.with}?`, io))) {
      io.stderr.write("Nothing was deleted.\n");
      return exitCodes.failed;
    }
    await doomed.go();
    io.stdout.write(`Deleted ${doomed.what}.\n`);
    return exitCodes.fine;
  });
}

function kindOf(word: string): DeletableKind {
  const kind = deletableKinds.find((one) => one === word);
  if (kind !== undefined) return kind;
  const meant = nearest(word, deletableKinds);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`delete knows ${deletableKinds.join(", ")}, not "${word}"${hint}`);
}

interface Deletion {
  readonly what: string;
  /** What goes too, as the end of a question. */
  readonly with: string;
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
      with: ", with all its results",
      go: () => management.monitors.deleteMonitor({ id: found.id }, { signal }),
    };
  },
  location: async (name, management, signal) => {
    const found = namedOne("location", name, await locationEntries(management, signal));
    return {
      what: `the private location "${showText(found.name)}", which runs ${counted(found.monitorCount, "monitor")}`,
      with: ", with all its results",
      go: () => management.locations.deletePrivateLocation({ id: found.id }, { signal }),
    };
  },
  notification: async (name, { notifications }, signal) => {
    const all = await listAll(async (page) => {
      const answer = await notifications.listNotifications(page, { signal });
      return { items: answer.notifications, totalSize: answer.totalSize };
    });
    const found = namedOne("notification", name, all, "picket export notification");
    return {
      what: `the notification channel "${showText(found.name)}"`,
      with: "",
      go: () => notifications.deleteNotification({ id: found.id }, { signal }),
    };
  },
  page: async (slug, { statusPages }, signal) => {
    const all = await listAll(async (page) => {
      const answer = await statusPages.listStatusPages(page, { signal });
      return { items: answer.statusPages, totalSize: answer.totalSize };
    });
    const pages = all.map(({ id, slug: name, title }) => ({ id, name, title }));
    const found = namedOne("status page", slug, pages, "picket status-pages");
    return {
      what: `the status page "${showText(found.name)}" (${showText(found.title)})`,
      with: ", with its reports and maintenances",
      go: () => statusPages.deleteStatusPage({ id: found.id }, { signal }),
    };
  },
  maintenance: async (name, { maintenances }, signal) => {
    const all = await listAll(async (page) => {
      const answer = await maintenances.listMaintenances(page, { signal });
      return { items: answer.maintenances, totalSize: answer.totalSize };
    });
    const titled = all.map(({ id, title, from }) => ({ id, name: title, from }));
    const found = namedOne("maintenance", name, titled, "picket export maintenance");
    return {
      what: `the maintenance "${showText(found.name)}" from ${showText(found.from)}`,
      with: "",
      go: () => maintenances.deleteMaintenance({ id: found.id }, { signal }),
    };
  },
};
