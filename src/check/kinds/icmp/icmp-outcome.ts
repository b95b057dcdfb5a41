import type { Echo } from "#check/echoes";

/** What the echoes of one attempt came to. */
export interface IcmpAnswer {
  readonly kind: "icmp";
  /** The address that was asked; null if none was. */
  readonly address: string | null;
  /** In the order in which they were sent. */
  readonly echoes: readonly Echo[];
  /** The hop limit, or time to live, of the last reply; null if none came, or the kernel did not say. */
  readonly hopLimit: number | null;
  /** Replies that came a second time. */
  readonly duplicates: number;
}

/** Of an attempt that sent nothing. */
export const noEchoes = {
  kind: "icmp",
  address: null,
  echoes: [],
  hopLimit: null,
  duplicates: 0,
} as const;
