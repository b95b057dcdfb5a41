import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { toolsFolder } from "../deploy/programs.ts";
import { isInstalled, packageOf } from "../support/installed.ts";

const cache = process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache");
/** The folder of kube-apiserver, kubelet and the others. */
export const kubernetesPrograms: string = path.join(cache, "picket/kubernetes-1.20.2");

const programs = ["dockerd", "mmdebstrap", "etcd", "ip", "pkill", "nsenter", "curl"] as const;

/** Throws one error that names everything the rollout misses on this machine, and how to get it. */
export function refuseWithoutPrograms(): void {
  const missing = programs.filter((program) => !isInstalled(program));
  const steps = [
    ...(process.getuid?.() === 0 ? [] : ["become root: namespaces and an engine need it"]),
    ...(missing.length === 0
      ? []
      : [`apt-get install --no-install-recommends ${missing.map(packageOf).join(" ")}`]),
    ...(existsSync(path.join(kubernetesPrograms, "kubelet"))
      ? []
      : ["test/kubernetes/build.sh builds Kubernetes, once, in some minutes"]),
    ...(existsSync(path.join(toolsFolder, "kubectl"))
      ? []
      : ["deploy/kubernetes/tools.sh fetches helm and kubectl"]),
  ];
  if (steps.length > 0)
    throw new Error(`A rollout on a real cluster needs first:\n  ${steps.join("\n  ")}`);
}
