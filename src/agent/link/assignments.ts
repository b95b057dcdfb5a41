import { thrownText } from "#base/text";
import { backoff } from "#base/backoff";
import { reconcile } from "#agent/prober/schedule/reconcile";
import type { Checker } from "#agent/prober/checker";
import type { ServiceLink } from "#agent/link/service-link";
import { monitorFields } from "#agent/prober/checks/monitor-log-fields";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import type { LogFields, Logger } from "#base/log";
import { LogNews } from "#base/log-limit";
import type { Monitor } from "#check/monitor";
import { serviceTrouble } from "#transport/service-trouble";
import type { AssignmentMemory } from "#agent/state/assignment-file";
import { type ControlPlane, ServiceError } from "#transport/control-plane";
import type { Assignment, AssignmentRemark } from "#wire/read-assignment";
import { millis, type Millis } from "#base/units";

interface AssignmentTools {
  readonly controlPlane: ControlPlane;
  readonly memory: AssignmentMemory;
  readonly checker: Pick<Checker, "monitors" | "apply">;
  readonly link: ServiceLink;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pollInterval: Millis;
  readonly chance: () => number;
}

/** Keeps what runs equal to what the service assigns; while the service is away, what is known keeps running. */
export class Assignments {
  readonly #tools: AssignmentTools;
  #revision: string | null = null;
  #region: string | null = null;
  #remarks: readonly AssignmentRemark[] = [];
  readonly #news = new LogNews();
  #failures = 0;
  #refusal: string | null = null;
  /** What runs and could not be kept: each pull tries again. */
  #unkept: Assignment | null = null;
  #asked = new AbortController();
  readonly #first = Promise.withResolvers<void>();

  constructor(tools: AssignmentTools) {
    this.#tools = tools;
  }

  get revision(): string | null {
    return this.#revision;
  }

  /** The location's name; null before the first pull. */
  get region(): string | null {
    return this.#region;
  }

  /** What was left out of the monitors that are assigned now, or changed in them. */
  get remarks(): readonly AssignmentRemark[] {
    return this.#remarks;
  }

  /** Why the newest assignment is not run, while the one before it is; null if it is run. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Settles when the first assignment has come. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** The service has spoken of a revision: another one than ours is pulled, a moment after the last pull at the soonest. */
  heard(revision: string | null): void {
    if (revision !== null && revision !== this.#revision) this.#asked.abort();
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#recall();
    while (!signal.aborted) {
      this.#asked = new AbortController();
      await this.#pull(signal);
      const { clock, pollInterval, chance } = this.#tools;
      // A tenth of chance keeps agents that started together from asking together forever.
      const pause =
        this.#failures === 0
          ? millis(Math.round(pollInterval * (0.95 + 0.1 * chance())))
          : backoff(this.#failures, pollInterval, chance());
      const rest = millis(Math.min(pause, limits.pushedPullAfter));
      await clock.sleep(rest, signal);
      await clock.sleep(millis(pause - rest), AbortSignal.any([signal, this.#asked.signal]));
    }
  }

  async #pull(signal: AbortSignal): Promise<void> {
    try {
      const pull = await this.#tools.controlPlane.pull(this.#revision, signal);
      this.#failures = 0;
      this.#refusal = null;
      this.#tools.link.succeeded();
      if (!pull.unchanged) {
        const news = this.#take(pull);
        await this.#keep(pull);
        // Whoever reads this may stop the agent: the next one has the assignment.
        this.#say("assignment taken", news);
      } else if (this.#unkept !== null) await this.#keep(this.#unkept);
      this.#first.resolve();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#failures += 1;
      if (error.reason === "oversized") this.#refuse(error);
      else this.#tools.link.failed(error);
    }
  }

  /** The service is there, and what it assigns cannot be run: what runs continues. */
  #refuse(error: ServiceError): void {
    const { link, log } = this.#tools;
    link.succeeded();
    const { fact, nextStep } = serviceTrouble(error.reason, { proxied: false });
    if (this.#refusal === null)
      log.error(`${fact}: ${nextStep}; known monitors keep running`, {
        "error.type": error.reason,
        "error.message": error.message,
      });
    this.#refusal = `${error.message}: ${nextStep}`;
  }

  /** What was assigned when the agent last ran is run at once: the service may be away for long. */
  async #recall(): Promise<void> {
    const { memory, log } = this.#tools;
    try {
      const assignment = await memory.load();
      if (assignment === null) return;
      const news = this.#take(assignment);
      this.#say("assignment read from disk: it runs until the service sends another", news);
      this.#first.resolve();
    } catch (error) {
      log.warn("the kept assignment cannot be used: monitors run once the service answers", {
        "error.message": thrownText(error),
      });
    }
  }

  async #keep(assignment: Assignment): Promise<void> {
    try {
      await this.#tools.memory.save(assignment);
      this.#unkept = null;
      this.#news.isNews("the kept assignment", "saved");
    } catch (error) {
      this.#unkept = assignment;
      if (this.#news.isNews("the kept assignment", "failed"))
        this.#tools.log.warn(
          "the assignment cannot be kept on disk: after a restart monitors run once the service answers",
          { "error.message": thrownText(error) },
        );
    }
  }

  /** Runs what is assigned. Gives what changed by that; null if nothing did. */
  #take({ monitors, revision, region, newestSlots, remarks }: Assignment): LogFields | null {
    const { checker } = this.#tools;
    const plan = reconcile(checker.monitors, monitors);
    checker.apply(plan, newestSlots);
    const isFirst = this.#region === null;
    this.#revision = revision;
    this.#region = region;
    this.#remark(remarks);
    for (const monitor of [...plan.start, ...plan.change]) this.#sayRejected(monitor);
    const moved = plan.start.length + plan.change.length + plan.stop.length;
    if (!isFirst && moved === 0) return null;
    return {
      location: region,
      monitors: monitors.length,
      started: plan.start.length,
      changed: plan.change.length,
      stopped: plan.stop.length,
    };
  }

  #say(event: string, news: LogFields | null): void {
    if (news !== null) this.#tools.log.info(event, news);
  }

  #sayRejected(monitor: Monitor): void {
    const { rejection } = monitor;
    if (rejection === null) return;
    this.#tools.log.warn("a monitor cannot be run and reports why at each of its slots", {
      ...monitorFields(monitor),
      "error.type": rejection.code,
      phase: rejection.phase,
      "error.message": rejection.message,
    });
  }

  /**
   * An older service sends the whole assignment each time, and another the same one in two ways by turns: each remark
   * is logged once.
   */
  #remark(remarks: readonly AssignmentRemark[]): void {
    this.#remarks = remarks;
    const fresh = remarks.filter(({ monitorId, field, message }) =>
      this.#news.isNews(JSON.stringify([monitorId, field, message]), "remarked"),
    );
    const { log } = this.#tools;
    for (const { monitorId, monitorName, field, message } of fresh.slice(
      0,
      limits.remarksLoggedMax,
    ))
      log.warn("part of the assignment is left out or changed; the rest runs", {
        monitor: monitorId ?? undefined,
        name: monitorName ?? undefined,
        field,
        remark: `${field} ${message}`,
      });
    const more = fresh.length - limits.remarksLoggedMax;
    if (more > 0) log.warn("the assignment has more remarks: see /status", { remarks: more });
  }
}
