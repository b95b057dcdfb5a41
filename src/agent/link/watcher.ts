import { serverFields } from "#network/server-fields";
import { backoff } from "#base/backoff";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import * as processLimits from "#limits/process-limits";
import * as wireLimits from "#limits/wire-limits";
import type { LogFields, Logger } from "#base/log";
import { LogNews } from "#base/log-limit";
import type { ServiceError } from "#transport/control-plane";
import type { AskedCheck, CheckNowAnswer, PushMessage, Watch } from "#transport/watch";
import { millis, type Millis } from "#base/units";

/** `unsupported`: the service has no push channel, or something before it lets none through. */
export type WatchState = "off" | "connecting" | "connected" | "unsupported";

interface WatcherTools {
  readonly watch: Watch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly chance: () => number;
  readonly serviceUrl: string;
  /** The service has spoken of a revision. */
  readonly changed: (revision: string) => void;
  /** Runs a check that a person asked for; never rejects. */
  readonly checkNow: (asked: AskedCheck, signal: AbortSignal) => Promise<CheckNowAnswer>;
}

/**
 * Holds the push channel for as long as the service gives one, and comes back to it when it is lost. Nothing waits for
 * it: without it changes come with the next poll or heartbeat.
 */
export class Watcher {
  readonly #tools: WatcherTools;
  #state: WatchState = "off";
  readonly #news = new LogNews();
  /** Connections in a row that did not last. */
  #losses = 0;

  constructor(tools: WatcherTools) {
    this.#tools = tools;
  }

  get state(): WatchState {
    return this.#state;
  }

  /** Ends when `signal` aborts; checks that were asked for are then answered with an error. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#state = "connecting";
      const pause = await this.#attend(signal);
      if (signal.aborted) break;
      await this.#tools.clock.sleep(pause, signal);
    }
    this.#state = "off";
  }

  /** One connection; gives the pause after it. */
  async #attend(signal: AbortSignal): Promise<Millis> {
    const { watch, clock, log, changed, checkNow } = this.#tools;
    const ended = new AbortController();
    const leaving = new AbortController();
    const stopping = AbortSignal.any([signal, ended.signal]);
    const answers = new Set<Promise<void>>();
    let drained = false;
    // Whoever asked for a check is answered before the connection is let go.
    const stop = (): void => void Promise.allSettled(answers).then(() => leaving.abort());
    signal.addEventListener("abort", stop, { once: true });
    const pushed = (what: PushMessage): void => {
      switch (what.kind) {
        case "changed":
          return changed(what.revision);
        case "drain":
          drained = true;
          return leaving.abort();
        case "check_now": {
          const answered = checkNow(what.asked, stopping).then(what.answer);
          answers.add(answered);
          void answered.finally(() => answers.delete(answered));
        }
      }
    };
    const opened = (): void => {
      this.#state = "connected";
      log.debug("the push channel is open");
      void clock.sleep(limits.watchSettledAfter, ended.signal).then(() => {
        if (!ended.signal.aborted) this.#settled();
      });
    };
    const error = await watch.attend({ opened, pushed }, leaving.signal);
    signal.removeEventListener("abort", stop);
    ended.abort();
    return this.#pauseAfter(error, drained);
  }

  #settled(): void {
    this.#losses = 0;
    this.#say("connected", "the service pushes changes", {});
  }

  #pauseAfter(error: ServiceError, drained: boolean): Millis {
    const { log, chance } = this.#tools;
    const why = { "error.type": error.reason, "error.message": error.message };
    log.debug("the push channel ended", why);
    if (error.reason === "unsupported") {
      this.#state = "unsupported";
      this.#losses = 0;
      this.#say(
        "unsupported",
        "the service pushes no changes: they arrive with the next poll",
        why,
      );
      return wireLimits.extensionAskAgainAfter;
    }
    this.#state = "connecting";
    this.#losses += 1;
    if (this.#losses >= limits.watchLossesUntilLogged)
      this.#say(
        "lost",
        "the service's push channel is lost: changes arrive with the next poll",
        why,
      );
    const asked = drained
      ? limits.watchDrainPauseMin +
        chance() * (limits.watchDrainPauseMax - limits.watchDrainPauseMin)
      : Math.min(error.retryAfter ?? 0, processLimits.retryAfterMax);
    return millis(Math.max(asked, backoff(this.#losses, processLimits.backoffMax, chance())));
  }

  #say(what: "connected" | "lost" | "unsupported", message: string, fields: LogFields): void {
    if (!this.#news.isNews("the push channel", what)) return;
    this.#tools.log.info(message, { ...serverFields(this.#tools.serviceUrl), ...fields });
  }
}
