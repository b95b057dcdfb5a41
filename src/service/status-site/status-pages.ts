import { randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import { because, Refusal, refuseViolations } from "#service/edge/call-refusal";
import { nameTaken, noComponent, noPage, tooMany } from "#service/status-site/page-refusals";
import type { PublicAddress } from "#service/edge/public-address";
import { type AddressedPage, pageAddress, pagesPrefix } from "#service/status-site/page-address";
import { iconHref, isFileAddress, keptIcon, withOwnIcon } from "#service/status-page/icon-name";
import type { SecretBox } from "#service/edge/secret-box";
import type { PageDefinition } from "#service/status-page/page-definition";
import { pageFaults } from "#service/status-page/page-rules";
import { integerOf } from "#service/store/ids";
import type { IconFile, PageContent, StatusPageRow } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis } from "#base/units";

interface StatusPageRooms {
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly publicAddress: Pick<PublicAddress, "url">;
}

/** Status pages as people make them: their rules are kept here, and their passwords sealed. */
export class StatusPages {
  readonly #store: Store["pages"];
  readonly #subscribers: Store["readers"]["subscribers"];
  readonly #box: SecretBox;
  readonly #clock: Clock;
  readonly #publicAddress: Pick<PublicAddress, "url">;

  constructor(store: Store, { box, clock, publicAddress }: StatusPageRooms) {
    this.#store = store.pages;
    this.#publicAddress = publicAddress;
    this.#subscribers = store.readers.subscribers;
    this.#box = box;
    this.#clock = clock;
  }

  async create(definition: PageDefinition, password: string): Promise<StatusPageRow> {
    refuseFaults(definition, password);
    refuseOthersIcon(definition, "");
    if ((await this.count()) >= limits.statusPagesMax)
      throw tooMany(limits.statusPagesMax, "status pages");
    const uid = randomUUID();
    const sealed = this.sealed(password, uid);
    const at = this.#clock.wall();
    const made = await this.#store.pages.create({
      uid,
      definition,
      sealed,
      owner: "",
      labels: {},
      at,
    });
    if (typeof made === "number") return this.get(String(made));
    throw nameTaken(made, definition);
  }

  /** A password that is null stays, and so does the icon's file unless there is another. */
  async update(
    row: StatusPageRow,
    given: PageDefinition,
    password: string | null,
    iconFile: IconFile | null = null,
  ): Promise<StatusPageRow> {
    const before = iconFile === null ? row.definition.icon : keptIcon(iconFile.name);
    const definition = withOwnIcon(given, before);
    refuseOthersIcon(definition, before);
    const held = password ?? this.passwordOf(row) ?? sealedElsewhere;
    refuseFaults(definition, held, row.definition);
    const sealed = password === null ? row.sealed : this.sealed(password, row.uid);
    const at = this.#clock.wall();
    const id = String(row.id);
    const file = iconFile === null ? {} : { iconFile };
    const changed = { ...row, definition, sealed, at, ...file };
    const became = await this.#store.pages.update(row.id, changed);
    if (became === "missing") throw noPage(id);
    if (became !== "updated") throw nameTaken(became, definition);
    return this.get(id);
  }

  async delete(id: string): Promise<void> {
    if (!(await this.#store.pages.delete(integerOf(id) ?? 0))) throw noPage(id);
  }

  async get(id: string): Promise<StatusPageRow> {
    const row = await this.#store.pages.get(integerOf(id) ?? 0);
    if (row === null) throw noPage(id);
    return row;
  }

  /** Where a page's icon is, as calls and files have it. That of a file has no host as long as no address is known. */
  iconUrl(page: AddressedPage): string {
    const { definition } = page;
    const { url } = this.#publicAddress;
    return iconHref(definition, pageAddress(page, url) ?? `${pagesPrefix}${definition.slug}`);
  }

  /** A file that is a page's icon; null if it has none of this name. */
  async icon(id: number, name: string): Promise<Buffer | null> {
    const picture = await this.#store.pages.icon(id, name);
    return picture === null ? null : Buffer.from(picture, "base64");
  }

  async content(id: number): Promise<PageContent> {
    const content = await this.#store.pages.content(id);
    if (content === null) throw noPage(String(id));
    return content;
  }

  /** The components of a page by their ids; each has to stand on it. */
  async componentsAmong(page: number, ids: readonly string[]): Promise<readonly number[]> {
    if (ids.length === 0) return [];
    const { components } = await this.content(page);
    const there = new Map(components.map(({ id }) => [String(id), id]));
    return [...new Set(ids)].map((id) => {
      const known = there.get(id);
      if (known === undefined) throw noComponent(id);
      return known;
    });
  }

  list(limit: number, offset: number): Promise<readonly StatusPageRow[]> {
    return this.#store.pages.list({ limit, offset });
  }

  count(): Promise<number> {
    return this.#store.pages.count();
  }

  /** Empty if it has none; null if the key that sealed it is not there. */
  passwordOf({ sealed, uid }: StatusPageRow): string | null {
    return sealed === "" ? "" : this.#box.open(sealed, purposeOf(uid));
  }

  /** Uses up the link that was in a mail; false if it was used, or is too old. */
  useEntry(page: number, ask: number, at: EpochMillis): Promise<boolean> {
    return this.#subscribers.enter(page, ask, epochMillis(at - limits.entryWithin), at);
  }

  /** A password as it is kept. */
  sealed(password: string, uid: string): string {
    return password === "" ? "" : this.#box.seal(password, purposeOf(uid));
  }
}

const purposeOf = (uid: string): string => `status page ${uid}`;

/** A password that cannot be read here is one all the same: the page stays as closed as it is. */
const sealedElsewhere = "sealed with another key";

/** The address of a file that is none of the page's own says nothing: it has no host, or one that browsers do not load from. */
function refuseOthersIcon({ icon }: PageDefinition, own: string): void {
  if (icon === own || !isFileAddress(icon)) return;
  const message = "names a file that this page does not have: choose the file on its Look tab";
  throw new Refusal(
    "invalid_argument",
    `icon ${message}`,
    because("INVALID_ICON_URL", { field: "icon" }),
    [{ field: "icon", message }],
  );
}

/** Colours that an older version took stay, so that all else of such a page can be changed. */
function refuseFaults(
  definition: PageDefinition,
  password: string,
  before: PageDefinition | null = null,
): void {
  const isSameTheme =
    JSON.stringify(definition.customTheme) === JSON.stringify(before?.customTheme ?? null);
  const faults = pageFaults(definition, password).filter(
    ({ field }) => !isSameTheme || field !== "custom_theme",
  );
  const [first] = faults;
  if (first === undefined) return;
  if (first.reason === "INVALID_ARGUMENT") refuseViolations(faults);
  const message = `${first.field} ${first.message}`;
  throw new Refusal(
    "invalid_argument",
    message,
    because(first.reason, { field: first.field }),
    faults,
  );
}
