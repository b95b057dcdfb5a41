import {
  Code,
  ConnectError,
  createClient,
  type Client,
  type Interceptor,
} from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { Clock } from "#clock";
import {
  type IngestBatchResponse,
  Placement as WirePlacement,
  PrivateLocationService,
  Receipt as WireReceipt,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits";
import type { Placement } from "#placement";
import {
  type Beat,
  type ControlPlane,
  type HeartbeatAnswer,
  type Pull,
  type Receipt,
  retryAfterOf,
  ServiceError,
  type ServiceReason,
} from "#transport/control-plane";
import type { Report } from "#transport/report";
import { type ServiceWay, serviceAgent } from "#transport/service-dialer";
import { identityFailure } from "#transport/service-failure";
import { readAssignment } from "#transport/wire-monitors";
import { epochMillis, millis, type Millis, type Nanos, nanosToMillis, nanos } from "#units";

export interface ConnectOptions {
  /** Base URL of the service; a path prefix and a trailing slash are kept working. */
  readonly baseUrl: string;
  /** Gives the location's token; asked for each call, kept nowhere else. */
  readonly token: () => string;
  readonly tokenHeader: string;
  readonly instance: Instance;
  readonly way: ServiceWay;
  readonly clock: Clock;
}

/** Who the agent says it is. */
export interface Instance {
  readonly id: string;
  readonly version: string;
  readonly hostname: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly placement: Placement;
}

const placements: { readonly [P in Placement]: WirePlacement } = {
  share: WirePlacement.SHARE,
  everywhere: WirePlacement.EVERYWHERE,
};

/** The service over the Connect protocol, binary, HTTP/1.1. The extension is used where the service has it. */
export function connectControlPlane(options: ConnectOptions): ControlPlane {
  return new ConnectControlPlane(options);
}

class ConnectControlPlane implements ControlPlane {
  readonly #client: Client<typeof PrivateLocationService>;
  readonly #instance: Instance;
  readonly #batch: Extension;
  readonly #heartbeats: Extension;

  constructor({ baseUrl, token, tokenHeader, instance, way, clock }: ConnectOptions) {
    const authenticate: Interceptor = (next) => (request) => {
      request.header.set(tokenHeader, token());
      return next(request);
    };
    const transport = createConnectTransport({
      baseUrl: baseUrl.replace(/\/+$/, ""),
      httpVersion: "1.1",
      useBinaryFormat: true,
      interceptors: [authenticate],
      readMaxBytes: limits.serviceAnswerBytesMax,
      defaultTimeoutMs: limits.serviceCallTimeout,
      nodeOptions: { agent: serviceAgent(baseUrl, way) },
    });
    this.#client = createClient(PrivateLocationService, transport);
    this.#instance = instance;
    this.#batch = new Extension(clock);
    this.#heartbeats = new Extension(clock);
  }

  async pull(knownRevision: string | null, signal: AbortSignal): Promise<Pull> {
    const { id: instanceId, placement } = this.#instance;
    const request = {
      instanceId,
      placement: placements[placement],
      knownRevision: knownRevision ?? "",
    };
    const response = await called(() => this.#client.monitors(request, { signal }));
    if (response.unchanged) return { unchanged: true };
    return { unchanged: false, ...readAssignment(response) };
  }

  /** Plain calls in small lots: what was taken is forgotten soon, and not sent again after a kill. */
  get reportsAtOnce(): number {
    return this.#batch.missing ? limits.plainReportsAtOnce : limits.ingestBatchMax;
  }

  async report(
    reports: readonly Report[],
    signal: AbortSignal,
  ): Promise<readonly (Receipt | null)[]> {
    const receipts = await this.#batch.use(() => this.#reportBatch(reports, signal));
    return receipts ?? this.#reportSingly(reports.slice(0, limits.plainReportsAtOnce), signal);
  }

  async heartbeat(beat: Beat, signal: AbortSignal): Promise<HeartbeatAnswer | null> {
    const answer = await this.#heartbeats.use(() =>
      called(() => this.#client.heartbeat(heartbeatRequest(beat, this.#instance), { signal })),
    );
    if (answer === null) return null;
    return {
      serverTime: epochMillis(Number(answer.serverTime)),
      locationId: answer.locationId,
      locationName: answer.locationName,
      locationMetadata: { ...answer.locationMetadata },
      revision: answer.revision === "" ? null : answer.revision,
      nextHeartbeat: answer.nextHeartbeatMs > 0n ? millis(Number(answer.nextHeartbeatMs)) : null,
    };
  }

  async #reportBatch(reports: readonly Report[], signal: AbortSignal): Promise<readonly Receipt[]> {
    const request = {
      instanceId: this.#instance.id,
      results: reports.map(({ message }) => message),
    };
    const response = await called(() => this.#client.ingestBatch(request, { signal }));
    return receiptsOf(response, reports);
  }

  /**
   * The plain calls: a few monitors at once, each monitor's results one after another, because the existing service
   * takes a result only when its slot is newer than the last. A result that fails holds back those behind it, and a
   * service that fails as a whole all of them.
   */
  async #reportSingly(
    reports: readonly Report[],
    signal: AbortSignal,
  ): Promise<readonly (Receipt | null)[]> {
    const receipts = new Map<string, Receipt>();
    const queues = [...Map.groupBy(reports, ({ monitorId }) => monitorId).values()];
    let over = false;
    const work = async (): Promise<void> => {
      for (let queue = queues.pop(); queue !== undefined; queue = queues.pop())
        for (const report of queue) {
          if (over) return;
          const receipt = await this.#reportOne(report, signal);
          receipts.set(report.id, receipt);
          if (receipt.outcome !== "retry") continue;
          over ||= receipt.error.reason !== "internal";
          break;
        }
    };
    await Promise.all(Array.from({ length: limits.reportConcurrency }, work));
    return reports.map(({ id }) => receipts.get(id) ?? null);
  }

  async #reportOne({ message }: Report, signal: AbortSignal): Promise<Receipt> {
    const plain = message.result;
    try {
      switch (plain.case) {
        case "http":
          await called(() => this.#client.ingestHTTP(plain.value, { signal }));
          break;
        case "tcp":
          await called(() => this.#client.ingestTCP(plain.value, { signal }));
          break;
        case "dns":
          await called(() => this.#client.ingestDNS(plain.value, { signal }));
          break;
        case undefined:
          return { outcome: "rejected", reason: "the report is empty" };
      }
      return { outcome: "accepted" };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // Neither this monitor nor this request will be better for being sent again.
      return error.reason === "rejected" ||
        error.reason === "not_found" ||
        error.reason === "unsupported"
        ? { outcome: "rejected", reason: error.message }
        : { outcome: "retry", error };
    }
  }
}

/** A call that older services do not have: asked once, then not for an hour. */
class Extension {
  readonly #clock: Clock;
  #missingSince: Nanos | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer, or null where the service does not know the call. */
  async use<T>(call: () => Promise<T>): Promise<T | null> {
    if (this.missing) return null;
    try {
      const answer = await call();
      this.#missingSince = null;
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceError) || !["unsupported", "not_found"].includes(error.reason))
        throw error;
      this.#missingSince = this.#clock.monotonic();
      return null;
    }
  }

  get missing(): boolean {
    if (this.#missingSince === null) return false;
    const since: Millis = nanosToMillis(nanos(this.#clock.monotonic() - this.#missingSince));
    return since < limits.extensionAskAgainAfter;
  }
}

function receiptsOf(
  { receipts }: IngestBatchResponse,
  reports: readonly Report[],
): readonly Receipt[] {
  if (receipts.length !== reports.length)
    throw new ServiceError(
      "garbage",
      `the service gave ${receipts.length} receipts for ${reports.length} results`,
    );
  return receipts.map(({ receipt, reason }): Receipt => {
    switch (receipt) {
      case WireReceipt.ACCEPTED:
        return { outcome: "accepted" };
      case WireReceipt.DUPLICATE:
        return { outcome: "duplicate" };
      case WireReceipt.REJECTED:
        return { outcome: "rejected", reason };
      case WireReceipt.UNSPECIFIED:
        return { outcome: "retry", error: new ServiceError("garbage", "a receipt says nothing") };
    }
  });
}

function heartbeatRequest(
  beat: Beat,
  instance: Instance,
): Parameters<Client<typeof PrivateLocationService>["heartbeat"]>[0] {
  return {
    instanceId: instance.id,
    agentVersion: instance.version,
    hostname: instance.hostname,
    node: instance.node,
    labels: { ...instance.labels },
    placement: placements[instance.placement],
    leaving: beat.leaving,
    startedAt: BigInt(beat.startedAt),
    monitorCount: BigInt(beat.monitorCount),
    checksRun: BigInt(beat.checksRun),
    resultsWaiting: BigInt(beat.resultsWaiting),
    oldestWaitingAgeMs: BigInt(Math.round(beat.oldestWaitingAge)),
    missedSlots: BigInt(beat.missedSlots),
    resultsGivenUp: BigInt(beat.resultsGivenUp),
    resultsGivenUpAge: BigInt(beat.resultsGivenUpAge),
    resultsGivenUpRoom: BigInt(beat.resultsGivenUpRoom),
    resultsRejected: BigInt(beat.resultsRejected),
    uncertainResults: BigInt(beat.uncertainResults),
    probeLoopLagUs: BigInt(Math.round(beat.errorBarMax / 1e3)),
    revision: beat.revision ?? "",
  };
}

/** Runs a call; whatever goes wrong comes out as a ServiceError. */
async function called<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): ServiceError {
  const failed = ConnectError.from(error);
  // A connection that did not come about says so itself.
  if (failed.cause instanceof ServiceError) return failed.cause;
  const refused = identityFailure("the service", failed.cause);
  if (refused !== null) return refused;
  const retryAfter = retryAfterOf(failed.metadata.get("retry-after"));
  return new ServiceError(reasonOf(failed), failed.rawMessage || String(failed.code), retryAfter);
}

/** Connect gives a code also to answers that are not of its protocol, by their HTTP status. */
function reasonOf(failed: ConnectError): ServiceReason {
  switch (failed.code) {
    case Code.Unauthenticated:
      return "unauthenticated";
    case Code.PermissionDenied:
      return "forbidden";
    case Code.InvalidArgument:
    case Code.FailedPrecondition:
    case Code.OutOfRange:
    case Code.AlreadyExists:
      return "rejected";
    case Code.NotFound:
      return "not_found";
    case Code.Unimplemented:
      return "unsupported";
    case Code.ResourceExhausted:
      return "rate_limited";
    case Code.DeadlineExceeded:
      return "timeout";
    case Code.Canceled:
      return "cancelled";
    case Code.DataLoss:
      return "garbage";
    case Code.Internal:
      // An error that a server sent has its headers; one of our own reading of an answer has none.
      return [...failed.metadata].length > 0 ? "internal" : "garbage";
    case Code.Unavailable:
    case Code.Unknown:
    case Code.Aborted:
      return "unavailable";
  }
}
