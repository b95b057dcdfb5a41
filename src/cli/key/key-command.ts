import { writeFileSync } from "node:fs";
import { showText } from "#base/text";
import { readSigningKey } from "#cli/apply/signing-key";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import { readWords } from "#cli/grammar/read-words";
import { keyGrammar } from "#cli/key/key-grammar";
import { monitorEntries } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import { namedOne } from "#cli/management/named-item";
import { CannotDo, withService } from "#cli/management/with-service";
import { whyUnusable } from "#machine/bounded-file";
import { parseMonitorSignature } from "#signing/monitor-signature";
import { statementOfDefinition } from "#signing/monitor-statement";
import { newSigningKey } from "#signing/private-key";
import { keyLine } from "#signing/public-key";
import { managedDefinition, managedIn } from "#wire/managed-monitor";

/** `picket key`: keys that monitors are signed by, and what was signed. */
export async function runKey(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(keyGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [verb, subject, ...more] = typed.words;
  if (subject === undefined || more.length > 0)
    throw new UsageError("key takes a verb and what it is about, e.g. new FILE");
  switch (verb) {
    case "new":
    case "show":
      return ofFile(verb, subject, typed.values.comment ?? "", io);
    case "statement":
    case "signature":
      return withService("key", io, (management) => showSigned(verb, subject, management, io));
    default:
      throw new UsageError("key takes new, show, statement or signature");
  }
}

function ofFile(verb: "new" | "show", file: string, comment: string, io: Io): number {
  try {
    const key = verb === "new" ? made(file, comment) : readSigningKey(file, io.env);
    io.stdout.write(`${keyLine(key.raw, comment)}\n`);
    return exitCodes.fine;
  } catch (error) {
    if (!(error instanceof CannotDo)) throw error;
    io.stderr.write(`picket key: ${showText(error.message)}\n`);
    return exitCodes.failed;
  }
}

/** A key that is there stays: monitors may be signed by it. */
function made(file: string, comment: string) {
  if (/[\r\n]/.test(comment)) throw new UsageError("--comment is one line");
  const { key, text } = newSigningKey(comment);
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new CannotDo(`${file} cannot be written (${whyUnusable(error)})`);
  }
  return key;
}

async function showSigned(
  what: "statement" | "signature",
  name: string,
  management: Management,
  io: Io,
): Promise<number> {
  const { id } = namedOne("monitor", name, await monitorEntries(management, io.signal));
  const { monitor } = await management.monitors.getMonitor({ id }, { signal: io.signal });
  const managed = monitor === undefined ? null : managedIn(monitor.config);
  if (managed === null) throw new CannotDo("the service is newer than this picket: upgrade it");
  const definition = managedDefinition(managed);
  if (definition.signature === "")
    throw new CannotDo(`the monitor "${name}" is not signed: use picket apply --sign`);
  const signature = parseMonitorSignature(definition.signature);
  if (!signature.ok) throw new CannotDo(`the signature of "${name}" ${signature.message}`);
  if (what === "statement") io.stdout.write(statementOfDefinition(definition, signature.value));
  else io.stdout.write(armored(definition.signature.split(".")[3] ?? ""));
  return exitCodes.fine;
}

const armored = (base64: string): string =>
  `-----BEGIN SSH SIGNATURE-----\n${(base64.match(/.{1,70}/g) ?? []).join("\n")}\n-----END SSH SIGNATURE-----\n`;
