import type { PathWatch } from "#agent/looks/path-watch";
import * as limits from "#limits/path-limits";
import type { BeatPath } from "#transport/control-plane";
import { pathWithoutAddresses } from "#wire/write-path";

/** Which paths the service is sent: those that were traced since it took them. */
export class PathNews {
  readonly #watch: Pick<PathWatch, "known">;
  readonly #isWhole: boolean;
  /** By network and part of its monitors: the path that the service has. */
  readonly #sent = new Map<string, string>();
  #sending: ReadonlyMap<string, string> = new Map();
  #last: string | null = null;

  /** Addresses describe the inside of a network: they go along if `isWhole`. */
  constructor(watch: Pick<PathWatch, "known">, isWhole: boolean) {
    this.#watch = watch;
    this.#isWhole = isWhole;
  }

  /** Some of them, by turns; the others come with the next heartbeats. */
  due(): readonly BeatPath[] {
    const all = [...this.#watch.known()].flatMap(inParts);
    const next = all.findIndex(({ key }) => key === this.#last) + 1;
    const due = [...all.slice(next), ...all.slice(0, next)]
      .filter(({ key, version }) => this.#sent.get(key) !== version)
      .slice(0, limits.pathsPerBeat);
    this.#sending = new Map(due.map(({ key, version }) => [key, version]));
    return due.map(({ path, monitorIds }) => ({
      path: this.#isWhole ? path : pathWithoutAddresses(path),
      monitorIds,
    }));
  }

  /** The service has what was due last. */
  heard(): void {
    if (this.#sent.size > limits.pathsMax) this.#sent.clear();
    for (const [key, version] of this.#sending) {
      this.#sent.set(key, version);
      this.#last = key;
    }
    this.#sending = new Map();
  }
}

interface PathPart extends BeatPath {
  readonly key: string;
  readonly version: string;
}

/** A path that many monitors use goes in several parts. */
function inParts({ path, monitorIds }: BeatPath): readonly PathPart[] {
  const sorted = monitorIds.toSorted();
  const parts = Math.ceil(sorted.length / limits.monitorsPerPathMax);
  return Array.from({ length: parts }, (_, part) => {
    const from = part * limits.monitorsPerPathMax;
    const ids = sorted.slice(from, from + limits.monitorsPerPathMax);
    const version = `${path.tracedAt} ${ids.join(" ")}`;
    return { path, monitorIds: ids, key: `${path.network} ${part}`, version };
  });
}
