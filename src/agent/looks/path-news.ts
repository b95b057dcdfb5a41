import type { PathWatch } from "#agent/looks/path-watch";
import * as limits from "#limits/path-limits";
import type { BeatPath } from "#transport/control-plane";
import { pathWithoutAddresses } from "#wire/write-path";

/** Which paths the service is sent: those that were traced since it took them. */
export class PathNews {
  readonly #watch: Pick<PathWatch, "known">;
  readonly #isWhole: boolean;
  /** By network: the path that the service has. */
  readonly #sent = new Map<string, string>();
  #sending: ReadonlyMap<string, string> = new Map();

  /** Addresses describe the inside of a network: they go along if `isWhole`. */
  constructor(watch: Pick<PathWatch, "known">, isWhole: boolean) {
    this.#watch = watch;
    this.#isWhole = isWhole;
  }

  /** Some of them; the others come with the next heartbeats. */
  due(): readonly BeatPath[] {
    const due: BeatPath[] = [];
    const sending = new Map<string, string>();
    for (const { path, monitorIds } of this.#watch.known()) {
      const version = `${path.tracedAt} ${monitorIds.join(" ")}`;
      if (this.#sent.get(path.network) === version) continue;
      sending.set(path.network, version);
      due.push({
        path: this.#isWhole ? path : pathWithoutAddresses(path),
        monitorIds: monitorIds.slice(0, limits.monitorsPerPathMax),
      });
      if (due.length === limits.pathsPerBeat) break;
    }
    this.#sending = sending;
    return due;
  }

  /** The service has what was due last. */
  heard(): void {
    if (this.#sent.size > limits.pathsMax) this.#sent.clear();
    for (const [network, version] of this.#sending) this.#sent.set(network, version);
    this.#sending = new Map();
  }
}
