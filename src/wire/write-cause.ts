import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Cause } from "#check/cause";
import type { CheckCauseSchema } from "#contract/private_location/v1/private_location_pb";

/** A cause as the wire has it. */
export const causeMessage = ({
  scope,
  subject,
  certainty,
  since,
  id,
  sentence,
  affected,
}: Cause): MessageInitShape<typeof CheckCauseSchema> => ({
  scope,
  subject,
  certainty,
  since: BigInt(since),
  causeId: id,
  sentence,
  affected: BigInt(affected),
});
