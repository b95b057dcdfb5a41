import type { Failure } from "#check/failure";
import type { BodyClaim } from "#probes/socket/body-memory";
import type { HeaderPairs } from "#network/http/headers";

/** The head of a response, and as much of its body as was wanted, still encoded. */
export interface RawResponse {
  readonly statusCode: number;
  readonly version: "1.0" | "1.1" | "2";
  readonly headers: HeaderPairs;
  /** What the transfer itself put over the content's own encoding, innermost first. */
  readonly transferCodings: readonly string[];
  readonly informational: readonly number[];
  readonly raw: Uint8Array;
  /** True when there was more body than the limit. */
  readonly cut: boolean;
  /** What came behind the body, over HTTP/2; empty if nothing did. */
  readonly trailers: HeaderPairs;
  /** The memory that it holds; null when it is too short to hold any. */
  readonly claim: BodyClaim | null;
}

/** What the head alone says. */
export type ResponseHead = Pick<
  RawResponse,
  "statusCode" | "version" | "headers" | "transferCodings"
>;

/** What came of one request; a response that broke off is kept next to the failure. */
export interface ExchangeEnd {
  readonly received: RawResponse | null;
  readonly failure: Failure | null;
}
