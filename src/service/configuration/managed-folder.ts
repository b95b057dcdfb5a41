import type { Clock } from "#base/clock";
import type { Configuration } from "#contract/picket/v1/configuration_pb";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import { Refusal } from "#service/edge/call-refusal";
import type { Configurations } from "#service/configuration/configurations";
import { StoreFault } from "#service/store/store-fault";
import type { EpochMillis } from "#base/units";

/** Files that say what the service is to have, for as long as it runs. */
export interface ConfigurationFolder {
  readonly folder: string;
  /** What the files say now; null if they say the same as when this was asked last. */
  readonly read: () => Promise<FolderReading | null>;
}

/** Either everything, or every mistake as a sentence with its place. */
export type FolderReading =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly mistakes: readonly string[] };

/** How the service stands with its files. */
interface FolderState {
  /** Null until they were applied once. */
  readonly appliedAt: EpochMillis | null;
  /** Why what they say now is not what the service has; empty if it is. */
  readonly mistakes: readonly string[];
}

/** The owner of what the service's own files say. */
export const folderOwner = "config";

/** Applies the files of a folder at the start and whenever they change: all of them or none, and the last good state stays. */
export class ManagedFolder {
  readonly folder: ConfigurationFolder;
  readonly #configurations: Configurations;
  readonly #clock: Clock;
  readonly #log: Logger;
  #state: FolderState = { appliedAt: null, mistakes: [] };
  /** Whether the same files may be let pass another time. */
  #again: "no" | "soon" | "later" = "no";

  constructor(
    folder: ConfigurationFolder,
    configurations: Configurations,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.folder = folder;
    this.#configurations = configurations;
    this.#clock = clock;
    this.#log = log;
  }

  get state(): FolderState {
    return this.#state;
  }

  /** Looks until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    let last: FolderReading | null = null;
    for (let look = 1; !signal.aborted; look += 1) {
      const reading: FolderReading | null = await this.folder.read();
      last = reading ?? last;
      const isDue = reading !== null || this.#again === "soon";
      const isLater = this.#again === "later" && look % limits.configurationRetryLooks === 0;
      if (last !== null && (isDue || isLater)) await this.#take(last);
      await this.#clock.sleep(limits.configurationLookEvery, signal);
    }
  }

  async #take(reading: FolderReading): Promise<void> {
    this.#again = "no";
    if (!reading.ok) return this.#refuse(reading.mistakes);
    try {
      const { plan, tokens } = await this.#configurations.apply(reading.configuration, true, null);
      this.#state = { appliedAt: this.#clock.wall(), mistakes: [] };
      const changes = plan.changes.filter(({ action }) => action !== "same").length;
      this.#log.info("the configuration's files are applied", {
        folder: this.folder.folder,
        changes,
      });
      for (const name of tokens.keys())
        this.#log.info("a private location was created: picket token rotate shows its new token", {
          name,
        });
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof StoreFault)) throw error;
      // A database that is away may be back soon; a name that another owner has is a person's to free.
      this.#again = error instanceof StoreFault || error.code === "aborted" ? "soon" : "later";
      this.#refuse([error.message]);
    }
  }

  #refuse(mistakes: readonly string[]): void {
    const isNews = mistakes.join("\n") !== this.#state.mistakes.join("\n");
    this.#state = { ...this.#state, mistakes };
    if (!isNews) return;
    for (const mistake of mistakes.slice(0, limits.configurationMistakesLogged))
      this.#log.error(
        "the configuration's files are not applied; the previous configuration stays",
        {
          folder: this.folder.folder,
          "error.message": mistake,
        },
      );
  }
}
