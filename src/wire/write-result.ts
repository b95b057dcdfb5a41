import { BatchResultSchema } from "#contract/private_location/v1/private_location_pb";
import type { Result } from "#check/result";
import type { ReportedAnswers } from "#check/verdict";
import { codecOf } from "#wire/kinds/codec-table";
import { MessageWriter } from "#wire/message-writer";
import { writeDetail } from "#wire/write-detail";
import type { ReportedEvidence } from "#wire/write-evidence";

/** A BatchResult in bytes: one result with everything that we know of it. Throws for what the wire cannot carry. */
export const resultBytes = (
  result: Result,
  evidence: ReportedEvidence = "none",
  answers: ReportedAnswers = "of failed checks",
): Uint8Array =>
  kept.message((writer) => {
    const plain = codecOf(result.kind).result;
    writer.begin(plain.field);
    plain.write(writer, result);
    writer.end();
    writer.begin(BatchResultSchema.field.detail);
    writeDetail(writer, result, evidence, answers);
    writer.end();
  });

/** A thread writes one result at a time. Its buffer grows to the largest report. */
const kept = new MessageWriter();
