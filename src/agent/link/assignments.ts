import { thrownText } from "#base/text";
import { backoff } from "#base/backoff";
import { type Plan, reconcile, reconcileChanges } from "#agent/prober/schedule/reconcile";
import type { Checker } from "#agent/prober/checker";
import type { ServiceLink } from "#agent/link/service-link";
import { monitorFields } from "#agent/prober/checks/monitor-log-fields";
import type { Clock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import * as checkLimits from "#limits/check-limits";
import type { LogFields, Logger } from "#base/log";
import { LogNews } from "#base/log-limit";
import type { Monitor } from "#check/monitor";
import { serviceTrouble } from "#transport/service-trouble";
import type { RunRecord } from "#agent/link/run-record";
import type { AssignmentMemory } from "#agent/state/assignment-file";
import { type ControlPlane, ServiceError } from "#transport/control-plane";
import { type Assignment, type AssignmentRemark, remarkSentence } from "#wire/read-assignment";
import { millis, type Millis } from "#base/units";

interface AssignmentTools {
  readonly controlPlane: ControlPlane;
  readonly memory: AssignmentMemory;
  readonly checker: Pick<Checker, "monitors" | "apply">;
  readonly link: ServiceLink;
  readonly runs: RunRecord;
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
  /** What runs and could not be kept, in order: each pull tries again. */
  #unkept: readonly Assignment[] = [];
  /** Changes came that cannot be made to what runs: the next answer is to be the whole. */
  #needsWhole = false;
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

  /** The same, each a sentence. */
  get sentences(): readonly string[] {
    return this.#remarks.map(remarkSentence);
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
      const pull = await this.#tools.controlPlane.pull(this.#known(), signal);
      this.#failures = 0;
      this.#refusal = null;
      this.#tools.link.succeeded();
      if (pull.unchanged) await this.#keep([]);
      else if (this.#fits(pull)) {
        const news = this.#take(pull);
        await this.#keep([pull]);
        // Whoever reads this may stop the agent: the next one has the assignment.
        this.#say("assignment taken", news);
      } else {
        this.#needsWhole = true;
        return await this.#pull(signal);
      }
      this.#first.resolve();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#failures += 1;
      if (error.reason === "oversized") this.#refuse(error);
      else this.#tools.link.failed(error);
    }
  }

  /** What the service need not send. Where changes could not be kept, only the whole can be. */
  #known(): { readonly revision: string; readonly takesChanges: boolean } | null {
    const { memory } = this.#tools;
    if (this.#revision === null) return null;
    const isLost = this.#unkept[0]?.changes !== undefined && this.#unkept[0].changes !== null;
    if (this.#needsWhole || (isLost && !memory.takesChanges)) return null;
    return {
      revision: this.#revision,
      // While something waits to be kept, the whole is asked for: it makes up for that, where changes would add to it.
      takesChanges:
        memory.takesChanges && this.#unkept.length === 0 && !this.#remarks.some(isOnAll),
    };
  }

  /** Whether this is the whole, or changes of what runs that say all there is to say. */
  #fits({ changes, monitors, remarks }: Assignment): boolean {
    if (changes === null) return true;
    const { monitors: running } = this.#tools.checker;
    const more = monitors.filter(({ id }) => !running.has(id)).length;
    return (
      changes.since === this.#revision &&
      !remarks.some(isOnAll) &&
      running.size + more <= checkLimits.monitorsPerAgentMax
    );
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
    const { memory, log, runs } = this.#tools;
    try {
      const assignment = await memory.load();
      if (assignment === null) return;
      const newestSlots = runs.recalled(assignment);
      const news = this.#take({ ...assignment, newestSlots }, () => {});
      this.#say("assignment read from disk: it runs until the service sends another", news);
      this.#first.resolve();
    } catch (error) {
      log.warn("the kept assignment cannot be used: monitors run once the service answers", {
        "error.message": thrownText(error),
      });
    }
  }

  /** Keeps what came, after what could not be kept before; the whole makes up for all of that. */
  async #keep(came: readonly Assignment[]): Promise<void> {
    const all = [...this.#unkept, ...came];
    this.#unkept = all.slice(
      Math.max(
        0,
        all.findLastIndex(({ changes }) => changes === null),
      ),
    );
    try {
      for (const assignment of this.#unkept) {
        await this.#tools.memory.save(assignment);
        this.#unkept = this.#unkept.slice(1);
        this.#news.isNews("the kept assignment", "saved");
      }
    } catch (error) {
      if (this.#news.isNews("the kept assignment", "failed"))
        this.#tools.log.warn(
          "the assignment cannot be kept on disk: after a restart monitors run once the service answers",
          { "error.message": thrownText(error) },
        );
    }
  }

  /** Runs what is assigned. Gives what changed by that; null if nothing did. */
  #take(
    assignment: Assignment,
    moves = (plan: Plan) => this.#tools.runs.moves(plan),
  ): LogFields | null {
    const { revision, region, newestSlots } = assignment;
    const { checker } = this.#tools;
    const { plan, remarks } = this.#planOf(assignment);
    moves(plan);
    checker.apply(plan, newestSlots);
    this.#needsWhole = false;
    const isFirst = this.#region === null;
    this.#revision = revision;
    this.#region = region;
    this.#remark(remarks);
    for (const monitor of [...plan.start, ...plan.change]) this.#sayRejected(monitor);
    const moved = plan.start.length + plan.change.length + plan.stop.length;
    if (!isFirst && moved === 0) return null;
    return {
      location: region,
      monitors: checker.monitors.size,
      started: plan.start.length,
      changed: plan.change.length,
      stopped: plan.stop.length,
    };
  }

  /** What has to be done so that it runs, and what is then remarked of all that runs. */
  #planOf({ monitors, remarks, changes }: Assignment): {
    readonly plan: Plan;
    readonly remarks: readonly AssignmentRemark[];
  } {
    const { monitors: running } = this.#tools.checker;
    if (changes === null) return { plan: reconcile(running, monitors), remarks };
    const touched = new Set([...changes.removed, ...monitors.map(({ id }) => id)]);
    const left = this.#remarks.filter(({ monitorId }) => !touched.has(monitorId ?? ""));
    const plan = reconcileChanges(running, monitors, changes.removed);
    return { plan, remarks: [...left, ...remarks] };
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

/** It is on the assignment as such, e.g. on monitors of a kind that is not known: changes do not say what becomes of it. */
const isOnAll = ({ monitorId }: AssignmentRemark): boolean => monitorId === null;
