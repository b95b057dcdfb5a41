import type { Row, SqlValue } from "#service/store/sql";

/** How the engine reaches a PostgreSQL: a pool over the network, or one in this process for tests. */
export interface Connections extends AsyncDisposable {
  /** Gives one connection to `work`, and to nothing else meanwhile. A statement takes as long as one of a call may. */
  use<R>(work: (query: Query) => Promise<R>): Promise<R>;
  /**
   * The same with a new connection, whose statements may take any time: copying all results to other servers takes
   * minutes. It is cut off when `signal` aborts.
   */
  useLong<R>(work: (query: Query) => Promise<R>, signal: AbortSignal): Promise<R>;
  /**
   * Hears what is said on a channel, and holds the lock of its session, until the connection is lost or `signal` aborts;
   * then it ends, and rejects when the connection was lost or could not be had. `began` is called when nothing is missed
   * from then on.
   */
  listen(channel: Channel, signal: AbortSignal): Promise<void>;
}

/** Values are `$1`, `$2`, … in the text. */
export type Query = (text: string, values?: readonly SqlValue[]) => Promise<QueryAnswer>;
interface QueryAnswer {
  readonly rows: readonly Row[];
  readonly changed: number;
}

export interface Channel {
  readonly name: string;
  /** The number of a lock that the database has while it listens: so other replicas see that this one is there. */
  readonly session: number;
  readonly onSession: (isHeld: boolean) => void;
  readonly began: () => void;
  readonly onNotice: (payload: string) => void;
}
