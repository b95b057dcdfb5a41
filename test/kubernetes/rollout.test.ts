import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { at } from "../deploy/manifests.ts";
import { nodeName } from "./cluster.ts";
import { monitorCount, period } from "./service-behind-tls.ts";
import { type Container, containerOf } from "./container.ts";
import { page, type Pod, type Scene, serviceOnPage, settled, startScene } from "./scene.ts";

/** docs/kubernetes.md, done on a real cluster; the tests are the life of one location, in its order. */

/** Where the transcript of a whole rollout is written; null writes none. */
const transcriptFile = process.env["ROLLOUT_PAGE"] ?? null;
/** Set by the last test: half a rollout is no page. */
let isWhole = false;
let scene: Scene;

beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  if (transcriptFile !== null && isWhole)
    writeFileSync(transcriptFile, scene.transcript.page(await versions()));
  await scene?.[Symbol.asyncDispose]();
});

async function versions(): Promise<readonly string[]> {
  const said = await scene.kubectl("version -o json");
  const git = (part: string): string => String(at(JSON.parse(said), part, "gitVersion"));
  const engine = await scene.cluster.engine.must("version", "--format", "{{.Server.Version}}");
  const helm = await scene.cluster.shell("helm version --short", "/");
  return [
    `Kubernetes ${git("serverVersion")} with Docker ${engine}`,
    `kubectl ${git("clientVersion")}`,
    `helm ${helm.stdout.trim()}`,
  ];
}

const thePod = async (): Promise<Pod> => {
  const [pod, ...more] = await scene.pods();
  if (pod === undefined || more.length > 0) throw new Error(`${more.length + 1} pods, not one`);
  return pod;
};
const readyPod = (isIt: (pod: Pod) => boolean, timeout = 200_000): Promise<Pod> =>
  settled(async () => {
    const pod = await thePod();
    if (!pod.isReady || !isIt(pod)) throw new Error(`it is not there yet: ${JSON.stringify(pod)}`);
    return pod;
  }, timeout);
const inside = (pod: Pod): Container => containerOf(scene.cluster, pod);
const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`;

const slotsOf = (): readonly string[] =>
  scene.service.results().map(({ monitor, slot }) => `${monitor} ${slot}`);
/** Slots between a monitor's results that have none. */
const missing = (since: number): number => {
  const later = scene.service.results().filter(({ slot }) => slot >= since);
  return [...Map.groupBy(later, ({ monitor }) => monitor).values()].reduce((sum, of) => {
    const slots = of.map(({ slot }) => slot).toSorted((one, other) => one - other);
    const gaps = slots.slice(1).map((slot, before) => slot - (slots[before] ?? slot));
    // The first check of a monitor is made at once, between two slots.
    return (
      sum + gaps.reduce((more, gap) => more + Math.max(0, Math.round(gap / (period * 1000)) - 1), 0)
    );
  }, 0);
};
/** The instant at which the service stored the first result after this one. */
const resultAfter = (instant: number): Promise<number> =>
  settled(() => {
    const later = scene.service.results().filter(({ storedAt }) => storedAt > instant);
    if (later.length === 0) throw new Error("no result came");
    return Math.min(...later.map(({ storedAt }) => storedAt));
  }, 150_000);

const theAgent = { id: nodeName, node: nodeName, monitors: monitorCount };
const authority = " --set authorities.existingConfigMap=picket-ca";

test("helm installs it as documented: it rolls out, and its results arrive under the node's name", async () => {
  const { transcript, service } = scene;
  transcript.chapter("Install by Helm");
  await scene.documented("kubectl create namespace monitoring");
  await scene.documented(
    "kubectl -n monitoring create secret generic picket-token --from-file=token=token.txt",
  );
  await scene.documented("kubectl -n monitoring create configmap picket-ca --from-file=ca.crt");
  await scene.documented(
    "helm install picket deploy/kubernetes/helm/picket -n monitoring --set serviceUrl=https://service.example.com \\\n  --set image.repository=registry.example.com/picket",
    authority,
  );
  await scene.documented("kubectl -n monitoring rollout status daemonset/picket");
  const pod = await readyPod(() => true);
  await transcript.run("kubectl -n monitoring get daemonset,pod,configmap,networkpolicy -o wide");
  await transcript.run(`curl -s http://${pod.address}:8686/readyz`);
  const first = await resultAfter(0);
  await settled(() =>
    expect(new Set(service.results().map(({ monitor }) => monitor)).size).toBe(monitorCount),
  );
  expect(service.agents()).toEqual([theAgent]);
  transcript.saw(
    `From the pod's scheduling to its container: ${seconds(pod.scheduledAt, pod.startedAt)}, until it was ready: ${seconds(pod.scheduledAt, pod.readyAt)}, to the first result in the service: ${seconds(pod.scheduledAt, first)} (Kubernetes gives whole seconds).`,
  );
  transcript.saw(`The service knows the agent as ${nodeName}, which is the name of its node.`);
});

test("the pod runs hardened: not root, nothing to write to, no capabilities, no token of the cluster", async () => {
  const pod = await thePod();
  const status = await inside(pod).told("status");
  const of = (name: string): string =>
    new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)?.[1]?.replaceAll("\t", " ") ?? "";
  expect(of("Uid")).toBe("65532 65532 65532 65532");
  expect(of("Gid")).toBe("65532 65532 65532 65532");
  for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
    expect(of(set)).toMatch(/^0+$/);
  expect(of("NoNewPrivs")).toBe("1");
  // 2: a filter of system calls, which is the engine's default profile.
  expect(of("Seccomp")).toBe("2");
  const mounts = (await inside(pod).told("mountinfo"))
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
  const options = (point: string): string => mounts.find((mount) => mount[4] === point)?.[5] ?? "";
  expect(options("/").split(",")).toContain("ro");
  expect(options("/etc/picket/token").split(",")).toContain("ro");
  expect(mounts.filter((mount) => mount[4]?.includes("serviceaccount"))).toEqual([]);
  expect((await inside(pod).variables()).join("\n")).not.toContain(scene.service.token);
  const [, mebibytes] = /\*\*Memory\*\* is limited to (\d+)Mi/.exec(page) ?? [];
  expect(await inside(pod).memoryLimit()).toBe(Number(mebibytes) * 1024 * 1024);
  scene.transcript.chapter("How the container runs");
  scene.transcript.saw(
    `Its process in /proc: Uid ${of("Uid")}, CapBnd ${of("CapBnd")}, NoNewPrivs ${of("NoNewPrivs")}, Seccomp ${of("Seccomp")}; its root is read-only, no service account's token is mounted, and the location's token is not in its environment.`,
  );
});

test("an agent that is killed in an outage of the service starts again with every result that it kept", async () => {
  const { service, transcript } = scene;
  const pod = await thePod();
  await service.stop();
  await settled(async () => expect(await inside(pod).waiting()).toBeGreaterThanOrEqual(5));
  await inside(pod).signal("STOP");
  const kept = inside(pod).spooled();
  // Those of the last second are in memory still.
  expect(kept.length).toBeGreaterThanOrEqual(3);
  const killedAt = Date.now();
  await inside(pod).signal("KILL");
  const again = await readyPod(({ restarts }) => restarts === 1);
  const upAt = Date.now();
  expect(again.uid).toBe(pod.uid);
  await settled(async () => expect(await inside(again).waiting()).toBeGreaterThan(kept.length));
  await service.start();
  await settled(() => expect(slotsOf()).toEqual(expect.arrayContaining([...kept])));
  await settled(async () => expect(await inside(again).waiting()).toBe(0));
  expect(service.agents()).toEqual([theAgent]);
  transcript.chapter("kill -9 in an outage of the service");
  await transcript.run("kubectl -n monitoring get pods");
  transcript.saw(
    `The container was started again and ready ${seconds(killedAt, upAt)} after kill -9, while the service was away still.`,
  );
  transcript.saw(
    `All ${kept.length} results that waited in the emptyDir reached the service when it was back; ${missing(0)} slots have no result.`,
  );
});

test("an agent that hangs is replaced by the liveness probe", async () => {
  const { transcript } = scene;
  const pod = await thePod();
  const stoppedAt = Date.now();
  await inside(pod).signal("STOP");
  const again = await readyPod(({ restarts }) => restarts === pod.restarts + 1, 300_000);
  const upAt = Date.now();
  expect(again.uid).toBe(pod.uid);
  const events = await scene.kubectl("-n monitoring get events --field-selector reason=Unhealthy");
  expect(events).toContain("Liveness probe failed");
  transcript.chapter("An agent that hangs");
  transcript.saw(
    `A process that was stopped (SIGSTOP) was replaced and ready after ${seconds(stoppedAt, upAt)}: three probes that fail, the 45 s in which a pod may end by itself, and the kubelet's pause before it starts again what has failed before.`,
  );
  await resultAfter(upAt);
});

test("helm upgrade replaces the pod, which drains", async () => {
  const { transcript, service } = scene;
  const pod = await thePod();
  const since = Date.now();
  transcript.chapter("Upgrade with a changed setting");
  scene.write(
    "values.yaml",
    `serviceUrl: ${service.url}
image:
  repository: registry.example.com/picket
settings:
  PICKET_LOG_LEVEL: debug
authorities:
  existingConfigMap: picket-ca
`,
  );
  const log = scene.kubectl(`-n monitoring logs --follow --tail=5 ${pod.name}`);
  await scene.documented(
    "helm upgrade picket deploy/kubernetes/helm/picket -n monitoring -f values.yaml",
  );
  const upgradedAt = Date.now();
  await transcript.run("kubectl -n monitoring rollout status daemonset/picket");
  const said = await log;
  expect(said).toContain('"how":"drained"');
  const saidAt = (message: string): number =>
    Date.parse(new RegExp(`"timestamp":"([^"]+)".*"${message}`).exec(said)?.[1] ?? "");
  const next = await readyPod(({ uid }) => uid !== pod.uid);
  expect(next.restarts).toBe(0);
  expect(await inside(next).variables()).toContain("PICKET_LOG_LEVEL=debug");
  await resultAfter(next.readyAt + period * 1000);
  expect(service.agents()).toEqual([theAgent]);
  transcript.saw(
    `The old pod's agent drained in ${seconds(saidAt("stopping:"), saidAt("picket agent stopped"))}; the new pod's started ${seconds(upgradedAt, next.startedAt)} after the upgrade, and ${missing(since)} slots have no result. What lies between is the kubelet: this release takes a pod as gone when it has cleared away its sandbox, for which it looks once a minute.`,
  );
});

test("a rotated token is taken from the secret, without a restart", async () => {
  const { transcript, service } = scene;
  const pod = await thePod();
  const since = Date.now();
  scene.write("token.txt", await service.rotateToken());
  transcript.chapter("Rotate the token");
  await scene.documented(
    "kubectl -n monitoring create secret generic picket-token --from-file=token=token.txt --dry-run=client -o yaml | kubectl replace -f -",
  );
  const replacedAt = Date.now();
  const taken = await resultAfter(replacedAt);
  await settled(async () => expect(await inside(pod).waiting()).toBe(0));
  const same = await thePod();
  expect([same.uid, same.restarts]).toEqual([pod.uid, 0]);
  expect(missing(since)).toBe(0);
  transcript.saw(
    `The old token was refused from the start; the agent had the new one ${seconds(replacedAt, taken)} after the secret was replaced, in the same container, and no slot is without a result.`,
  );
});

test("secrets that monitors name are mounted, and a changed one is read without a restart", async () => {
  const { transcript } = scene;
  const before = await thePod();
  transcript.chapter("Secrets that monitors name");
  await scene.documented(
    "kubectl -n monitoring create secret generic picket-secrets --from-literal=shop=tok_0123456789 --from-literal=shop.hosts=shop.internal",
  );
  await scene.documented(
    "helm upgrade picket deploy/kubernetes/helm/picket -n monitoring -f values.yaml --set secrets.existingSecret=picket-secrets",
  );
  const pod = await readyPod(({ uid }) => uid !== before.uid);
  expect(await inside(pod).variables()).toContain("PICKET_SECRETS_DIR=/etc/picket/secrets");
  const log = (): Promise<string> => scene.kubectl(`-n monitoring logs ${pod.name}`);
  expect(await log()).not.toContain("a secret cannot be used");
  const patch = JSON.stringify({ stringData: { shop: "tok_9876543210" } });
  await scene.kubectl(`-n monitoring patch secret picket-secrets -p '${patch}'`);
  const patchedAt = Date.now();
  await settled(
    async () => expect(await log()).toContain("the secrets of this location were read again"),
    goneWithin,
  );
  const same = await thePod();
  expect([same.uid, same.restarts]).toEqual([pod.uid, 0]);
  expect(await log()).not.toContain("tok_");
  transcript.saw(
    `The agent read the changed secret ${seconds(patchedAt, Date.now())} after it was patched, in the same container.`,
  );
  await scene.kubectl("-n monitoring delete secret picket-secrets");
});

/** The kubelet clears away a sandbox that is older than half a minute, and looks once a minute. */
const goneWithin = 150_000;
const nothingLeft = async (): Promise<void> => {
  await settled(async () => expect(await scene.pods()).toEqual([]), goneWithin);
  const kinds =
    "all,configmap,serviceaccount,networkpolicy,poddisruptionbudget,secret,controllerrevision,persistentvolumeclaim";
  const label = "app.kubernetes.io/name=picket";
  expect(await scene.kubectl(`-n monitoring get ${kinds} -l ${label} -o name`)).toBe("");
  await settled(async () =>
    expect(await scene.cluster.engine.must("ps", "--all", "--quiet")).toBe(""),
  );
};

test("helm uninstall leaves nothing but the secret that a person made", async () => {
  scene.transcript.chapter("Uninstall");
  await scene.documented("helm uninstall picket -n monitoring");
  await nothingLeft();
  const left = await scene.transcript.run(
    "kubectl -n monitoring get all,configmap,secret,serviceaccount,networkpolicy -o name",
  );
  expect(left).not.toMatch(/helm|settings/);
});

/** The page's kustomization for the real service, and what trusts its authority. */
const kustomization = (): string =>
  (/^```yaml\n(apiVersion: kustomize[\s\S]*?)^```$/m.exec(page)?.[1] ?? "").replaceAll(
    serviceOnPage,
    scene.service.url,
  ) + trustPatch;
const trustPatch = `patches:
  - patch: |-
      apiVersion: apps/v1
      kind: DaemonSet
      metadata:
        name: picket
      spec:
        template:
          spec:
            containers:
              - name: picket
                env:
                  - name: PICKET_CA_FILE
                    value: /etc/picket/authorities/ca.crt
                volumeMounts:
                  - name: authorities
                    mountPath: /etc/picket/authorities
                    readOnly: true
            volumes:
              - name: authorities
                configMap:
                  name: picket-ca
`;

test("the kustomize base rolls out as documented", async () => {
  const { transcript, service } = scene;
  transcript.chapter("The same by kustomize");
  scene.write("kustomization.yaml", kustomization());
  const since = Date.now();
  await scene.documented("kubectl apply -k .");
  await transcript.run("kubectl -n monitoring rollout status daemonset/picket");
  const pod = await readyPod(() => true);
  await resultAfter(since);
  const environment = await inside(pod).variables();
  expect(environment).toContain(`SERVICE_API_URL=${service.url}`);
  expect(environment).toContain("PICKET_TARGET_DENY=10.9.0.0/16");
  expect(service.agents()).toEqual([theAgent]);
  await scene.documented("kubectl delete -k .");
  await nothingLeft();
});

/** Volumes on the node's disk, which only root may write until a pod is given them. */
const disks = "/run/disks";
const volumes: string = ["0", "1", "2"]
  .map(
    (name) => `apiVersion: v1
kind: PersistentVolume
metadata:
  name: disk-${name}
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  local: { path: ${disks}/${name} }
  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions:
            - { key: kubernetes.io/hostname, operator: In, values: [${nodeName}] }
`,
  )
  .join("---\n");

test("replicas share the monitors, and waiting results outlive a pod that is replaced", async () => {
  const { transcript, service } = scene;
  transcript.chapter("Replicas that share");
  await scene.cluster.enclosure.run(["mkdir", "-p", `${disks}/0`, `${disks}/1`, `${disks}/2`]);
  scene.write("volumes.yaml", volumes);
  await transcript.run("kubectl apply -f volumes.yaml");
  await scene.documented(
    "helm install picket deploy/kubernetes/helm/picket -n monitoring --set serviceUrl=https://service.example.com \\\n  --set image.repository=registry.example.com/picket --set kind=StatefulSet --set replicas=3",
    `${authority} \\\n  --set podDisruptionBudget.enabled=false`,
  );
  await transcript.run("kubectl -n monitoring rollout status statefulset/picket");
  await transcript.run("kubectl -n monitoring get pods,persistentvolumeclaims");
  const shares = await settled(() => {
    const agents = service.agents();
    expect(agents.map(({ id }) => id)).toEqual(["picket-0", "picket-1", "picket-2"]);
    expect(agents.reduce((sum, { monitors }) => sum + monitors, 0)).toBe(monitorCount);
    return agents.map(({ id, monitors }) => `${id} runs ${monitors}`);
  }, 120_000);
  transcript.saw(`Of ${monitorCount} monitors, ${shares.join(", ")}.`);

  await service.stop();
  const busy = await settled(async () => {
    for (const pod of await scene.pods()) if ((await inside(pod).waiting()) >= 2) return pod;
    throw new Error("nothing waits yet");
  });
  await transcript.run(`kubectl -n monitoring delete pod ${busy.name}`);
  const again = await settled(async () => {
    const pod = (await scene.pods()).find(({ name }) => name === busy.name);
    if (pod === undefined || !pod.isReady || pod.uid === busy.uid) throw new Error("not yet");
    return pod;
  });
  const kept = await inside(again).waiting();
  expect(kept).toBeGreaterThanOrEqual(2);
  await service.start();
  await settled(async () => expect(await inside(again).waiting()).toBe(0));
  transcript.saw(
    `${busy.name} was deleted in an outage of the service; the pod that took its place found ${kept} results on its volume, and reported them when the service was back.`,
  );
  await scene.documented("helm uninstall picket -n monitoring");
  await scene.documented("kubectl -n monitoring delete pvc -l app.kubernetes.io/instance=picket");
  await nothingLeft();
  isWhole = true;
});
