import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import * as limits from "#limits/status-limits";
import { type Changes, KeptReading, type Reading } from "#service/status-site/kept-reading";
import { readLatency } from "#service/status-site/latency-reading";
import {
  type GatheredPage,
  gatherPage,
  type GatheringRooms,
} from "#service/status-site/page-gathering";
import type { LatencyFacts } from "#service/status-page/latency-facts";
import { isReached } from "#service/status-site/page-address";
import { ownDomain } from "#service/status-page/page-definition";
import { type PageModel, pageModel } from "#service/status-page/page-model";
import type { PublicMonitor } from "#service/status-page/public-monitor";
import { monitorId } from "#service/store/ids";
import type { FormerAddress } from "#service/store/page-store";
import type { Store } from "#service/store/store";

/** One document of a page, as bytes that are sent to many. */
export interface PageDocument {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
  /** Without its quotes. */
  readonly tag: string;
}

/** A page as it was a moment ago, and what was made of it. */
export interface PublishedPage extends GatheredPage {
  readonly id: number;
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

type KeptPage = KeptReading<PublishedPage | null>;

/**
 * Pages as their readers see them, kept in memory: a thousand readers ask as much of the database as one. A page is
 * taken again ten seconds later, and at once when it has changed. While the database is away, the last one is shown.
 */
export class PublishedPages {
  readonly #rooms: GatheringRooms;
  readonly #kept = new Map<number, KeptPage>();
  readonly #names: KeptReading<PageNames>;
  #changes: Changes = { known: 0, possible: 0 };

  constructor(rooms: GatheringRooms) {
    this.#rooms = rooms;
    this.#names = this.#reading(() => namesIn(rooms.store));
    rooms.store.onChange((change, isCertain) => {
      if (change !== "pages" && change !== "assignments") return;
      const { known, possible } = this.#changes;
      this.#changes = { known: isCertain ? known + 1 : known, possible: possible + 1 };
    });
  }

  /** Slugs and custom domains of all pages. */
  async names(): Promise<PageNames> {
    const { value, isLate } =
      this.#names.youngerThan(Number.POSITIVE_INFINITY) ?? (await this.#names.current());
    return isLate ? { ...value, isLate } : value;
  }

  /** Null if there is no such page. */
  async page(id: number): Promise<PublishedPage | null> {
    const kept = this.#kept.get(id) ?? this.#beginning(id);
    const fresh = kept.youngerThan(limits.statusPageFreshFor);
    if (fresh !== null) return fresh.value;
    const stale = kept.youngerThan(limits.statusPageStaleFor);
    // Shown once more while it is taken again: its time stands on it.
    if (stale !== null) void kept.renew().catch(() => {});
    return orAsItWas(stale ?? (await kept.current()));
  }

  /** The same, which waits for a database that is slow: for what does not say of when it is. */
  async pageOfNow(id: number): Promise<PublishedPage | null> {
    const kept = this.#kept.get(id) ?? this.#beginning(id);
    return orAsItWas(await kept.awaited());
  }

  #reading<T>(read: () => Promise<T>): KeptReading<T> {
    return new KeptReading({ read, changes: () => this.#changes, clock: this.#rooms.clock });
  }

  #beginning(id: number): KeptPage {
    const kept: KeptPage = this.#reading(async () => {
      const gathered = await gatherPage(this.#rooms, id);
      this.#kept.delete(id);
      if (gathered === null) return null;
      this.#keep(id, kept);
      return published(gathered, this.#rooms.store.results);
    });
    this.#keep(id, kept);
    return kept;
  }

  #keep(id: number, kept: KeptPage): void {
    this.#kept.set(id, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.statusPagesKeptMax && oldest !== undefined)
      this.#kept.delete(oldest);
  }
}

export interface PageNames {
  /** Whether the database could not be read: there may be others by now. */
  readonly isLate: boolean;
  readonly slugs: ReadonlyMap<string, number>;
  readonly domains: ReadonlyMap<string, number>;
  /** Those that a page had before, and no page has now. */
  readonly formerSlugs: ReadonlyMap<string, number>;
  readonly formerDomains: ReadonlyMap<string, number>;
  /** Domains by which no request has come yet. */
  readonly unreached: ReadonlySet<string>;
  /** Of pages that are published. */
  readonly shown: ReadonlySet<number>;
}

async function namesIn({ pages }: Store): Promise<PageNames> {
  const [all, former] = await Promise.all([
    pages.pages.list({ limit: limits.statusPagesMax, offset: 0 }),
    pages.pages.formerAddresses(),
  ]);
  const formerOf = (wanted: FormerAddress["kind"]) =>
    new Map(former.flatMap(({ kind, name, page }) => (kind === wanted ? [[name, page]] : [])));
  return {
    isLate: false,
    formerSlugs: formerOf("slug"),
    formerDomains: formerOf("domain"),
    slugs: new Map(all.map(({ id, definition }) => [definition.slug, id])),
    domains: new Map(
      all.flatMap(({ id, definition }) =>
        definition.customDomain === "" ? [] : [[ownDomain(definition), id] as const],
      ),
    ),
    unreached: new Set(all.flatMap((row) => (isReached(row) ? [] : [ownDomain(row.definition)]))),
    shown: new Set(all.flatMap(({ id, definition }) => (definition.published ? [id] : []))),
  };
}

const orAsItWas = ({ value, isLate }: Reading<PublishedPage | null>): PublishedPage | null =>
  value !== null && isLate ? asItWas(value) : value;

/** The last page that the database gave, which says so. */
const asItWas = (page: PublishedPage): PublishedPage => {
  const model = { ...page.model, isLate: true };
  return {
    ...page,
    model,
    rendered: (name, make) => page.rendered(`late ${name}`, () => make(model)),
  };
};

function published(gathered: GatheredPage, results: Store["results"]): PublishedPage {
  const { facts } = gathered;
  const model = pageModel(facts);
  const documents = new Map<string, Promise<PageDocument | null>>();
  const latencies = new Map<number, Promise<LatencyFacts>>();
  return {
    ...gathered,
    id: gathered.row.id,
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

/** A text as the bytes that are sent. */
export async function packed({ type, body }: PageText): Promise<PageDocument> {
  const plain = Buffer.from(body);
  const tag = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { type, plain, packed: await compressed(plain, { level: 6 }), tag };
}
