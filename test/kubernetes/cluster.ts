import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { stringify } from "yaml";
import { type Engine, startEngine } from "../image/engine.ts";
import type { CommandEnd } from "../support/run-command.ts";
import { type Enclosed, type Enclosure, startEnclosure } from "./enclosure.ts";
import { toolsFolder } from "../deploy/programs.ts";
import { kubernetesPrograms } from "./needed.ts";

/** A real control plane and one node, in an enclosure: nothing of it is left when it is disposed. */
export interface Cluster extends AsyncDisposable {
  readonly enclosure: Enclosure;
  readonly engine: Engine;
  /** Where the volumes of pods are: pods/UID/volumes. */
  readonly kubeletFolder: string;
  /** A shell command of a person who works with it: helm and kubectl are there, and know it. */
  shell(command: string, folder: string): Promise<CommandEnd>;
}

export const nodeName = "node-1";
/** The node's, from the range for tests of RFC 2544; pods have others of it. */
export const nodeAddress = "198.18.30.1";
const podRange = "198.18.31.1/24";
const pauseImage = "pause:local";
const apiServer = "https://127.0.0.1:6443";
const token = "the-administrator";

/** Loads `images`, an archive with the pause image and those that pods shall run. */
export async function startCluster(images: string): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), "picket-cluster-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  writeConfiguration(folder);
  const enclosure = opened.use(await startEnclosure(nodeAddress));
  const network = ["--bip", podRange, "--iptables=false", "--ip6tables=false", "--ip-masq=false"];
  const engine = opened.use(await startEngine({ place: { enter: enclosure.enter, network } }));
  await engine.must("load", "--quiet", "--input", images);

  const start = (name: string, program: string, args: readonly string[]): Enclosed =>
    enclosure.start([program, ...args], path.join(folder, `${name}.log`));
  const shell: Cluster["shell"] = (command, from) =>
    enclosure.run(["bash", "-c", `cd "${from}" && ${command}`], {
      PATH: `${toolsFolder}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      KUBECONFIG: path.join(folder, "kubeconfig"),
      NO_COLOR: "1",
    });
  const answers = (command: string, expected: RegExp): Promise<void> =>
    vi.waitFor(
      async () => {
        const { output } = await shell(command, folder);
        if (!expected.test(output)) throw new Error(`${command}: ${output}\n${logEnds(folder)}`);
      },
      { timeout: 200_000, interval: 250 },
    );

  start("etcd", "etcd", etcdArguments(folder));
  start("api", `${kubernetesPrograms}/kube-apiserver`, apiArguments(folder));
  await answers("kubectl get --raw /readyz", /^ok/);
  start(
    "controllers",
    `${kubernetesPrograms}/kube-controller-manager`,
    controllerArguments(folder),
  );
  start("scheduler", `${kubernetesPrograms}/kube-scheduler`, schedulerArguments(folder));
  const node = start(
    "kubelet",
    `${kubernetesPrograms}/kubelet`,
    kubeletArguments(folder, engine.socket),
  );
  await answers(`kubectl get node ${nodeName}`, / Ready /);
  // What the controllers make in each namespace, and pods wait for.
  await answers("kubectl -n default get serviceaccount default", /default/);

  const kept = opened.move();
  kept.defer(async () => {
    // Before the engine, which would wait for its containers; after the kubelet, which would start them again.
    await node.end("KILL");
    const ids = await engine.must("ps", "--all", "--quiet");
    if (ids !== "") await engine.must("rm", "--force", ...ids.split("\n"));
  });
  return {
    enclosure,
    engine,
    kubeletFolder: path.join(folder, "kubelet"),
    shell,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The image of the container that holds a pod's network, made of the base that the agent's was built on. */
export async function buildPause(engine: Engine): Promise<string> {
  const context = mkdtempSync(path.join(tmpdir(), "picket-pause-"));
  try {
    // The first process of a container does not hear the signal that would end it.
    const lines = [
      "FROM node:26-bookworm-slim",
      "STOPSIGNAL SIGKILL",
      'ENTRYPOINT ["sleep", "infinity"]',
    ];
    writeFileSync(path.join(context, "Dockerfile"), lines.join("\n"));
    await engine.must("build", "-q", "-t", pauseImage, context);
  } finally {
    rmSync(context, { recursive: true });
  }
  return pauseImage;
}

const programs = ["etcd", "api", "controllers", "scheduler", "kubelet"];

/** The last lines of every log, for whoever has to find out why it did not start. */
function logEnds(folder: string): string {
  const ends = programs.map((name) => {
    const file = path.join(folder, `${name}.log`);
    const text = readFileSync(file, { encoding: "utf8", flag: "a+" });
    return `${name}: ${text.trimEnd().split("\n").slice(-5).join("\n")}`;
  });
  return ends.join("\n");
}

function writeConfiguration(folder: string): void {
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  write("accounts.key", privateKey.export({ type: "pkcs1", format: "pem" }));
  write("tokens.csv", `${token},administrator,1,system:masters\n`);
  write("kubeconfig", stringify(kubeconfig));
  write("kubelet.yaml", stringify(kubelet));
  mkdirSync(path.join(folder, "plugins"));
}

const kubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "test", cluster: { server: apiServer, "insecure-skip-tls-verify": true } }],
  users: [{ name: "administrator", user: { token } }],
  contexts: [{ name: "test", context: { cluster: "test", user: "administrator" } }],
  "current-context": "test",
};

/** A node inside of something that limits what it may do itself: no groups of its own, no rules of a firewall. */
const kubelet = {
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  address: nodeAddress,
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: "AlwaysAllow" },
  cgroupDriver: "cgroupfs",
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  failSwapOn: false,
  healthzPort: 0,
  makeIPTablesUtilChains: false,
  oomScoreAdj: 0,
  resolvConf: "",
  // A disk that is nearly full costs neither pods nor images.
  evictionHard: { "memory.available": "50Mi" },
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
};

const etcdArguments = (folder: string): readonly string[] => [
  `--data-dir=${folder}/etcd`,
  "--listen-client-urls=http://127.0.0.1:2379",
  "--advertise-client-urls=http://127.0.0.1:2379",
  "--listen-peer-urls=http://127.0.0.1:2380",
  "--unsafe-no-fsync",
];

const apiArguments = (folder: string): readonly string[] => [
  "--etcd-servers=http://127.0.0.1:2379",
  "--bind-address=127.0.0.1",
  `--advertise-address=${nodeAddress}`,
  "--secure-port=6443",
  "--insecure-port=0",
  `--cert-dir=${folder}/api`,
  `--service-account-key-file=${folder}/accounts.key`,
  `--service-account-signing-key-file=${folder}/accounts.key`,
  "--service-account-issuer=https://cluster.test",
  `--token-auth-file=${folder}/tokens.csv`,
  "--authorization-mode=RBAC",
  "--service-cluster-ip-range=198.18.40.0/24",
  "--endpoint-reconciler-type=none",
  "--kubelet-preferred-address-types=InternalIP",
];

const controllerArguments = (folder: string): readonly string[] => [
  `--kubeconfig=${folder}/kubeconfig`,
  "--bind-address=127.0.0.1",
  `--cert-dir=${folder}/controllers`,
  `--service-account-private-key-file=${folder}/accounts.key`,
  "--leader-elect=false",
  `--flex-volume-plugin-dir=${folder}/plugins`,
];

const schedulerArguments = (folder: string): readonly string[] => [
  `--kubeconfig=${folder}/kubeconfig`,
  "--bind-address=127.0.0.1",
  `--cert-dir=${folder}/scheduler`,
  "--leader-elect=false",
];

const kubeletArguments = (folder: string, engine: string): readonly string[] => [
  `--config=${folder}/kubelet.yaml`,
  `--kubeconfig=${folder}/kubeconfig`,
  `--hostname-override=${nodeName}`,
  `--node-ip=${nodeAddress}`,
  `--root-dir=${folder}/kubelet`,
  `--cert-dir=${folder}/node`,
  `--volume-plugin-dir=${folder}/plugins`,
  "--container-runtime=docker",
  `--docker-endpoint=${engine}`,
  `--experimental-dockershim-root-directory=${folder}/dockershim`,
  `--pod-infra-container-image=${pauseImage}`,
  "--network-plugin=",
];
