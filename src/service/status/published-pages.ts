import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "#clock";
import * as limits from "#limits/status-limits";
import { readLatency } from "#service/status/latency-reading";
import { gatherFacts, type GatheringRooms } from "#service/status/page-gathering";
import type { PageFacts } from "#status/page-facts";
import type { LatencyFacts } from "#status/latency-facts";
import { type PageModel, pageModel } from "#status/page-model";
import type { PublicMonitor } from "#status/public-monitor";
import { monitorId } from "#store/ids";
import type { Store } from "#store/store";
import { type Nanos, nanos, nanosToMillis } from "#units";

/** One document of a page, as bytes that are sent to many. */
export interface PageDocument {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
  /** Without its quotes. */
  readonly tag: string;
}

/** A page as it was a moment ago, and what was made of it. */
export interface PublishedPage {
  readonly id: number;
  readonly facts: PageFacts;
  readonly model: PageModel;
  /** Makes a document once; whoever asks for it later, or meanwhile, gets the same. */
  rendered(name: string, make: MakeText): Promise<PageDocument | null>;
  /** How fast a public monitor of it answered up to the page's time; read once. */
  latency(monitor: PublicMonitor): Promise<LatencyFacts>;
}

type MakeText = (model: PageModel) => PageText | null | Promise<PageText>;

/** A document as text, or as the bytes of a picture. */
export interface PageText {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

interface KeptPage {
  readonly page: PublishedPage;
  readonly takenAt: Nanos;
  readonly generation: number;
}

/**
 * Pages as their readers see them, kept in memory: a thousand readers ask as much of the database as one. A page is
 * taken again ten seconds later, and at once when it has changed.
 */
export class PublishedPages {
  readonly #rooms: GatheringRooms;
  readonly #clock: Clock;
  readonly #kept = new Map<number, KeptPage>();
  readonly #taking = new Map<number, Promise<PublishedPage | null>>();
  /** Counts up when pages change. */
  #generation = 0;
  #names: Promise<PageNames> | null = null;

  constructor(rooms: GatheringRooms) {
    this.#rooms = rooms;
    this.#clock = rooms.clock;
    rooms.store.onChange((change) => {
      if (change !== "pages" && change !== "assignments") return;
      this.#generation += 1;
      this.#names = null;
    });
  }

  /** Slugs and custom domains of all pages. */
  names(): Promise<PageNames> {
    this.#names ??= namesIn(this.#rooms.store).catch((error: unknown) => {
      this.#names = null;
      throw error;
    });
    return this.#names;
  }

  /** Null where there is no such page. */
  async page(id: number): Promise<PublishedPage | null> {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.generation !== this.#generation) return this.#take(id);
    const age = nanosToMillis(nanos(this.#clock.monotonic() - kept.takenAt));
    if (age < limits.statusPageFreshFor) return kept.page;
    if (age >= limits.statusPageStaleFor) return this.#take(id);
    // Shown once more while it is taken again: its time stands on it.
    void this.#take(id).catch(() => {});
    return kept.page;
  }

  #take(id: number): Promise<PublishedPage | null> {
    const under = this.#taking.get(id);
    if (under !== undefined) return under;
    const taking = this.#gather(id).finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  async #gather(id: number): Promise<PublishedPage | null> {
    const generation = this.#generation;
    const takenAt = this.#clock.monotonic();
    const facts = await gatherFacts(this.#rooms, id);
    this.#kept.delete(id);
    if (facts === null) return null;
    const page = published(id, facts, this.#rooms.store.results);
    this.#kept.set(id, { page, takenAt, generation });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.statusPagesKeptMax && oldest !== undefined)
      this.#kept.delete(oldest);
    return page;
  }
}

export interface PageNames {
  readonly slugs: ReadonlyMap<string, number>;
  readonly domains: ReadonlyMap<string, number>;
  /** Those of pages that are published: a certificate is for these alone. */
  readonly shownDomains: ReadonlySet<string>;
}

async function namesIn({ pages }: Store): Promise<PageNames> {
  const all = await pages.pages.list({ limit: limits.statusPagesMax, offset: 0 });
  return {
    slugs: new Map(all.map(({ id, definition }) => [definition.slug, id])),
    domains: new Map(
      all.flatMap(({ id, definition: { customDomain: domain } }) =>
        domain === "" ? [] : [[domain, id] as const],
      ),
    ),
    shownDomains: new Set(
      all.flatMap(({ definition: { customDomain: domain, published: isShown } }) =>
        isShown && domain !== "" ? [domain] : [],
      ),
    ),
  };
}

function published(id: number, facts: PageFacts, results: Store["results"]): PublishedPage {
  const model = pageModel(facts);
  const documents = new Map<string, Promise<PageDocument | null>>();
  const latencies = new Map<number, Promise<LatencyFacts>>();
  return {
    id,
    facts,
    model,
    rendered: (name, make) =>
      once(documents, name, async () => {
        const text = await make(model);
        return text === null ? null : packed(text);
      }),
    latency: ({ id: monitor }) =>
      once(latencies, monitor, () => readLatency(results, monitorId(monitor), facts)),
  };
}

/** Makes a thing once for all who ask, also while it is made; what failed, and what is too much to keep, is made again. */
function once<K, V>(kept: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= limits.statusDocumentsMax) return made;
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

const compressed = promisify(gzip);

async function packed({ type, body }: PageText): Promise<PageDocument> {
  const plain = Buffer.from(body);
  const tag = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { type, plain, packed: await compressed(plain, { level: 6 }), tag };
}
