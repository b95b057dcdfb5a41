import type { GrpcAnswer } from "#check/kinds/grpc/grpc-outcome";
/** How a gRPC check speaks TLS: verified, not at all, or with any certificate. */
export const grpcTlsModes = ["tls", "plaintext", "tls_insecure"] as const;
export type GrpcTlsMode = (typeof grpcTlsModes)[number];

/** What a gRPC check asks. */
export interface GrpcTarget {
  readonly kind: "grpc";
  /** A name or an address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** The service whose health is asked for; empty is the whole server. */
  readonly service: string;
  readonly tlsMode: GrpcTlsMode;
  /** Names are lower case; values are secrets. */
  readonly metadata: readonly MetadataEntry[];
}

/** What only a gRPC monitor has, as it was written. */
interface GrpcFields {
  readonly kind: "grpc";
  readonly uri: string;
  readonly service: string;
  readonly tlsMode: string;
  readonly metadata: readonly MetadataEntry[];
}

interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

export interface GrpcTypes {
  readonly target: GrpcTarget;
  readonly fields: GrpcFields;
  readonly answer: GrpcAnswer;
}
