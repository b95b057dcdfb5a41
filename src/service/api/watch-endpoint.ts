import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Clock } from "#base/clock";
import { create, toJsonString } from "@bufbuild/protobuf";
import type { MonitorDefinition } from "#check/definition";
import { assignedMonitors } from "#wire/write-assignment";
import { startDeadline } from "#base/deadline";
import {
  type CheckNowAnswer,
  CheckNowAnswerSchema,
  MonitorsResponseSchema,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import * as wireLimits from "#limits/wire-limits";
import type { Logger } from "#base/log";
import { hashCredential } from "#service/edge/credential";
import { headersOf, tokenIn } from "#service/agents/admission";
import type { Locations } from "#service/agents/locations";
import { Refusal } from "#service/edge/call-refusal";
import { type AskedCheck, WatchConnection } from "#service/agents/watch-connection";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { LocationRow } from "#service/store/state-store";

export const watchPath: string = `/${PrivateLocationService.typeName}/Watch`;

/**
 * The push channels of the agents that are connected. Changes are not passed on from where they are made but looked
 * for, every second: so a change by another process is pushed as well, and many at once are one.
 */
export class Watch {
  readonly #locations: Locations;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #connections = new Set<WatchConnection>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: wireLimits.watchAnswerBytesMax,
    perMessageDeflate: false,
  });
  #waiting = 0;
  #stopping = false;
  #changesDue = false;
  #asking: Promise<void> | null = null;
  #failing = false;

  constructor(
    locations: Locations,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#locations = locations;
    this.#clock = clock;
    this.#log = log;
  }

  /** Whether a request asks for a channel; whether it may have one is asked of the store. */
  asked(request: IncomingMessage): boolean {
    return asksToWatch(request);
  }

  /** The location whose agent asks for a channel; refuses who may not have one. */
  async admit(request: IncomingMessage): Promise<LocationRow> {
    const location = await this.#locations.authenticate(upgradeToken(request));
    if (this.#stopping) throw new Refusal("unavailable", "the service is stopping");
    if (this.#of(location.id).length >= limits.watchesPerLocationMax)
      throw new Refusal(
        "resource_exhausted",
        `${limits.watchesPerLocationMax} agents of this location are already connected: this one must poll`,
      );
    return location;
  }

  /** Takes over the socket of a request that asked for a channel; `refuse` answers one that may have none. */
  async upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    refuse: () => void,
  ): Promise<void> {
    const location = await this.admit(request).catch(() => null);
    if (location === null) return refuse();
    this.#sockets.handleUpgrade(request, socket, head, (channel) =>
      this.#take(channel, location, hashCredential(upgradeToken(request) ?? "")),
    );
  }

  /**
   * Every connected agent of the location runs the monitor's check at once. Each gives one answer; one that gives none
   * before `signal` aborts, or in time, counts with an error.
   */
  checkNow(
    locationId: LocationId,
    monitorId: MonitorId,
    signal: AbortSignal,
  ): Promise<readonly CheckNowAnswer[]> {
    return this.#ask(this.#of(locationId), { monitorId: String(monitorId) }, signal);
  }

  /** One connected agent of the location checks a monitor that is not saved, once. */
  async tryNow(
    locationId: LocationId,
    definition: MonitorDefinition,
    signal: AbortSignal,
  ): Promise<CheckNowAnswer> {
    const trial = assignedMonitors([{ id: trialId, definition, newestSlot: null }]);
    if (Buffer.byteLength(toJsonString(MonitorsResponseSchema, trial)) > wireLimits.trialBytesMax)
      throw new Refusal("invalid_argument", "the monitor is too large to be tried: save it");
    const [answer] = await this.#ask(this.#of(locationId).slice(-1), { trial }, signal);
    if (answer === undefined) throw new TypeError("a question to one agent has one answer");
    if (answer.trial || answer.instanceId === "") return answer;
    const error = "the agent there is too old to try a monitor before it is saved: upgrade it";
    return create(CheckNowAnswerSchema, { error, instanceId: answer.instanceId });
  }

  async #ask(
    asked: readonly WatchConnection[],
    what: AskedCheck,
    signal: AbortSignal,
  ): Promise<readonly CheckNowAnswer[]> {
    if (asked.length === 0)
      throw new Refusal(
        "failed_precondition",
        "no agent of this location is connected: start one, with PICKET_WATCH on, in a network that lets WebSockets pass",
      );
    if (this.#waiting + asked.length > limits.checksNowWaitingMax)
      throw new Refusal(
        "resource_exhausted",
        `${this.#waiting} checks are waited for already: ask again when they have ended`,
      );
    this.#waiting += asked.length;
    using patience = startDeadline(this.#clock, limits.checkNowWait, signal);
    try {
      return await Promise.all(asked.map((connection) => connection.ask(what, patience.signal)));
    } finally {
      this.#waiting -= asked.length;
    }
  }

  /** Whether an agent of the location holds a channel. */
  isConnected(locationId: LocationId): boolean {
    return this.#of(locationId).length > 0;
  }

  /** Looks after the connections until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(limits.watchLookEvery, signal);
      for (const connection of this.#connections) connection.look();
      this.#changesDue = true;
      // A store that is slow holds up no ping.
      this.#asking ??= this.#askForChanges().finally(() => (this.#asking = null));
    }
    await this.#asking;
  }

  /** Once more where a second has passed meanwhile; a failure is logged once. */
  async #askForChanges(): Promise<void> {
    while (this.#changesDue) {
      this.#changesDue = false;
      try {
        await this.#passOnChanges();
        this.#failing = false;
      } catch (error) {
        if (!this.#failing)
          this.#log.error("could not look for changes", { "error.message": String(error) });
        this.#failing = true;
      }
    }
  }

  async #passOnChanges(): Promise<void> {
    const connections = [...this.#connections];
    if (connections.length === 0) return;
    const hashes = connections.map(({ tokenHash }) => tokenHash);
    const revisions = await this.#locations.revisionsOf(hashes);
    for (const connection of connections) {
      const revision = revisions.get(connection.tokenHash);
      if (revision === undefined) connection.refuse("the location's token no longer works");
      else connection.announce(revision);
    }
  }

  /** Sends the agents away, and waits a moment for them to go. */
  async drain(): Promise<void> {
    this.#stopping = true;
    for (const connection of this.#connections) connection.drain();
    const allClosed = new AbortController();
    void Promise.all([...this.#connections].map(({ closed }) => closed)).then(() =>
      allClosed.abort(),
    );
    await this.#clock.sleep(wireLimits.watchGoodbyeWithin, allClosed.signal);
    this.abandon();
  }

  /** Cuts every connection. */
  abandon(): void {
    for (const connection of this.#connections) connection.drop();
  }

  #of(locationId: LocationId): readonly WatchConnection[] {
    return [...this.#connections].filter((connection) => connection.locationId === locationId);
  }

  #take(socket: WebSocket, { id, revision }: LocationRow, tokenHash: string): void {
    const connection = new WatchConnection(socket, {
      locationId: id,
      tokenHash,
      clock: this.#clock,
    });
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    // The agent may have missed a change while it was away.
    connection.announce(revision);
  }
}

/** What a monitor is called that has no id yet. */
const trialId = "trial";

/** Whether a request asks for a push channel; others that ask for an upgrade are answered without one. */
const asksToWatch = ({ url = "", headers, method }: IncomingMessage): boolean =>
  method === "GET" &&
  url.split("?")[0] === watchPath &&
  headers.upgrade?.toLowerCase() === "websocket";

const upgradeToken = ({ headers }: IncomingMessage): string | null => tokenIn(headersOf(headers));
