import { importGrammar } from "#cli/apply/apply-grammar";
import { importFile } from "#cli/apply/import-file";
import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import { type ObjectWord, objectWords, serviceWordOf } from "#cli/apply/object-words";
import { quote } from "#cli/apply/shown-plan";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { withService } from "#cli/management/with-service";
import { UsageError } from "#cli/edge/usage-error";
import { nearest } from "#base/nearest";

/** `picket import`: an object that is there becomes one of the files', or a file of another program one of ours. */
export async function runImport(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(importGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [kindWord, name, ...more] = words;
  if (kindWord === undefined || more.length > 0)
    throw new UsageError("import takes a KIND and a NAME, or a FILE");
  if (name === undefined) {
    if (isKind(kindWord)) throw new UsageError(`import ${kindWord} takes a NAME`);
    return importFile(kindWord, io);
  }
  const kind = importedKind(kindWord);
  const namesOwner = values.owner !== null || values.file.length > 0;
  if (values.release && (values.from === null || namesOwner))
    throw new UsageError("import --release takes --from OWNER, and no --owner or -f");
  return withService("import", io, async ({ configuration }) => {
    const owner = values.release ? "" : (values.owner ?? (await ownerOf(values.file, io)));
    if (owner === null) return exitCodes.failed;
    if (owner === "" && !values.release)
      throw new UsageError("import needs an owner: --owner NAME, or -f FILE with owner: NAME");
    const { id } = await configuration.importObject(
      { kind: serviceWordOf(kind), name, id: values.id ?? "", owner, fromOwner: values.from ?? "" },
      { signal: io.signal },
    );
    io.stdout.write(
      values.release
        ? `The ${kind} ${quote(name)} (id ${id}) belongs to no files now. Take it out of the files of ${quote(values.from ?? "")} before their next apply.\n`
        : `The ${kind} ${quote(name)} (id ${id}) belongs to ${quote(owner)} now. Write it in the files: picket export shows how.\n`,
    );
    return exitCodes.fine;
  });
}

const kindOf = (word: string): ObjectWord | undefined =>
  objectWords.find((one) =>
    [one, serviceWordOf(one), serviceWordOf(one).replaceAll("_", "-")].includes(word),
  );
const isKind = (word: string): boolean => kindOf(word) !== undefined;

function importedKind(word: string): ObjectWord {
  const kind = kindOf(word);
  if (kind !== undefined) return kind;
  const meant = nearest(word, objectWords);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`import knows ${objectWords.join(", ")}, not "${word}"${hint}`);
}

async function ownerOf(files: readonly string[], io: Io): Promise<string | null> {
  if (files.length === 0) return "";
  const read = await readConfigurationArgument(files, false, "Nothing was imported.", io);
  return read === null ? null : read.owner;
}
