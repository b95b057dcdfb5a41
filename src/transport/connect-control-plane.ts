import { create } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Clock } from "#base/clock";
import {
  type IngestBatchRequest,
  IngestBatchRequestSchema,
  type IngestBatchResponse,
  type MonitorsResponse,
  PrivateLocationService,
  Receipt as WireReceipt,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import { Extension } from "#transport/extension";
import {
  type Beat,
  type ControlPlane,
  type HeartbeatAnswer,
  type Pull,
  type Receipt,
  ServiceError,
  type OnReceipt,
} from "#transport/control-plane";
import { cutText } from "#base/text";
import { isMissed, missedField, type Report } from "#wire/report";
import { ServiceCalls } from "#transport/service-calls";
import type { ServiceWay } from "#transport/service-dialer";
import { type Instance, placements } from "#transport/instance";
import { heartbeatRequest, readHeartbeat } from "#transport/heartbeat-message";
import { PlainStatuses } from "#transport/plain-statuses";
import { plainReport, withStatus } from "#wire/plain-report";
import { codecOf } from "#wire/kinds/codec-table";
import { assignedCount, readAssignment } from "#wire/read-assignment";
import type { Millis } from "#base/units";

export interface ConnectOptions {
  /** Base URL of the service; a path prefix and a trailing slash are kept working. */
  readonly baseUrl: string;
  /** Gives the location's token; asked for each call, kept nowhere else. */
  readonly token: () => string;
  readonly tokenHeader: string;
  readonly instance: Instance;
  readonly way: ServiceWay;
  readonly clock: Clock;
  /** How long a call may take; as long as the limits say, unless given. */
  readonly callTimeout?: Millis;
}

/** The service over the Connect protocol. The extension is used where the service has it. */
export function connectControlPlane(options: ConnectOptions): ControlPlane {
  return new ConnectControlPlane(options);
}

class ConnectControlPlane implements ControlPlane {
  readonly #calls: ServiceCalls;
  readonly #instance: Instance;
  readonly #batch: Extension;
  readonly #heartbeats: Extension;
  readonly #plainStatuses = new PlainStatuses();
  /** The hash of the newest assignment, as it came. */
  #assignment: string | null = null;

  constructor({ baseUrl, token, tokenHeader, instance, way, clock, callTimeout }: ConnectOptions) {
    this.#calls = new ServiceCalls({
      baseUrl,
      way,
      credentials: () => ({ [tokenHeader]: token() }),
      callTimeout: callTimeout ?? limits.serviceCallTimeout,
    });
    this.#instance = instance;
    this.#batch = new Extension(clock);
    this.#heartbeats = new Extension(clock);
  }

  async pull(known: Parameters<ControlPlane["pull"]>[0], signal: AbortSignal): Promise<Pull> {
    const { id: instanceId, placement } = this.#instance;
    const request = {
      instanceId,
      placement: placements[placement],
      knownRevision: known?.revision ?? "",
      takesChanges: known?.takesChanges ?? false,
    };
    // A service without revisions answers with the same bytes each time.
    const news = await this.#calls.callForNews(calls.monitors, request, this.#assignment, signal);
    if (news === null || news.answer.unchanged) return { unchanged: true };
    refuseOversized(news.answer);
    // Changes are no state that could come again: after them the whole of before is news.
    this.#assignment = news.answer.changedSince === "" ? news.hash : null;
    return { unchanged: false, ...readAssignment(news.answer) };
  }

  get reportsSingly(): boolean {
    return !this.#batch.shown;
  }

  async report(
    reports: readonly Report[],
    onReceipt: OnReceipt,
    signal: AbortSignal,
  ): Promise<void> {
    const receipts = await this.#batch.use(() => this.#reportBatch(reports, signal));
    if (receipts === null) return this.#reportSingly(reports, onReceipt, signal);
    const inOrder = receipts.values();
    for (const report of reports) {
      const receipt = isMissed(report) ? noted : inOrder.next().value;
      if (receipt !== undefined) onReceipt(report, receipt);
    }
  }

  async heartbeat(beat: Beat, signal: AbortSignal): Promise<HeartbeatAnswer | null> {
    const answer = await this.#heartbeats.use(() =>
      this.#calls.call(calls.heartbeat, heartbeatRequest(beat, this.#instance), signal),
    );
    return answer === null ? null : readHeartbeat(answer);
  }

  async #reportBatch(reports: readonly Report[], signal: AbortSignal): Promise<readonly Receipt[]> {
    const request = batchOf(this.#instance.id, reports);
    const response = await this.#calls.call(calls.ingestBatch, request, signal);
    return receiptsOf(response, reports.filter((report) => !isMissed(report)).length);
  }

  /**
   * The plain calls: a few monitors at once, each monitor's results one after another, because the existing service
   * takes a result only when its slot is newer than the last. A result that fails holds back those behind it, and one
   * that shows that the service is not there ends the round.
   */
  async #reportSingly(
    reports: readonly Report[],
    onReceipt: OnReceipt,
    signal: AbortSignal,
  ): Promise<void> {
    // The workers share one iterator: those that came first in `reports` go first.
    const queues = Map.groupBy(reports, ({ monitorId }) => monitorId).values();
    let over = false;
    let failuresInRow = 0;
    const work = async (): Promise<void> => {
      for (const queue of queues)
        for (const report of queue) {
          if (over) return;
          const receipt = await this.#reportOne(report, signal);
          onReceipt(report, receipt);
          if (receipt.outcome !== "retry") {
            failuresInRow = 0;
            continue;
          }
          failuresInRow += 1;
          over ||= receipt.error.reason !== "internal";
          over ||= failuresInRow >= limits.ingestFailuresInRowMax;
          break;
        }
    };
    await Promise.all(Array.from({ length: limits.reportConcurrency }, work));
  }

  async #reportOne(report: Report, signal: AbortSignal): Promise<Receipt> {
    // A service with the plain calls alone does not know of slots without a result.
    if (isMissed(report)) return noted;
    const plain = plainReport(report.payload);
    if (plain === null)
      return { outcome: "rejected", reason: "the report is empty", isUnassigned: false };
    const status = this.#plainStatuses.of(report.monitorId, plain);
    const message = status === plain.status ? plain.message : withStatus(plain, status);
    try {
      await this.#calls.send(codecOf(plain.kind).result.call, message, signal);
      return { outcome: "accepted" };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // Neither this monitor nor this request will be better for being sent again.
      if (error.reason === "rejected" || error.reason === "not_found")
        return { outcome: "rejected", reason: error.message, isUnassigned: false };
      // Every service has the plain calls: whoever answers like this is not, or not now, the service.
      if (error.reason === "unsupported") this.#batch.askAgain();
      return { outcome: "retry", error };
    }
  }
}

const calls = PrivateLocationService.method;

/** An assignment is refused as a whole: which of its monitors to leave out would be a guess. */
function refuseOversized(response: MonitorsResponse): void {
  const assigned = assignedCount(response);
  if (assigned > checkLimits.monitorsPerAgentMax)
    throw new ServiceError(
      "oversized",
      `the service assigned ${assigned} monitors, more than the ${checkLimits.monitorsPerAgentMax} that one agent runs`,
    );
}

/** Its results are bytes already, and go as fields that the encoder passes on. */
function batchOf(instanceId: string, reports: readonly Report[]): IngestBatchRequest {
  const batch = create(IngestBatchRequestSchema, { instanceId });
  const { results, missed } = IngestBatchRequestSchema.field;
  batch.$unknown = reports.map((report) => ({
    no: isMissed(report) ? missed.number : results.number,
    wireType: WireType.LengthDelimited,
    data: isMissed(report)
      ? missedField(report)
      : new BinaryWriter().bytes(report.payload).finish(),
  }));
  return batch;
}

const noted: Receipt = { outcome: "noted" };

function receiptsOf({ receipts }: IngestBatchResponse, results: number): readonly Receipt[] {
  if (receipts.length !== results)
    throw new ServiceError(
      "garbage",
      `the service gave ${receipts.length} receipts for ${results} results`,
    );
  return receipts.map(({ receipt, reason, unassigned: isUnassigned }): Receipt => {
    switch (receipt) {
      case WireReceipt.ACCEPTED:
        return { outcome: "accepted" };
      case WireReceipt.DUPLICATE:
        return { outcome: "duplicate" };
      case WireReceipt.REJECTED:
        return {
          outcome: "rejected",
          reason: cutText(reason, checkLimits.messageCharsMax),
          isUnassigned,
        };
      case WireReceipt.UNSPECIFIED:
        return { outcome: "retry", error: withoutReceipt(reason) };
    }
  });
}

const withoutReceipt = (reason: string): ServiceError =>
  reason === ""
    ? new ServiceError("garbage", "a receipt is empty")
    : new ServiceError("not_yet", reason);
