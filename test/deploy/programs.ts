import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
export const kubernetes: string = path.join(root, "deploy/kubernetes");
export const chart: string = path.join(kubernetes, "helm/picket");
const serviceChart = path.join(kubernetes, "helm/picket-service");

const cache = process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache");
const script = readFileSync(path.join(kubernetes, "tools.sh"), "utf8");
const [, version = ""] = /version=([\d.]+)/.exec(script) ?? [];
/** The folder into which tools.sh puts helm and kubectl. */
export const toolsFolder: string = path.join(cache, `picket/kubernetes-tools-${version}`);
export const helm: string = path.join(toolsFolder, "helm");
export const kubectl: string = path.join(toolsFolder, "kubectl");

/** Whether helm and kubectl were fetched. In CI they have to be there: nothing is skipped. */
export function programsAreThere(): boolean {
  if (existsSync(kubectl)) return true;
  const missing = "helm and kubectl are missing: run deploy/kubernetes/tools.sh to fetch them";
  if (process.env["CI"] !== undefined) throw new Error(missing);
  process.stderr.write(`${missing}; their tests are skipped\n`);
  return false;
}

export interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return { ok: status === 0, stdout, stderr };
}

const service = ["--set", "serviceUrl=https://service.example.com"];

const rendered = new Map<string, Ran>();
/** The same values make the same, so they are rendered once. */
const once = (program: string, ...args: readonly string[]): Ran =>
  rendered.getOrInsertComputed(JSON.stringify([program, ...args]), () => run(program, args));
export const template = (...args: readonly string[]): Ran =>
  once(helm, "template", "picket", chart, ...service, ...args);
/** The service's chart, with a certificate. */
export const templateService = (...args: readonly string[]): Ran =>
  once(helm, "template", "picket", serviceChart, "--set", "tls.existingSecret=tls", ...args);
export const lintService = (...args: readonly string[]): Ran =>
  once(helm, "lint", "--strict", serviceChart, ...args);
export const lint = (...args: readonly string[]): Ran =>
  once(helm, "lint", "--strict", chart, ...args);
export const kustomize = (directory: string): Ran =>
  once(kubectl, "kustomize", "--load-restrictor=LoadRestrictionsNone", directory);
