import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AuditProofSchema } from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/wire-limits";
import type { AuditLog } from "#service/store/audit/audit-log";

/**
 * What an agent is shown of the audit log: how far it is, and the hashes since the entry that it knows. It sees that the
 * log only grew, and nothing of what is in it.
 */
export async function auditProof(
  log: Pick<AuditLog, "proof">,
  known: bigint,
): Promise<MessageInitShape<typeof AuditProofSchema>> {
  const from = Number(known);
  const { number, chain, hashes } = await log.proof(from, limits.auditHashesMax);
  return { number: BigInt(number), chain, hashes: [...hashes] };
}
