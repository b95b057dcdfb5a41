import { isThisMachine } from "#network/listen-address";
import { version } from "#base/version";

/** One way to start an agent: what a person has to have, and the commands, ready to be copied. */
export interface StartWay {
  readonly id: "docker" | "systemd" | "kubernetes" | "npx";
  readonly label: string;
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

/** The ways of docs/install.md and docs/kubernetes.md, filled in for one location. */
export const startWays = (start: Start): readonly StartWay[] => [
  npx(start),
  docker(start),
  systemd(start),
  kubernetes(start),
];

/** Whether only programs on the service's own machine reach it there. */
const isLocal = ({ address }: Start): boolean => isThisMachine(new URL(address).hostname);

/** Over plain http the token can be read on the way, so an agent asks for consent. */
const needsConsent = (start: Start): boolean =>
  new URL(start.address).protocol === "http:" && !isLocal(start);

const plainHttp =
  "The service's address is plain http, so the token can be read on the way. Give the service a certificate.";

const npx = (start: Start): StartWay => ({
  id: "npx",
  label: "npx",
  where:
    "In the folder of Picket's sources, after npm ci, on any machine that reaches this service. Ctrl-C stops it.",
  commands: [
    "export PICKET_STATE_DIR=$HOME/.picket",
    `${needsConsent(start) ? "PICKET_ALLOW_HTTP=1 " : ""}PICKET_TOKEN=${start.token} SERVICE_API_URL=${start.address} npx picket agent`,
  ].join("\n"),
  caution: needsConsent(start) ? plainHttp : null,
});

const docker = (start: Start): StartWay => ({
  id: "docker",
  label: "Docker",
  where: "In the folder of Picket's sources, as root, on a machine with Docker.",
  commands: [
    "docker build --tag picket .",
    "install -d -m 700 picket-secrets",
    tokenFile(start, "picket-secrets/token"),
    "chown -R 65532 picket-secrets",
    "docker run --detach --name picket --restart unless-stopped --read-only --cap-drop ALL \\",
    "  --security-opt no-new-privileges --memory 160m --volume picket-state:/var/lib/picket \\",
    "  --volume ./picket-secrets:/run/secrets:ro --env PICKET_TOKEN_FILE=/run/secrets/token \\",
    ...(isLocal(start) ? ["  --network host \\"] : []),
    ...(needsConsent(start) ? ["  --env PICKET_ALLOW_HTTP=1 \\"] : []),
    `  --env SERVICE_API_URL=${start.address} picket`,
  ].join("\n"),
  caution: isLocal(start)
    ? `${start.address} is this machine alone: run them here.`
    : needsConsent(start)
      ? plainHttp
      : null,
});

const systemd = (start: Start): StartWay => ({
  id: "systemd",
  label: "systemd",
  where: "In the folder of Picket's sources, as root, on a machine with systemd 252 or newer.",
  commands: [
    "npm ci",
    "npm run build:exe",
    ...(needsConsent(start)
      ? ["install -d /etc/picket", "echo PICKET_ALLOW_HTTP=1 >> /etc/picket/picket.env"]
      : []),
    `printf '%s\\n' ${start.token} | systemd/install.sh dist/picket-linux-${architecture} ${start.address}`,
  ].join("\n"),
  caution: isLocal(start)
    ? `${start.address} is this machine alone: run them here.`
    : needsConsent(start)
      ? plainHttp
      : `On an arm64 machine the file is dist/picket-linux-arm64.`,
});

/** The machine of the agent is not known; most are of this kind. */
const architecture = "x64";

const kubernetes = (start: Start): StartWay => ({
  id: "kubernetes",
  label: "Kubernetes",
  where: "In the folder of Picket's sources, with kubectl and helm for your cluster.",
  commands: [
    `docker build --tag ${registry}:${version()} .`,
    `docker push ${registry}:${version()}`,
    tokenFile(start, "token.txt"),
    "kubectl create namespace monitoring",
    "kubectl -n monitoring create secret generic picket-token --from-file=token=token.txt",
    "rm token.txt",
    `helm install picket deploy/kubernetes/helm/picket -n monitoring --set serviceUrl=${start.address} \\`,
    ...(needsConsent(start) ? ["  --set-string settings.PICKET_ALLOW_HTTP=1 \\"] : []),
    `  --set image.repository=${registry}`,
    "kubectl -n monitoring rollout status daemonset/picket",
  ].join("\n"),
  caution: isLocal(start)
    ? `A cluster does not reach ${start.address}: set PICKET_SERVICE_PUBLIC_URL at the service to an address that it reaches.`
    : `Write your own registry in place of ${registry}.`,
});

const registry = "registry.example.com/picket";

const tokenFile = ({ token }: Start, file: string): string =>
  `(umask 077 && printf '%s\\n' ${token} > ${file})`;
