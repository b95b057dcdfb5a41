import type { SaidWork } from "#service/store/news/saved-saying";
import type { EpochMillis } from "#base/units";

/** What became of one piece of news that went to the subscribers of a status page. */
export interface NewsTally {
  /** The id of the report's update, or of the maintenance. */
  readonly about: number;
  /** When it was announced. */
  readonly at: EpochMillis;
  readonly sent: number;
  /** Refused, or tried for so long that it is dropped. */
  readonly failed: number;
  /** Not tried yet. */
  readonly waiting: number;
  /** Failed, and tried again. */
  readonly retried: number;
  /** When the last one was sent; null if none was. */
  readonly sentAt: EpochMillis | null;
  /** Why the last one that failed did so, as a sentence, and when; empty and null if none did. */
  readonly trouble: string;
  readonly troubleAt: EpochMillis | null;
  /** What the letters said of planned work; null of reports, and if that is not known. */
  readonly said: SaidWork["is"] | "cancelled" | null;
  /** To how many it was written by each way; null of what was said before this was kept. */
  readonly ways: TalliedWays | null;
}

export type TalliedWays = { readonly [W in SubscriberWay]: number };
type SubscriberWay = "email" | "webhook";

/** What news are about; the ids are those of updates of reports, or of maintenances. A cancellation is of one that is deleted. */
export interface TalliesQuery {
  readonly kind: "report" | "maintenance" | "cancellation";
  readonly about: readonly number[];
}

/** The step that made room for them: a letter that is sent is deleted, so what became of it is counted here. */
export const newsTallyTables: string = `
  CREATE TABLE news_tallies (
    kind TEXT NOT NULL,
    about INTEGER NOT NULL,
    at INTEGER NOT NULL,
    sent INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    sent_at INTEGER,
    trouble TEXT NOT NULL DEFAULT '',
    trouble_at INTEGER,
    PRIMARY KEY (kind, about, at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX news_tallies_by_time ON news_tallies (at);
  `;

/** The step that keeps by which ways news went out. */
export const talliedWays: string = `
  -- As JSON; empty: not known.
  ALTER TABLE news_tallies ADD COLUMN ways TEXT NOT NULL DEFAULT '';
  `;
