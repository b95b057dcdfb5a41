/** What a person reads, before any provider's format: one form for all of them, in the order of what matters. */
export interface Message {
  readonly tone: Tone;
  /** State and name first: a phone shows forty characters. */
  readonly title: string;
  /** What failed, as a sentence; empty if nothing did. What is too long is cut here first. */
  readonly reason: string;
  readonly facts: readonly Fact[];
  /** Of a digest: one line each. */
  readonly lines: readonly Line[];
  /** What the people of the monitor wrote in it. */
  readonly note: string;
  readonly links: readonly Link[];
  /** Acknowledges the incident with one use: for chats, mail and push alone. */
  readonly acknowledgeUrl: string | null;
  /** What its button says; left out: that it acknowledges. */
  readonly acknowledgeLabel?: string;
  /** For what has room for one line: where and since when. */
  readonly brief: Brief;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What it is about, which leads to its page, and what else is said of it. */
export interface Line {
  readonly lead: string;
  readonly rest: string;
  readonly url: string | null;
}

export interface Link {
  readonly label: string;
  readonly url: string;
}

/** The few words that a telephone gets. */
export interface Brief {
  readonly state: string;
  readonly name: string;
  readonly since: string;
}

export type Tone = "down" | "slow" | "up" | "quiet";
