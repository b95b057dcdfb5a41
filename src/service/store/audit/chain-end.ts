import * as limits from "#limits/store-limits";
import { chainAfter } from "#machine/hash-chain";
import { integer, type Sql, text } from "#service/store/sql";

/** An entry, and the head of the chain of hashes there; empty if there is none yet. */
interface ChainEnd {
  readonly number: number;
  readonly chain: string;
}

/** Where the chain ends: before the newest entry, if a replica of a release without the chain wrote that one. */
export async function chainEnd(sql: Sql, head: ChainEnd): Promise<ChainEnd> {
  if (head.chain === "") return head;
  const [row] = await sql.all(
    `SELECT number, chain FROM audit_entries WHERE number <= ? AND chain <> ''
     ORDER BY number DESC LIMIT 1`,
    [head.number],
  );
  return row === undefined ? head : { number: integer(row, "number"), chain: text(row, "chain") };
}

/**
 * Continues the chain towards the newest entry, and gives how far it is. If it is not whole, more entries may be left than
 * one change continues: then that change's own entries have no chain yet either, and the next change continues.
 */
export async function continueChain(
  sql: Sql,
  head: ChainEnd,
): Promise<{ readonly chain: string; readonly isWhole: boolean }> {
  const end = await chainEnd(sql, head);
  let { chain } = end;
  if (end.number >= head.number) return { chain, isWhole: true };
  const rows = await sql.all(
    `SELECT number, hash FROM audit_entries WHERE number > ? AND number <= ?
     ORDER BY number LIMIT ?`,
    [end.number, head.number, limits.auditChainedAtOnce],
  );
  for (const row of rows) {
    chain = chainAfter(chain, text(row, "hash"));
    const number = integer(row, "number");
    await sql.run("UPDATE audit_entries SET chain = ? WHERE number = ?", [chain, number]);
  }
  return { chain, isWhole: rows.length < limits.auditChainedAtOnce };
}
