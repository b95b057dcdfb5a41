import { isThisMachine } from "#network/listen-address";
import { version } from "#base/version";

/** One way to start an agent: what a person has to have, and the commands, ready to be copied. */
export interface StartWay {
  readonly id: "here" | "systemd" | "docker" | "kubernetes";
  readonly label: string;
  /** What becomes of the agent, next to the label: people choose by it. */
  readonly gist: string;
  /** Where the commands are run. */
  readonly where: string;
  /** Lines of a shell. */
  readonly commands: string;
  /** What has to be changed in them, or why they cannot work yet; null if they are complete. */
  readonly caution: string | null;
}

interface Start {
  /** The service's address as agents reach it, without a slash at its end. */
  readonly address: string;
  /** The location's token, or what stands for it. */
  readonly token: string;
}

/** The ways of docs/install.md, filled in for one location. */
export const startWays = (start: Start): readonly StartWay[] => [
  here(start),
  systemd(start),
  docker(start),
  kubernetes(start),
];

/** Whether only programs on the service's own machine reach it there. */
const isLocal = ({ address }: Start): boolean => isThisMachine(new URL(address).hostname);

/** Over plain http the token can be read on the way, so an agent asks for consent. */
const needsConsent = (start: Start): boolean =>
  new URL(start.address).protocol === "http:" && !isLocal(start);

const plainHttp =
  "The service's address is plain http, so the token can be read on the way. Give the service a certificate.";

/** The program itself is small. */
const firstDownload =
  "The first start downloads 120 MB if the machine has no Node.js 26, and takes as long as that.";

const here = (start: Start): StartWay => ({
  id: "here",
  label: "Run it here",
  gist: "in a terminal, until you stop it",
  where: `On any Linux machine that reaches this service. It needs curl. Ctrl-C stops the agent, and the same line starts it again. An agent of another location can run next to it. ${firstDownload}`,
  commands: commandOf(start, ""),
  caution: localCaution(start),
});

const systemd = (start: Start): StartWay => ({
  id: "systemd",
  label: "systemd",
  gist: "a service of one machine, which starts with it",
  where: `As root, on a Linux machine with systemd 252 or newer and curl. The agent starts again with the machine. A machine has one such agent: this gives it the token of this location. ${firstDownload}`,
  commands: commandOf(start, "systemd"),
  caution: localCaution(start),
});

const docker = (start: Start): StartWay => ({
  id: "docker",
  label: "Docker",
  gist: "a container on one machine",
  where:
    "On a machine with Docker and curl. It puts the program on the image node:26-bookworm-slim, and starts the container picket. For a second agent there, put PICKET_CONTAINER=picket-2 before sh.",
  commands: commandOf(start, "docker"),
  caution: localCaution(start),
});

/** So that the same lines upgrade what they made. */
const madeOrChanged = "--dry-run=client -o yaml | kubectl apply -f -";

const kubernetes = (start: Start): StartWay => ({
  id: "kubernetes",
  label: "Kubernetes",
  gist: "an agent on each node of a cluster",
  where:
    "On a machine with Docker, curl, and kubectl and helm for your cluster. The first line builds the image and fetches the chart. After an upgrade of this service, run all lines again. For a second location in one cluster, write another namespace in place of monitoring in each line: in the same one it takes the place of the first.",
  commands: [
    commandOf(start, `kubernetes ${image}`),
    `docker push ${image}`,
    tokenFile(start, "token.txt"),
    `kubectl create namespace monitoring ${madeOrChanged}`,
    "kubectl -n monitoring create secret generic picket-token --from-file=token=token.txt \\",
    `  ${madeOrChanged}`,
    "rm token.txt",
    `helm upgrade --install picket ./picket-chart -n monitoring --set serviceUrl=${start.address} \\`,
    ...(needsConsent(start) ? ["  --set-string settings.PICKET_ALLOW_HTTP=1 \\"] : []),
    `  --set image.repository=${registry}`,
    "kubectl -n monitoring rollout status daemonset/picket",
  ].join("\n"),
  caution: isLocal(start)
    ? `A cluster does not reach ${start.address}: open these pages by an address that it reaches, or set PICKET_SERVICE_PUBLIC_URL at the service to one.`
    : `Write your own registry in place of ${registry}.`,
});

/** What the agents of a cluster need of an own authority, before helm and with it. */
export const clusterAuthority = {
  configMap: "kubectl -n monitoring create configmap picket-ca --from-file=ca.crt=ca.pem",
  option: "--set authorities.existingConfigMap=picket-ca",
} as const;

/**
 * The line for a shell: the service hands out the program, and a script that checks and starts it. If curl fails, it says
 * why, and the line fails with it: sh would end well with nothing to run.
 */
const commandOf = (start: Start, way: string): string =>
  [
    `(curl -fsS ${start.address}/agent/start.sh || echo exit 1) |`,
    ...(needsConsent(start) ? ["PICKET_ALLOW_HTTP=1"] : []),
    `PICKET_TOKEN=${start.token}`,
    `SERVICE_API_URL=${start.address}`,
    way === "" ? "sh" : `sh -s ${way}`,
  ].join(" ");

const localCaution = (start: Start): string | null => {
  if (isLocal(start)) return `${start.address} is this machine alone: run it here.`;
  return needsConsent(start) ? plainHttp : null;
};

const registry = "registry.example.com/picket";
const image = `${registry}:${version()}`;

const tokenFile = ({ token }: Start, file: string): string =>
  `(umask 077 && printf '%s\\n' ${token} > ${file})`;
