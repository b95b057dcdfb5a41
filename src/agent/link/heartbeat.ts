import type { ServiceLink } from "#agent/link/service-link";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import {
  type Beat,
  type ControlPlane,
  type HeartbeatAnswer,
  ServiceError,
} from "#transport/control-plane";
import { type EpochMillis, millis, type Millis } from "#base/units";

interface HeartbeatTools {
  readonly controlPlane: ControlPlane;
  readonly link: ServiceLink;
  readonly clock: Clock;
  readonly interval: Millis;
  readonly beat: () => Beat;
  /** Null if the service knows no heartbeat, or what is in front of it says so; with what the heartbeat said. */
  readonly heard: (answer: HeartbeatAnswer | null, said: Beat) => void;
}

export interface HeartbeatStatus {
  /** How often it is sent now. */
  readonly interval: Millis;
  /** When the service last took one; null before the first. */
  readonly takenAt: EpochMillis | null;
}

/** Says that the agent lives, every interval, or more often where the service asks for that. */
export class Heartbeat {
  readonly #tools: HeartbeatTools;
  #interval: Millis;
  #takenAt: EpochMillis | null = null;
  #pause = new AbortController();

  constructor(tools: HeartbeatTools) {
    this.#tools = tools;
    this.#interval = tools.interval;
  }

  get status(): HeartbeatStatus {
    return { interval: this.#interval, takenAt: this.#takenAt };
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#pause = new AbortController();
      await this.send(signal);
      const pause = AbortSignal.any([signal, this.#pause.signal]);
      await this.#tools.clock.sleep(this.#interval, pause);
    }
  }

  /** Sends the next one at once: something has changed that is not to wait. */
  hurry(): void {
    this.#pause.abort();
  }

  /** One heartbeat; a failure is noted with the link and costs nothing else. */
  async send(signal: AbortSignal): Promise<void> {
    const { controlPlane, link, beat, heard } = this.#tools;
    try {
      const said = beat();
      const answer = await controlPlane.heartbeat(said, signal);
      if (answer === null) return heard(null, said);
      this.#takenAt = this.#tools.clock.wall();
      // A refused token is believed again only when a pull has succeeded.
      if (!link.tokenRefused) link.succeeded();
      const asked = answer.nextHeartbeat ?? this.#tools.interval;
      this.#interval = bounded(millis(Math.min(asked, this.#tools.interval)));
      heard(answer, said);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      link.failed(error);
    }
  }
}

const bounded = (asked: Millis): Millis =>
  millis(Math.min(Math.max(asked, limits.heartbeatIntervalMin), limits.heartbeatIntervalMax));
