import { Code, ConnectError } from "@connectrpc/connect";
import { importGrammar } from "#cli/apply/apply-grammar";
import { importFile } from "#cli/apply/import-file";
import {
  type ImportedObject,
  importedKind,
  importedObjects,
  isKind,
  wordOf,
} from "#cli/apply/imported-objects";
import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import { quote } from "#cli/apply/shown-plan";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import type { Management } from "#cli/management/management";
import { withService } from "#cli/management/with-service";
import { UsageError } from "#cli/edge/usage-error";
import { showText } from "#base/text";

type ImportLine = NonNullable<ReturnType<typeof readWords<typeof importGrammar.options>>>;

/** `picket import`: objects that are there become those of files, or of people; or a file of another program one of ours. */
export async function runImport(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(importGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [kindWord, ...names] = words;
  if (!values.all && kindWord === undefined)
    throw new UsageError("import takes a KIND and one or more NAMES, or a FILE");
  if (!values.all && kindWord !== undefined && names.length === 0) {
    if (isKind(kindWord)) throw new UsageError(`import ${kindWord} takes a NAME`);
    return importFile(kindWord, io);
  }
  refuseMixed(typed);
  const kind = kindWord === undefined ? null : importedKind(kindWord);
  return withService("import", io, async (management) => {
    const owner = values.release ? "" : (values.owner ?? (await ownerOf(values.file, io)));
    if (owner === null) return exitCodes.failed;
    if (owner === "" && !values.release)
      throw new UsageError("import needs an owner: --owner NAME, or -f FILE with owner: NAME");
    const from = { id: values.id ?? "", fromOwner: values.from ?? "" };
    const objects = await importedObjects(management, { kind, names, ...from }, io.signal);
    return importEach(management, objects, { ...from, owner }, io);
  });
}

/** Options that say two things at once. */
function refuseMixed({ values, words }: ImportLine): void {
  const namesOwner = values.owner !== null || values.file.length > 0;
  if (values.release && (values.from === null || namesOwner))
    throw new UsageError("import --release takes --from OWNER, and no --owner or -f");
  if (values.all && (values.from === null || words.length > 1))
    throw new UsageError("import --all takes --from OWNER, and no NAME");
  if (values.id !== null && words.length > 2)
    throw new UsageError("import --id takes one NAME: the id is of one object");
}

interface Taking {
  readonly id: string;
  readonly fromOwner: string;
  /** Empty: they are released. */
  readonly owner: string;
}

/** One after the other. What the service refuses is said, and the others are still done. */
async function importEach(
  { configuration }: Pick<Management, "configuration">,
  objects: readonly ImportedObject[],
  taking: Taking,
  io: Io,
): Promise<number> {
  let code: number = exitCodes.fine;
  let done = 0;
  for (const object of objects) {
    try {
      const { id } = await configuration.importObject(
        { ...object, ...taking },
        { signal: io.signal },
      );
      const whose =
        taking.owner === "" ? "belongs to no files now" : `belongs to ${quote(taking.owner)} now`;
      io.stdout.write(`The ${wordOf(object.kind)} ${quote(object.name)} (id ${id}) ${whose}.\n`);
      done += 1;
    } catch (error) {
      if (objects.length === 1 || !isOfOneObject(error)) throw error;
      io.stderr.write(`picket import: ${showText(error.rawMessage)}\n`);
      code = exitCodes.failed;
    }
  }
  if (done > 0) io.stdout.write(`${nextStep(taking, done)}\n`);
  return code;
}

const nextStep = ({ owner, fromOwner }: Taking, count: number): string => {
  const it = count === 1 ? "it" : "them";
  return owner === ""
    ? `Take ${it} out of the files of ${quote(fromOwner)} before their next apply.`
    : `Write ${it} in the files: picket export shows how.`;
};

/** Whether the next object may be taken although this one was not. */
const isOfOneObject = (error: unknown): error is ConnectError =>
  error instanceof ConnectError &&
  [Code.NotFound, Code.FailedPrecondition, Code.Aborted].includes(error.code);

async function ownerOf(files: readonly string[], io: Io): Promise<string | null> {
  if (files.length === 0) return "";
  const read = await readConfigurationArgument(files, false, "Nothing was imported.", io);
  return read === null ? null : read.owner;
}
