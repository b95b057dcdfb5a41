import { once } from "node:events";
import { runAccept } from "#cli/management/audit-accept";
import { auditGrammar } from "#cli/management/audit-grammar";
import { runVerify } from "#cli/management/audit-verify";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import { readWords } from "#cli/grammar/read-words";
import { withService } from "#cli/management/with-service";

/** `picket audit`: the audit log of a service, kept and checked elsewhere. */
export async function runAudit(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(auditGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const [verb, ...files] = typed.words;
  const { after, head } = typed.values;
  if (verb !== "export" && after !== null) throw new UsageError("--after is for audit export");
  if (verb !== "verify" && head !== null) throw new UsageError("--head is for audit verify");
  switch (verb) {
    case "export":
      if (files.length > 0)
        throw new UsageError("audit export writes to standard output: use > FILE");
      return runExport(numberOf(after ?? "0", "--after"), io);
    case "verify":
      if (files.length === 0) throw new UsageError("audit verify takes a FILE");
      return runVerify(files, head, io);
    case "accept":
      if (files.length > 0) throw new UsageError("audit accept takes nothing more");
      return runAccept(io);
    default:
      throw new UsageError("audit takes export, verify FILE or accept");
  }
}

function numberOf(text: string, option: string): bigint {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${option} must be the number of an entry, not "${text}"`);
  return BigInt(text);
}

/** Page by page, at the pace of whoever reads it. */
const runExport = (first: bigint, io: Io): Promise<number> =>
  withService("audit", io, async (management) => {
    let after = first;
    do {
      const page = await management.audit.exportAuditLog({ after }, { signal: io.signal });
      const text = page.lines.map((line) => `${line}\n`).join("");
      if (!io.stdout.write(text)) await once(io.stdout, "drain");
      // A service that sends no further number would be asked without end.
      if (page.next <= after) return exitCodes.fine;
      after = page.next;
    } while (!io.signal.aborted);
    return exitCodes.failed;
  });
