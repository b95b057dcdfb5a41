import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { at } from "../deploy/manifests.ts";
import { buildImage, startEngine } from "../image/engine.ts";
import { buildPause, type Cluster, nodeAddress, startCluster } from "./cluster.ts";
import { refuseWithoutPrograms } from "./needed.ts";
import { type ServiceBehindTls, startServiceBehindTls } from "./service-behind-tls.ts";
import { startTranscript, type Transcript } from "./transcript.ts";

/** A cluster, a service outside of it, and a person with a checkout who does what docs/kubernetes.md says. */
export interface Scene extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly service: ServiceBehindTls;
  readonly transcript: Transcript;
  /** Runs a command that the page shows, with the service's real address. */
  documented(command: string, more?: string): Promise<string>;
  /** Writes a file into the person's folder, where every command runs; the transcript shows it if it is YAML. */
  write(name: string, text: string): void;
  /** What kubectl prints, without a place in the transcript. */
  kubectl(args: string): Promise<string>;
  pods(): Promise<readonly Pod[]>;
}

/** What the tests ask of a pod. */
export interface Pod {
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  readonly isReady: boolean;
  readonly restarts: number;
  readonly containerId: string;
  /** Epoch milliseconds of what Kubernetes tells in whole seconds. */
  readonly scheduledAt: number;
  readonly startedAt: number;
  readonly readyAt: number;
}

const repository = path.resolve(import.meta.dirname, "../..");
export const page: string = readFileSync(path.join(repository, "docs/kubernetes.md"), "utf8");
const imageOnPage = /docker build --tag (\S+)/.exec(page)?.[1] ?? "";
/** How the page calls the service. */
export const serviceOnPage = "https://service.example.com";

export async function startScene(): Promise<Scene> {
  refuseWithoutPrograms();
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), "picket-rollout-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const cluster = opened.use(await startCluster(await imageArchive(folder)));
  const { enclosure } = cluster;
  const service = await startServiceBehindTls(enclosure, { address: nodeAddress, folder });

  const home = path.join(folder, "person");
  mkdirSync(home);
  const transcript = startTranscript((command) => cluster.shell(command, home));
  const write: Scene["write"] = (name, text) => {
    writeFileSync(path.join(home, name), text);
    if (name.endsWith(".yaml")) transcript.file(name, text);
  };
  // The page's commands run in a checkout, its kustomization beside one.
  symlinkSync(path.join(repository, "deploy"), path.join(home, "deploy"));
  symlinkSync(repository, path.join(home, "picket"));
  write("token.txt", service.token);
  write("ca.crt", service.authority);
  const kubectl: Scene["kubectl"] = async (args) => {
    const { code, stdout, output } = await cluster.shell(`kubectl ${args}`, home);
    if (code !== 0) throw new Error(`kubectl ${args} ended with ${code}: ${output}`);
    return stdout.trimEnd();
  };
  const kept = opened.move();
  return {
    cluster,
    service,
    transcript,
    write,
    kubectl,
    documented: (command, more = "") => {
      if (!page.includes(command)) throw new Error(`docs/kubernetes.md does not say: ${command}`);
      return transcript.run(command.replaceAll(serviceOnPage, service.url) + more);
    },
    pods: async () => {
      const found: unknown = JSON.parse(
        await kubectl("-n monitoring get pods -l app.kubernetes.io/name=picket -o json"),
      );
      const items = at(found, "items");
      return Array.isArray(items) ? items.map(podOf) : [];
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Builds the image in an engine that may reach a registry of packages, under the name that the page gives it. */
async function imageArchive(folder: string): Promise<string> {
  const archive = path.join(folder, "images.tar");
  await using engine = await startEngine();
  await buildImage(engine, imageOnPage);
  await engine.must("save", "--output", archive, imageOnPage, await buildPause(engine));
  return archive;
}

function podOf(item: unknown): Pod {
  const text = (...keys: readonly (string | number)[]): string => {
    const value = at(item, ...keys);
    return typeof value === "string" ? value : "";
  };
  const conditions = at(item, "status", "conditions");
  const since = (type: string): number => {
    const all = Array.isArray(conditions) ? conditions : [];
    const condition: unknown = all.find((one) => at(one, "type") === type);
    return at(condition, "status") === "True"
      ? Date.parse(String(at(condition, "lastTransitionTime")))
      : Number.NaN;
  };
  const container = ["status", "containerStatuses", 0] as const;
  return {
    name: text("metadata", "name"),
    uid: text("metadata", "uid"),
    address: text("status", "podIP"),
    isReady: !Number.isNaN(since("Ready")),
    restarts: Number(at(item, ...container, "restartCount") ?? 0),
    containerId: text(...container, "containerID").replace("docker://", ""),
    scheduledAt: since("PodScheduled"),
    startedAt: Date.parse(text(...container, "state", "running", "startedAt")),
    readyAt: since("Ready"),
  };
}

/** Waits for what a cluster needs time for. */
export const settled = <T>(look: () => Promise<T> | T, timeout = 200_000): Promise<T> =>
  vi.waitFor(look, { timeout, interval: 250 });
