import type { SettingKind } from "#config/setting-kinds";
import { settings, type SettingName } from "#config/agent-settings";

/** What the chart's values may be: the source of values.schema.json and of the README's table. */

export interface ValueSchema {
  readonly description: string;
  readonly type: "string" | "integer" | "boolean" | "object" | "array";
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly required?: readonly string[];
  readonly items?: ValueSchema;
}

/** An object of known keys and no others. */
const strict = (
  description: string,
  properties: Readonly<Record<string, ValueSchema>>,
  required: readonly string[] = [],
): ValueSchema => ({
  description,
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const text = (description: string, more: Partial<ValueSchema> = {}): ValueSchema => ({
  description,
  type: "string",
  ...more,
});
const flag = (description: string): ValueSchema => ({ description, type: "boolean" });
/** What Kubernetes itself defines, and its API server checks. */
const kubernetes = (description: string, type: "object" | "array" = "object"): ValueSchema => ({
  description,
  type,
});
const texts = (description: string): ValueSchema => ({
  description,
  type: "object",
  additionalProperties: text("text"),
});

/** Settings that the chart makes from values of its own: given twice, one of the two would have no effect. */
const madeByChart: ReadonlySet<string> = new Set([
  "SERVICE_API_URL",
  "PICKET_PLACEMENT",
  "PICKET_STATE_DIR",
  "PICKET_TOKEN_FILE",
  "PICKET_DRAIN_TIMEOUT",
  "PICKET_CA_FILE",
  "PICKET_SECRETS_DIR",
  "PICKET_CLIENT_CERT_FILE",
  "PICKET_CLIENT_KEY_FILE",
  "PICKET_NODE",
  "PICKET_INSTANCE",
]);

const open = Object.entries(settings).filter(
  ([name, setting]) => !("secret" in setting) && !madeByChart.has(name),
);
const secret = Object.entries(settings).filter(
  ([name, setting]) => "secret" in setting && name !== "PICKET_TOKEN",
);

const oneOf = (...values: readonly string[]): Partial<ValueSchema> => ({ enum: values });
/** What can be said of a value before a pod starts: what passes here the agent may still refuse, and says so. */
const shapes: { readonly [K in SettingKind]?: Partial<ValueSchema> } = {
  url: { pattern: "^https?://[^?#]+$" },
  duration: { pattern: "^[0-9]{1,9}(ms|s|m|h)$" },
  size: { pattern: "^[0-9]{1,12}(B|KiB|MiB|GiB)?$" },
  count: { pattern: "^[0-9]{1,5}$" },
  switch: oneOf("on", "off", "1", "0", "true", "false"),
  header: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
  family: oneOf("any", "4", "6"),
  placement: oneOf("share", "everywhere"),
  resolver: oneOf("stub", "system"),
  level: oneOf("debug", "info", "warn", "error"),
  format: oneOf("json", "pretty"),
  latency: oneOf("total", "head"),
  evidence: oneOf("off", "local"),
  raw_sockets: oneOf("auto", "on", "off"),
  protocol: oneOf("http/protobuf", "http/json"),
  // The kubelet asks this port whether the agent lives.
  listen: oneOf("0.0.0.0:8686", "[::]:8686"),
};

function variable(name: string): ValueSchema {
  const { kind, does, fallback } = settings[name as SettingName];
  const shown =
    fallback === null || fallback === "" || kind === "listen" ? "" : ` (default: ${fallback})`;
  return text(`${does}${shown}`, shapes[kind] ?? {});
}

const fromSecret = (description: string): ValueSchema =>
  strict(
    description,
    {
      existingSecret: text("the secret", { minLength: 1 }),
      key: text("its key", { minLength: 1 }),
    },
    ["existingSecret", "key"],
  );

const openTelemetry = "^OTEL_[A-Z0-9_]+$";

/** What the charts have in common. */
const imageValues: Readonly<Record<string, ValueSchema>> = {
  image: strict("the image", {
    repository: text("where the image is", { minLength: 1 }),
    tag: text("its tag; empty takes the chart's appVersion"),
    digest: text("its digest, in place of the tag", { pattern: "^(sha256:[0-9a-f]{64})?$" }),
    pullPolicy: text("when it is pulled", { enum: ["IfNotPresent", "Always", "Never"] }),
  }),
  imagePullSecrets: kubernetes("secrets of the registry, as [{name: registry}]", "array"),
};
const placeValues: Readonly<Record<string, ValueSchema>> = {
  resources: kubernetes("requests and limits"),
  tolerations: kubernetes("tolerations", "array"),
  nodeSelector: texts("labels that a node needs"),
  affinity: kubernetes("affinity"),
  priorityClassName: text("the priority class; empty takes the cluster's default"),
};
const podValues: Readonly<Record<string, ValueSchema>> = {
  podLabels: texts("more labels of the pods"),
  podAnnotations: texts("more annotations of the pods"),
};
const globalValue = kubernetes("values of a parent chart; not read");

export const valuesSchema: ValueSchema = strict(
  "values of the chart picket",
  {
    kind: text("DaemonSet: every node checks all; StatefulSet: the replicas share the monitors", {
      enum: ["DaemonSet", "StatefulSet"],
    }),
    replicas: {
      description: "agents of a StatefulSet; a DaemonSet has one a node",
      type: "integer",
      minimum: 1,
      maximum: 100,
    },
    ...imageValues,
    serviceUrl: text("the service, as https://service.example.com (required)", {
      pattern: "^https?://[^?#@]+$",
    }),
    token: strict("the location's token, mounted as a file", {
      existingSecret: text("the secret that holds the token", { minLength: 1 }),
      key: text("its key", { minLength: 1 }),
    }),
    settings: {
      ...strict(
        "the agent's variables, all as text; picket agent --help lists them",
        Object.fromEntries(open.map(([name]) => [name, variable(name)])),
      ),
      patternProperties: { [openTelemetry]: text("a standard variable of OpenTelemetry") },
    },
    secretSettings: {
      ...strict(
        "variables whose values are in secrets, as PICKET_TARGET_PROXY: {existingSecret: proxies, key: targets}",
        Object.fromEntries(secret.map(([name, { does }]) => [name, fromSecret(does)])),
      ),
      patternProperties: { [openTelemetry]: fromSecret("a standard variable of OpenTelemetry") },
    },
    secrets: strict("what monitors name as {{secret:NAME}}, mounted as files", {
      existingSecret: text(
        "a secret with a key for each, and NAME.hosts with the hosts that may have it; empty mounts none",
      ),
    }),
    drainTimeoutSeconds: {
      description: "how long a stop waits for checks and reports; the pod gets 15 s more",
      type: "integer",
      minimum: 1,
      maximum: 600,
    },
    authorities: strict("certificate authorities to trust beside the system's", {
      existingConfigMap: text("a ConfigMap that holds them; empty adds none"),
      key: text("its key, a PEM file", { minLength: 1 }),
    }),
    clientCertificate: strict("the agent's client certificate", {
      existingSecret: text("a secret of type kubernetes.io/tls; empty shows no certificate"),
    }),
    state: strict("where results wait for the service", {
      kind: text(
        "emptyDir, hostPath (DaemonSet) or volumeClaim (StatefulSet); empty takes emptyDir for a DaemonSet, else volumeClaim",
        { enum: ["", "emptyDir", "hostPath", "volumeClaim"] },
      ),
      size: text("its size; more than PICKET_SPOOL_MAX_BYTES", { pattern: "^[0-9]+(Mi|Gi|Ti)$" }),
      hostPath: text(
        "a directory of the node that user 65532 may write; empty takes /var/lib/picket/NAMESPACE/NAME, with the name of the DaemonSet",
        { pattern: "^(/.+)?$" },
      ),
      storageClassName: text("the class of a volumeClaim; empty takes the cluster's default"),
    }),
    ...placeValues,
    dnsPolicy: text("ClusterFirst resolves as pods do, Default as the node does", {
      enum: ["ClusterFirst", "Default"],
    }),
    ...podValues,
    networkPolicy: strict("a NetworkPolicy", {
      enabled: flag("lets nothing in but to port 8686; what goes out stays open"),
    }),
    podDisruptionBudget: strict("a PodDisruptionBudget", {
      enabled: flag("one agent of a StatefulSet is evicted at a time"),
    }),
    serviceMonitor: strict("a ServiceMonitor, where the Prometheus operator is installed", {
      enabled: flag("scrapes /metrics"),
      interval: text("how often", { pattern: "^[0-9]+(s|m)$" }),
      labels: texts("labels that the Prometheus selects by"),
    }),
    // Helm gives it to every chart.
    global: globalValue,
  },
  ["serviceUrl"],
);

export const serviceValuesSchema: ValueSchema = strict("values of the chart picket-service", {
  replicas: {
    description: "services behind one address; more than one needs a database",
    type: "integer",
    minimum: 1,
    maximum: 10,
  },
  ...imageValues,
  database: strict("a PostgreSQL in place of SQLite on a volume", {
    existingSecret: text("a secret that holds its URL, as postgres://…; empty takes SQLite"),
    key: text("its key", { minLength: 1 }),
    sealingKey: text(
      "the secret's key with 32 random bytes in base64, which seal tokens in the database",
      { minLength: 1 },
    ),
  }),
  tls: strict("the service's own certificate, renewed with its secret and without a restart", {
    existingSecret: text("a secret of type kubernetes.io/tls; empty needs allowHttp"),
  }),
  allowHttp: flag("plain http: only where an Ingress or a mesh speaks TLS before it"),
  config: strict("files that say what the service has, applied whenever they change", {
    existingConfigMap: text("a ConfigMap with files as of picket apply; empty: calls alone say it"),
    existingSecret: text("a secret whose entries are the variables that those files refer to"),
  }),
  state: strict("the volume of SQLite", {
    size: text("its size", { pattern: "^[0-9]+(Mi|Gi|Ti)$" }),
    storageClassName: text("its class; empty takes the cluster's default"),
  }),
  ...placeValues,
  ...podValues,
  networkPolicy: strict("a NetworkPolicy", {
    enabled: flag("lets nothing in but to port 8787; what goes out stays open"),
  }),
  podDisruptionBudget: strict("a PodDisruptionBudget, where there are several replicas", {
    enabled: flag("one of them is evicted at a time"),
  }),
  global: globalValue,
});
