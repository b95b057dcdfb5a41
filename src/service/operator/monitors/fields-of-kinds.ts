import { numberComparators, recordComparators, recordTypes } from "#check/assertion";
import { grpcTlsModes, type GrpcTlsMode } from "#check/kinds/grpc/grpc-monitor";
import type { DefinitionOf } from "#check/definition";
import type { ArgumentsOf } from "#check/kinds/common-arguments";
import type { Kind } from "#check/monitor";
import * as limits from "#limits/check-limits";
import {
  type Choice,
  column,
  type FieldsOf,
  foldedGroup,
  type FormFields,
  type FormGroup,
  openGroup,
} from "#service/operator/forms/form-field";
import { commonFields, nameField } from "#service/operator/monitors/common-fields";
import { httpFields } from "#service/operator/monitors/http-fields";
import {
  comparator,
  type OwnFields,
  plainChoices,
  target,
} from "#service/operator/monitors/kind-columns";

/** The groups of a monitor's form, in their order; one that has no field of the kind is left out. */
export const monitorGroups: readonly FormGroup[] = [
  openGroup("what", "What to check"),
  openGroup("often", "How often"),
  openGroup(
    "must",
    "What must be true",
    "If one of these is not, the check fails. Without any, the default is expected of the answer.",
  ),
  openGroup("slow", "When it is slow"),
  openGroup("who", "Who is notified"),
  openGroup("where", "Where it runs"),
  foldedGroup("request", "Request: method, headers, body"),
  foldedGroup("attempts", "Timeout and retries"),
  foldedGroup("alerts", "When trouble becomes an incident"),
  foldedGroup("notes", "Labels, notes and status pages"),
  foldedGroup("metrics", "Metrics to your collector"),
];

const tlsWords: { readonly [M in GrpcTlsMode]: string } = {
  tls: "TLS, the certificate is verified",
  plaintext: "no TLS",
  tls_insecure: "TLS with any certificate",
};

const tcpFields: OwnFields<"tcp"> = {
  uri: {
    group: "what",
    label: "Host and port",
    help: "An IPv6 address is in brackets: [::1]:5432.",
    control: { is: "text", width: "line", example: "db.example:5432" },
  },
};

const dnsFields: OwnFields<"dns"> = {
  uri: {
    group: "what",
    label: "Name",
    help: "To ask one name server: dns:shop.example?server=10.0.0.53.",
    control: { is: "text", width: "line", example: "shop.example" },
  },
  record_assertions: {
    group: "must",
    label: "Records",
    help: "Their types are asked for; without any, A and AAAA.",
    control: {
      is: "rows",
      one: "record rule",
      columns: {
        record: column("Type", { is: "choice", choices: plainChoices(recordTypes) }),
        comparator: comparator(recordComparators),
        target: target("Value"),
      },
    },
  },
};

const icmpFields: OwnFields<"icmp"> = {
  uri: {
    group: "what",
    label: "Host",
    help: "A name or an address, without a port. An IPv6 address has no brackets.",
    control: { is: "text", width: "line", example: "router.example" },
  },
  loss_assertions: {
    group: "must",
    label: "Loss",
    help: "Without any, one reply is enough.",
    control: {
      is: "rows",
      one: "loss rule",
      columns: {
        comparator: comparator(numberComparators),
        target: column("Share", { is: "number", unit: "%" }),
      },
    },
  },
  latency_assertions: {
    group: "must",
    label: "Mean round trip",
    help: "",
    control: {
      is: "rows",
      one: "latency rule",
      columns: {
        comparator: comparator(numberComparators),
        target: column("Time", { is: "number", unit: "ms" }),
      },
    },
  },
  packets: {
    group: "attempts",
    label: "Packets",
    help: `Echo requests of one check. 1 to ${limits.icmpPacketsMax}.`,
    control: { is: "number", unit: "" },
  },
  interval: {
    group: "attempts",
    label: "Between packets",
    help: `${limits.icmpIntervalMin} to ${limits.icmpIntervalMax}.`,
    control: { is: "number", unit: "ms" },
  },
};

const grpcFields: OwnFields<"grpc"> = {
  uri: {
    group: "what",
    label: "Host and port",
    help: "Of a server with the gRPC health service.",
    control: { is: "text", width: "line", example: "shop.example:443" },
  },
  service: {
    group: "what",
    label: "Service",
    help: "Whose health is asked for. Empty: that of the whole server.",
    control: { is: "text", width: "name" },
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
    help: "Sent with the call. A saved value is not shown; left empty, it is kept.",
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

/** The fields of each kind, the target first: a setting without a field does not compile. */
const fieldsByKind: {
  readonly [K in Kind]: FieldsOf<ArgumentsOf<DefinitionOf<K>>, "renamed_from">;
} = {
  http: { ...httpFields, name: nameField, ...commonFields },
  tcp: { ...tcpFields, name: nameField, ...commonFields },
  dns: { ...dnsFields, name: nameField, ...commonFields },
  icmp: { ...icmpFields, name: nameField, ...commonFields },
  grpc: { ...grpcFields, name: nameField, ...commonFields },
};

export const monitorFields = (kind: Kind): FormFields => fieldsByKind[kind];
