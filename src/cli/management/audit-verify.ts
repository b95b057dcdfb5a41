import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { AuditChain } from "#cli/management/audit-chain";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import { showText } from "#base/text";
import { whyUnusable } from "#machine/bounded-file";

interface KnownHead {
  readonly number: number;
  readonly head: string;
}

/** `picket audit verify`: needs no service, so that it is no word of the service. */
export async function runVerify(
  files: readonly string[],
  known: string | null,
  io: Io,
): Promise<number> {
  const head = known === null ? null : headIn(known);
  const chain = new AuditChain();
  const seen = { head: false };
  for (const file of files) {
    const wrong = await wrongIn(file, io, (line) => {
      const fault = chain.take(line) ?? differs(chain, head);
      seen.head ||= chain.newest?.number === head?.number;
      return fault;
    });
    if (wrong !== null) return failed(io, wrong);
  }
  const { first, newest } = chain;
  if (first === null || newest === null) return failed(io, "there is no entry in it");
  if (head !== null && !seen.head)
    return failed(
      io,
      `entry ${head.number}, which an agent knows, is not in it: it has ${first.number} to ${newest.number}`,
    );
  const end = newest.chain === "" ? "none yet" : `${newest.number}:${newest.chain}`;
  io.stdout.write(
    `Entries ${first.number} to ${newest.number} are whole and in order.\nHead: ${end}\n`,
  );
  return exitCodes.fine;
}

function headIn(text: string): KnownHead {
  const [, number, head] = /^(\d{1,15}):([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (head === undefined)
    throw new UsageError("--head must be NUMBER:HEAD, e.g. of audit_log in the agent's /status");
  return { number: Number(number), head };
}

const differs = ({ newest }: AuditChain, known: KnownHead | null): string | null =>
  known !== null && newest?.number === known.number && newest.chain !== known.head
    ? `the log up to entry ${known.number} is not the one that the agent knows: entries were replaced`
    : null;

/** The first line that is wrong, and how; null if none is. */
async function wrongIn(
  file: string,
  io: Io,
  take: (line: string) => string | null,
): Promise<string | null> {
  const name = file === "-" ? "standard input" : file;
  try {
    await using handle = file === "-" ? null : await open(file);
    const input = handle === null ? io.stdin : handle.createReadStream({ autoClose: false });
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const wrong = line === "" ? null : take(line);
      if (wrong !== null) return `line ${number} of ${name}: ${wrong}`;
    }
    return null;
  } catch (error) {
    return `${name} cannot be read: ${whyUnusable(error)}`;
  }
}

function failed({ stderr }: Io, why: string): number {
  stderr.write(`picket audit: ${showText(why)}\n`);
  return exitCodes.failed;
}
