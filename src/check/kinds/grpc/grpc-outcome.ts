/** What a gRPC server said of its health. */
export interface GrpcAnswer {
  readonly kind: "grpc";
  /** The service whose health was asked for; empty is the whole server. */
  readonly service: string;
  /** SERVING, NOT_SERVING, SERVICE_UNKNOWN, UNKNOWN or another number's text; null if none came. */
  readonly servingStatus: string | null;
  /** The status code of the call; null if none came. */
  readonly grpcCode: number | null;
  /** What the server wrote with it; empty if nothing. */
  readonly grpcMessage: string;
}

/** Of an attempt that got no answer. */
export const noHealth = {
  kind: "grpc",
  service: "",
  servingStatus: null,
  grpcCode: null,
  grpcMessage: "",
} as const;

/** By their numbers: https://grpc.github.io/grpc/core/md_doc_statuscodes.html. */
export const grpcCodes = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;
