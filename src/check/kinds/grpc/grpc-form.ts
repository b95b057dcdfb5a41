import { type Choice, column } from "#check/form-field";
import type { KindForm } from "#check/kinds/form-columns";
import { grpcTlsModes, type GrpcTlsMode } from "#check/kinds/grpc/grpc-monitor";

const tlsWords: { readonly [M in GrpcTlsMode]: string } = {
  tls: "TLS, certificate verified",
  plaintext: "No TLS",
  tls_insecure: "TLS with any certificate",
};

/** What only a gRPC monitor has. */
export const grpcForm: KindForm<"grpc"> = {
  uri: {
    group: "what",
    label: "Host and port",
    help: "Of a server with the gRPC health service.",
    control: { is: "text", width: "name", example: "shop.example:443" },
  },
  service: {
    group: "what",
    label: "Service",
    help: "",
    control: { is: "text", width: "word", example: "The whole server" },
  },
  tls_mode: {
    group: "what",
    label: "TLS",
    help: "",
    control: {
      is: "choice",
      choices: grpcTlsModes.map((mode): Choice => [mode, tlsWords[mode]]),
    },
  },
  metadata: {
    group: "request",
    label: "Metadata",
    help: "",
    control: {
      is: "rows",
      one: "metadata entry",
      columns: {
        key: column("Name", { is: "text", width: "word" }),
        value: column("Value", { is: "secret", lines: 1 }),
      },
    },
  },
};
