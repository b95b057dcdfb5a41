import type { GrpcTarget } from "#check/kinds/grpc/grpc-monitor";
import { grpcurlTarget } from "#check/kinds/grpc/grpcurl-words";
import { grpcForm } from "#check/kinds/grpc/grpc-form";
import type { OutcomeOf } from "#check/outcome";
import { commonDefaults, type DefinitionOf } from "#check/definition";
import type { Fact } from "#check/fact";
import { grpcArguments } from "#check/kinds/grpc/grpc-arguments";
import { grpcCodes, noHealth } from "#check/kinds/grpc/grpc-outcome";
import { readGrpcTarget } from "#check/kinds/grpc/read-grpc";
import type { KindEntry } from "#check/kinds/kind-entry";
import { shownUri } from "#check/kinds/shown-uri";
import { showHostPort } from "#network/host-port";

const grpcDefaults: DefinitionOf<"grpc"> = {
  ...commonDefaults,
  kind: "grpc",
  uri: "",
  service: "",
  tlsMode: "tls",
  metadata: [],
};

const example = `grpc_monitors:
  - name: orders
    uri: orders.internal:50051
    service: shop.v1.Orders
    tls_mode: tls # or plaintext, or tls_insecure
    periodicity: 1m
    active: true
    metadata:
      - { key: authorization, value: { env: ORDERS_TOKEN } }`;

/** Questions to the health service of a gRPC server. */
export const grpcKind: KindEntry<"grpc"> = {
  label: "gRPC",
  passesIf: "the server says that it is serving",
  trialShows: "where the time went: DNS, connect, TLS, first byte",
  glyph: "M3 6.5h13.5M13 3l3.5 3.5L13 10M17 13.5H3.5M7 10l-3.5 3.5L7 17",
  noun: "a gRPC target",
  does: "Questions to the health service of a gRPC server.",
  arguments: grpcArguments,
  defaults: grpcDefaults,
  values: (read) => read(grpcArguments),
  example,
  form: grpcForm,
  written: ({ uri, service, tls_mode: tlsMode, metadata }, common) => ({
    kind: "grpc",
    uri,
    service,
    tlsMode,
    metadata,
    ...common,
  }),
  unseen: noHealth,
  typed: {
    scheme: /^grpcs?:/i,
    shape: "grpcs://host:port/service, grpc://host:port/service",
    definition: (text, { common, request }) => ({
      ...grpcDefaults,
      ...common,
      ...typedCall(text),
      metadata: request.headers,
    }),
    pasted: (text) => {
      const { uri, service, tlsMode } = typedCall(text);
      return new Map([
        ["uri", uri],
        ["service", service],
        ["tls_mode", tlsMode],
      ]);
    },
    commands: [{ programs: ["grpcurl"], read: grpcurlTarget }],
  },
  judgedBy: ["certificate", "latency"],
  uri: ({ uri }) => uri,
  shownUri,
  read: readGrpcTarget,
  assertions: () => [],
  shown,
  caution: cautionOf,
  name: ({ host, port }) => showHostPort(host, port),
  server: (target) => target,
  isProxied: true,
  sent: {
    headers: ({ metadata }) => metadata,
    with: (target, metadata) => ({ ...target, metadata }),
    isVerified: ({ tlsMode }) => tlsMode === "tls",
  },
  cut: (outcome, cut) => ({
    ...outcome,
    servingStatus: outcome.servingStatus === null ? null : cut(outcome.servingStatus),
    grpcMessage: cut(outcome.grpcMessage),
  }),
  lines: callLines,
  facts: healthFacts,
  json: ({ service, servingStatus, grpcCode, grpcMessage }) => ({
    service,
    serving_status: servingStatus,
    code: grpcCode,
    message: grpcMessage,
  }),
};

/** `grpc://host:port/service` speaks no TLS and `grpcs://host:port/service` does. */
function typedCall(text: string): Pick<DefinitionOf<"grpc">, "uri" | "service" | "tlsMode"> {
  const [, secure = "", uri = "", service = ""] =
    /^grpc(s?):(?:\/\/)?([^/]*)\/?(.*)$/is.exec(text) ?? [];
  return { uri, service, tlsMode: secure === "" ? "plaintext" : "tls" };
}

/** Whoever reads of it anywhere is to know that no one vouches for who answers. */
function cautionOf({ tlsMode }: { readonly tlsMode: string }): string {
  return tlsMode === "tls_insecure" ? "certificate not verified" : "";
}

function shown(target: GrpcTarget): string {
  const { host, port, service } = target;
  const caution = cautionOf(target);
  return `${showHostPort(host, port)}${service === "" ? "" : ` ${service}`}${caution === "" ? "" : `, ${caution}`}`;
}

/** Names of metadata and no value. */
function callLines({ service, tlsMode, metadata }: DefinitionOf<"grpc">): readonly Fact[] {
  return [
    { label: "Health of", value: service === "" ? "the whole server" : service },
    { label: "TLS", value: tlsWords[tlsMode] ?? "verified" },
    ...metadata.map(({ key }) => ({ label: "Metadata", value: `${key}, its value is not shown` })),
  ];
}

const tlsWords: Readonly<Record<string, string>> = {
  tls: "verified",
  plaintext: "none",
  tls_insecure: "any certificate is accepted: it is not verified",
};

function healthFacts({ servingStatus, grpcCode, grpcMessage }: OutcomeOf<"grpc">): readonly Fact[] {
  if (grpcCode === null) return [];
  const name = grpcCodes[grpcCode] ?? `code ${grpcCode}`;
  const said = grpcMessage === "" ? "" : `: ${grpcMessage}`;
  return [{ label: "Answer", value: servingStatus ?? `${name}${said}` }];
}
