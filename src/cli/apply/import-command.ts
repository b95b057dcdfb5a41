import { importGrammar } from "#cli/apply/apply-grammar";
import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import { quote } from "#cli/apply/shown-plan";
import { exitCodes } from "#cli/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/io";
import { withService } from "#cli/management/with-service";
import { UsageError } from "#cli/usage-error";
import { nearest } from "#nearest";

/** The words for what may be imported, and what the service calls it. */
const importedKinds = [
  "http",
  "tcp",
  "dns",
  "location",
  "notification",
  "page",
  "maintenance",
] as const;
type ImportedKind = (typeof importedKinds)[number];

const kindOf: { readonly [K in ImportedKind]: string } = {
  http: "http_monitor",
  tcp: "tcp_monitor",
  dns: "dns_monitor",
  location: "private_location",
  notification: "notification",
  page: "status_page",
  maintenance: "maintenance",
};

/** `picket import`: an object that is there becomes one of the files'. */
export async function runImport(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(importGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [kindWord, name, ...more] = words;
  if (kindWord === undefined || name === undefined || more.length > 0)
    throw new UsageError("import takes a KIND and a NAME");
  const kind = importedKind(kindWord);
  return withService("import", io, async ({ configuration }) => {
    const owner = values.owner ?? (await ownerOf(values.file, io));
    if (owner === null) return exitCodes.failed;
    if (owner === "")
      throw new UsageError("import needs an owner: --owner NAME, or -f FILE with owner: NAME");
    const { id } = await configuration.importObject(
      { kind: kindOf[kind], name, id: values.id ?? "", owner, fromOwner: values.from ?? "" },
      { signal: io.signal },
    );
    io.stdout.write(
      `The ${kind} ${quote(name)} (id ${id}) belongs to ${quote(owner)} now. Write it in the files: picket export shows how.\n`,
    );
    return exitCodes.fine;
  });
}

function importedKind(word: string): ImportedKind {
  const kind = importedKinds.find((one) =>
    [one, kindOf[one], kindOf[one].replaceAll("_", "-")].includes(word),
  );
  if (kind !== undefined) return kind;
  const meant = nearest(word, importedKinds);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`import knows ${importedKinds.join(", ")}, not "${word}"${hint}`);
}

async function ownerOf(files: readonly string[], io: Io): Promise<string | null> {
  if (files.length === 0) return "";
  const read = await readConfigurationArgument(files, false, "Nothing was imported.", io);
  return read === null ? null : read.owner;
}
