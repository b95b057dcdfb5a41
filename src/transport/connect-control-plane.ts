import {
  Code,
  ConnectError,
  createClient,
  type Client,
  type Interceptor,
} from "@connectrpc/connect";
import type { Clock } from "#clock";
import {
  type IngestBatchResponse,
  PrivateLocationService,
  Receipt as WireReceipt,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits";
import { boundedTransport, refuseOversized } from "#transport/bounded-answers";
import {
  type Beat,
  type ControlPlane,
  type HeartbeatAnswer,
  type Pull,
  type Receipt,
  ServiceError,
  type ServiceReason,
  type TellReceipt,
} from "#transport/control-plane";
import { retryAfterOf } from "#network/retry-after";
import { cutText } from "#text";
import type { Report } from "#wire/report";
import { type ServiceWay, serviceAgent } from "#transport/service-dialer";
import { wayFailure } from "#transport/service-failure";
import { type Instance, placements } from "#transport/instance";
import { heartbeatRequest, readHeartbeat } from "#transport/heartbeat-message";
import { PlainStatuses } from "#transport/plain-statuses";
import { readAssignment } from "#wire/read-assignment";
import { type EpochMillis, type Millis, type Nanos, nanosToMillis, nanos } from "#units";

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

/** The service over the Connect protocol, binary, HTTP/1.1. The extension is used where the service has it. */
export function connectControlPlane(options: ConnectOptions): ControlPlane {
  return new ConnectControlPlane(options);
}

class ConnectControlPlane implements ControlPlane {
  readonly #client: Client<typeof PrivateLocationService>;
  readonly #instance: Instance;
  readonly #clock: Clock;
  readonly #batch: Extension;
  readonly #heartbeats: Extension;
  readonly #plainStatuses = new PlainStatuses();

  constructor(options: ConnectOptions) {
    const { baseUrl, token, tokenHeader, instance, way, clock } = options;
    const authenticate: Interceptor = (next) => (request) => {
      request.header.set(tokenHeader, token());
      return next(request);
    };
    const transport = boundedTransport({
      baseUrl,
      agent: serviceAgent(baseUrl, way),
      interceptors: [authenticate],
      callTimeout: options.callTimeout ?? limits.serviceCallTimeout,
    });
    this.#client = createClient(PrivateLocationService, transport);
    this.#instance = instance;
    this.#clock = clock;
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
    const response = await this.#called(() => this.#client.monitors(request, { signal }));
    if (response.unchanged) return { unchanged: true };
    refuseOversized(response);
    return { unchanged: false, ...readAssignment(response) };
  }

  get reportsSingly(): boolean {
    return !this.#batch.shown;
  }

  async report(reports: readonly Report[], told: TellReceipt, signal: AbortSignal): Promise<void> {
    const receipts = await this.#batch.use(() => this.#reportBatch(reports, signal));
    if (receipts === null) return this.#reportSingly(reports, told, signal);
    reports.forEach((report, index) => {
      const receipt = receipts[index];
      if (receipt !== undefined) told(report, receipt);
    });
  }

  async heartbeat(beat: Beat, signal: AbortSignal): Promise<HeartbeatAnswer | null> {
    const answer = await this.#heartbeats.use(() =>
      this.#called(() =>
        this.#client.heartbeat(heartbeatRequest(beat, this.#instance), { signal }),
      ),
    );
    return answer === null ? null : readHeartbeat(answer);
  }

  async #reportBatch(reports: readonly Report[], signal: AbortSignal): Promise<readonly Receipt[]> {
    const request = {
      instanceId: this.#instance.id,
      results: reports.map(({ message }) => message),
    };
    const response = await this.#called(() => this.#client.ingestBatch(request, { signal }));
    return receiptsOf(response, reports);
  }

  /**
   * The plain calls: a few monitors at once, each monitor's results one after another, because the existing service
   * takes a result only when its slot is newer than the last. A result that fails holds back those behind it, and one
   * that shows that the service is not there ends the round.
   */
  async #reportSingly(
    reports: readonly Report[],
    told: TellReceipt,
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
          told(report, receipt);
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

  /** Runs a call; whatever goes wrong comes out as a ServiceError. */
  async #called<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw translated(error, this.#clock.wall());
    }
  }

  async #reportOne(report: Report, signal: AbortSignal): Promise<Receipt> {
    const plain = report.message.result;
    const requestStatus = this.#plainStatuses.of(report);
    try {
      switch (plain.case) {
        case "http":
          await this.#called(() =>
            this.#client.ingestHTTP({ ...plain.value, requestStatus }, { signal }),
          );
          break;
        case "tcp":
          await this.#called(() =>
            this.#client.ingestTCP({ ...plain.value, requestStatus }, { signal }),
          );
          break;
        case "dns":
          await this.#called(() =>
            this.#client.ingestDNS({ ...plain.value, requestStatus }, { signal }),
          );
          break;
        case undefined:
          return { outcome: "rejected", reason: "the report is empty" };
      }
      return { outcome: "accepted" };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // Neither this monitor nor this request will be better for being sent again.
      if (error.reason === "rejected" || error.reason === "not_found")
        return { outcome: "rejected", reason: error.message };
      // Every service has the plain calls: whoever answers like this is not, or not now, the service.
      if (error.reason === "unsupported") this.#batch.askAgain();
      return { outcome: "retry", error };
    }
  }
}

/** A call that older services do not have: asked once, then not for an hour. */
class Extension {
  readonly #clock: Clock;
  /** Answers in a row that there is no such call. */
  #denials = 0;
  #missingSince: Nanos | null = null;
  #shown = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer, or null where the service does not know the call. */
  async use<T>(call: () => Promise<T>): Promise<T | null> {
    if (this.#missing()) return null;
    try {
      const answer = await call();
      this.#missingSince = null;
      this.#shown = true;
      this.#denials = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceError) || !["unsupported", "not_found"].includes(error.reason))
        throw error;
      this.#denials += 1;
      // What stands before a service that restarts says so too.
      if (this.#shown && this.#denials < limits.extensionDenialsMax)
        throw new ServiceError("unavailable", error.message);
      this.#shown = false;
      this.#missingSince = this.#clock.monotonic();
      return null;
    }
  }

  /** Whoever said that it is missing was not the service. */
  askAgain(): void {
    this.#missingSince = null;
  }

  /** Whether the service has answered it, the last time it was asked. */
  get shown(): boolean {
    return this.#shown;
  }

  #missing(): boolean {
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
        return { outcome: "rejected", reason: cutText(reason, limits.messageCharsMax) };
      case WireReceipt.UNSPECIFIED:
        return { outcome: "retry", error: new ServiceError("garbage", "a receipt says nothing") };
    }
  });
}

function translated(error: unknown, now: EpochMillis): ServiceError {
  const failed = ConnectError.from(error);
  const onTheWay = wayFailure(failed.cause);
  if (onTheWay !== null) return onTheWay;
  const retryAfter = retryAfterOf(failed.metadata.get("retry-after"), now);
  return new ServiceError(reasonOf(failed), failed.rawMessage || String(failed.code), retryAfter);
}

/** Connect gives a code also to answers that are not of its protocol, by their HTTP status. */
function reasonOf(failed: ConnectError): ServiceReason {
  const status = /^HTTP (\d{3})$/.exec(failed.rawMessage)?.[1];
  if (status !== undefined) return plainReasons[status] ?? codeReasons[failed.code];
  // What comes without headers was not said by a server: it is our own reading of an answer that failed.
  const isOurs = [...failed.metadata].length === 0;
  if (isOurs && readingFailures.has(failed.code)) return "garbage";
  if (failed.code === Code.Internal && failed.rawMessage.startsWith("unsupported "))
    return "garbage";
  // A handler that gives no code fails as this, with HTTP 500. An HTML page of somebody else's does as well.
  if (failed.code === Code.Unknown && !isOurs && !failed.rawMessage.startsWith("unsupported "))
    return "internal";
  return codeReasons[failed.code];
}

/** Statuses of servers and proxies that do not speak the protocol. */
const plainReasons: Readonly<Partial<Record<string, ServiceReason>>> = {
  "400": "garbage",
  // A proxy's limit: a smaller request may pass, and one result that does not never will.
  "413": "rejected",
  "429": "rate_limited",
  "500": "internal",
};

/** An answer that is no message, is too large, or cannot be unpacked. */
const readingFailures: ReadonlySet<Code> = new Set([
  Code.Internal,
  Code.InvalidArgument,
  Code.ResourceExhausted,
  Code.DataLoss,
]);

const codeReasons: { readonly [C in Code]: ServiceReason } = {
  [Code.Unauthenticated]: "unauthenticated",
  [Code.PermissionDenied]: "forbidden",
  [Code.InvalidArgument]: "rejected",
  [Code.FailedPrecondition]: "rejected",
  [Code.OutOfRange]: "rejected",
  [Code.AlreadyExists]: "rejected",
  [Code.NotFound]: "not_found",
  [Code.Unimplemented]: "unsupported",
  [Code.ResourceExhausted]: "rate_limited",
  [Code.DeadlineExceeded]: "timeout",
  [Code.Canceled]: "cancelled",
  [Code.DataLoss]: "garbage",
  [Code.Internal]: "internal",
  [Code.Unavailable]: "unavailable",
  [Code.Unknown]: "unavailable",
  [Code.Aborted]: "unavailable",
};
