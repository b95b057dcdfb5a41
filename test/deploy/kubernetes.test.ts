import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accepts } from "#config/setting-kinds";
import { settings } from "#config/agent-settings";
import { generatedManifests, generatedTexts } from "../../deploy/kubernetes/generated.ts";
import { valuesSchema, type ValueSchema } from "../../deploy/kubernetes/values-schema.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { at, manifestOf, manifestsIn, variablesIn } from "./manifests.ts";
import { helm, kubernetes, kustomize, lint, programsAreThere, template } from "./programs.ts";
import { typeErrors } from "./api-check.ts";

const written = (file: string): string => readFileSync(path.join(kubernetes, file), "utf8");
const asWritten = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(files).map((file) => [file, written(file)]));

const setting = (...values: readonly string[]): readonly string[] =>
  values.flatMap((value) => ["--set", value]);

/** Sets of values that people use, each with what it adds to the command line. */
const sets: Readonly<Record<string, readonly string[]>> = {
  nodes: [],
  shared: setting("kind=StatefulSet", "replicas=3", "serviceMonitor.enabled=true"),
  "host path": setting("state.kind=hostPath"),
  everything: setting(
    "authorities.existingConfigMap=ca",
    "clientCertificate.existingSecret=client",
    "secrets.existingSecret=secrets",
    "settings.PICKET_TARGET_DENY=10.9.0.0/16",
    "settings.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318",
    "secretSettings.PICKET_SERVICE_PROXY.existingSecret=proxies",
    "secretSettings.PICKET_SERVICE_PROXY.key=service",
    "drainTimeoutSeconds=60",
    "priorityClassName=high",
    "dnsPolicy=Default",
    "podLabels.team=net",
    "imagePullSecrets[0].name=registry",
    "nodeSelector.disk=ssd",
  ),
};

describe("the generated files", () => {
  test("are what the settings, the schema and the values make: npm run generate:kubernetes", () => {
    const files = generatedTexts();
    expect(asWritten(files)).toEqual(files);
  });
  test("install the image of this version", () => {
    const { version } = JSON.parse(
      readFileSync(path.join(kubernetes, "../../package.json"), "utf8"),
    );
    expect(at(manifestsIn(written("helm/picket/Chart.yaml"))[0], "appVersion")).toBe(version);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
  });
  test("describe every value, and take every setting of the agent in one way", () => {
    expect(undescribed(valuesSchema, "values")).toEqual([]);
    const of = (name: string): readonly string[] =>
      Object.keys(valuesSchema.properties?.[name]?.properties ?? {});
    const taken = new Set([...of("settings"), ...of("secretSettings")]);
    const made = Object.keys(settings).filter((name) => !taken.has(name));
    expect(made.toSorted()).toEqual([
      "PICKET_CA_FILE",
      "PICKET_CLIENT_CERT_FILE",
      "PICKET_CLIENT_KEY_FILE",
      "PICKET_DRAIN_TIMEOUT",
      "PICKET_INSTANCE",
      "PICKET_NODE",
      "PICKET_PLACEMENT",
      "PICKET_SECRETS_DIR",
      "PICKET_STATE_DIR",
      "PICKET_TOKEN",
      "PICKET_TOKEN_FILE",
      "SERVICE_API_URL",
    ]);
  });
});

function undescribed(schema: ValueSchema, name: string): readonly string[] {
  const inner = Object.entries(schema.properties ?? {});
  const missing = schema.description.trim() === "" ? [name] : [];
  return [...missing, ...inner.flatMap(([key, one]) => undescribed(one, `${name}.${key}`))];
}

describe.skipIf(!programsAreThere())("the chart", () => {
  test.each(Object.entries(sets))("makes what the API's types take: %s", (_, args) => {
    const { ok, stdout, stderr } = template(...args);
    expect({ ok, stderr }).toEqual({ ok: true, stderr: "" });
    expect(typeErrors(manifestsIn(stdout))).toBe("");
  });
  test.each(Object.entries(sets))("makes the same as before: %s", (_, args) => {
    expect(template(...args).stdout).toMatchSnapshot();
  });
  test.each(Object.entries(sets))("sets only variables that the agent knows: %s", (_, args) => {
    const names = variablesIn(template(...args).stdout);
    expect(names.length).toBeGreaterThan(5);
    const unknown = names.filter((name) => !(name in settings) && !name.startsWith("OTEL_"));
    expect(unknown).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
  test("passes helm's strict lint with a service, and not without", () => {
    expect(lint("--set", "serviceUrl=https://service.example.com").ok).toBe(true);
    expect(lint().stderr + lint().stdout).toContain("serviceUrl");
    expect(lint().ok).toBe(false);
  });
  test("gives the pod longer than the agent's drain", () => {
    const { stdout } = template("--set", "drainTimeoutSeconds=120");
    const pod = at(manifestOf(stdout, "DaemonSet"), "spec", "template", "spec");
    expect(at(pod, "terminationGracePeriodSeconds")).toBe(135);
    const drain = String(at(manifestOf(stdout, "ConfigMap"), "data", "PICKET_DRAIN_TIMEOUT"));
    expect(drain).toBe("120s");
    expect(accepts.duration(drain)).toBe(true);
  });
  test.each([
    [[], "/var/lib/picket/default/picket"],
    [["--namespace", "shop"], "/var/lib/picket/shop/picket"],
    [["--set", "state.hostPath=/var/lib/picket"], "/var/lib/picket"],
  ])("keeps the state of a release on a node apart from that of another one: %j", (args, kept) => {
    const { stdout } = template("--set", "state.kind=hostPath", ...args);
    const pod = at(manifestOf(stdout, "DaemonSet"), "spec", "template", "spec");
    expect(at(pod, "volumes")).toContainEqual({
      name: "state",
      hostPath: { path: kept, type: "Directory" },
    });
  });
  test("replaces the pods when a setting changes, and only then", () => {
    const stamp = (...args: readonly string[]): unknown => {
      const daemons = manifestOf(template(...args).stdout, "DaemonSet");
      return at(daemons, "spec", "template", "metadata", "annotations");
    };
    expect(stamp("--set", "settings.PICKET_LOG_LEVEL=debug")).not.toEqual(stamp());
    expect(stamp("--set", "networkPolicy.enabled=false")).toEqual(stamp());
  });
  test.each([
    ["an unknown value", "nope=1", "additional properties 'nope' not allowed"],
    ["an unknown kind", "kind=Deployment", "value must be one of 'DaemonSet', 'StatefulSet'"],
    ["no agents", "replicas=0", "at '/replicas': minimum: got 0, want 1"],
    ["a token in the settings", "settings.PICKET_TOKEN=x", "'PICKET_TOKEN' not allowed"],
    ["a proxy's password in the settings", "settings.PICKET_SERVICE_PROXY=x", "not allowed"],
    ["a misspelt setting", "settings.PICKET_LOGLEVEL=x", "'PICKET_LOGLEVEL' not allowed"],
    ["a service that is no URL", "serviceUrl=x", "at '/serviceUrl': 'x' does not match"],
    ["a service with a password", "serviceUrl=https://u:p@s.example", "at '/serviceUrl'"],
    ["a service over plain http", "serviceUrl=http://s.example", "plain http"],
    ["a level that there is not", "settings.PICKET_LOG_LEVEL=loud", "PICKET_LOG_LEVEL"],
    ["an interval without unit", "settings.PICKET_POLL_INTERVAL=soon", "PICKET_POLL_INTERVAL"],
    ["a port that no probe asks", "settings.PICKET_LISTEN=off", "PICKET_LISTEN"],
    ["credentials in the settings", "settings.OTEL_EXPORTER_OTLP_HEADERS=a=b", "secretSettings"],
    ["a separate label", "podLabels.app\\.kubernetes\\.io/name=x", "podLabels may not have"],
    [
      "a variable twice",
      "settings.OTEL_X=a,secretSettings.OTEL_X.existingSecret=s,secretSettings.OTEL_X.key=k",
      "one of the two",
    ],
    ["a shared directory", "kind=StatefulSet,state.kind=hostPath", "needs kind DaemonSet"],
    ["claims of a DaemonSet", "state.kind=volumeClaim", "needs kind StatefulSet"],
  ])("refuses %s with a sentence", (_, values, sentence) => {
    const { ok, stderr } = template("--set", values);
    expect(ok).toBe(false);
    expect(stderr).toContain(sentence);
  });
  test("says of a setting what the agent says", () => {
    const { properties = {} } = valuesSchema.properties?.["settings"] ?? {};
    const defaults = Object.entries(settings).filter(([name]) => name in properties);
    for (const [name, { kind, fallback }] of defaults) {
      const { enum: listed = [], pattern = "" } = properties[name] ?? {};
      for (const value of listed) expect(accepts[kind](value), name).toBe(true);
      if (fallback === null || fallback === "" || kind === "listen") continue;
      if (listed.length > 0) expect(listed, name).toContain(fallback);
      expect(fallback, name).toMatch(new RegExp(pattern));
    }
    expect(defaults.length).toBeGreaterThan(20);
  });
  test("quotes what YAML would take for something else than text", () => {
    const args = ["priorityClassName=true", "token.existingSecret=1", "podLabels.team=2"];
    const { ok, stdout } = template(...args.flatMap((arg) => ["--set-string", arg]));
    expect(ok).toBe(true);
    expect(typeErrors(manifestsIn(stdout))).toBe("");
  });
});

describe.skipIf(!programsAreThere())("the manifests for kustomize", () => {
  test("are the chart's", () => {
    const files = generatedManifests(helm);
    expect(asWritten(files)).toEqual(files);
  });
  test.each(["base", "shared"])("are what the API's types take: %s", (name) => {
    const { ok, stdout } = kustomize(path.join(kubernetes, "kustomize", name));
    expect(ok).toBe(true);
    expect(typeErrors(manifestsIn(stdout))).toBe("");
    expect(stdout).toMatchSnapshot();
  });
  test.each(["base", "shared"])("show the token's file to the agent's group alone: %s", (name) => {
    const { stdout } = kustomize(path.join(kubernetes, "kustomize", name));
    const kind = name === "base" ? "DaemonSet" : "StatefulSet";
    const volumes = at(manifestOf(stdout, kind), "spec", "template", "spec", "volumes");
    expect(at(volumes, 0, "secret", "defaultMode")).toBe(0o440);
  });
  test("take your own settings, and state that outlives the pod", () => {
    const folder = temporaryFolder();
    const from = (name: string): string =>
      path.relative(folder, path.join(kubernetes, "kustomize", name));
    writeFileSync(
      path.join(folder, "kustomization.yaml"),
      `resources: [${from("base")}]
components: [${from("host-path")}]
configMapGenerator:
  - name: picket-settings
    behavior: merge
    literals: ["SERVICE_API_URL=https://picket.test"]
`,
    );
    const { stdout } = kustomize(folder);
    const url = at(manifestOf(stdout, "ConfigMap"), "data", "SERVICE_API_URL");
    expect(url).toBe("https://picket.test");
    const pod = at(manifestOf(stdout, "DaemonSet"), "spec", "template", "spec");
    expect(at(pod, "volumes")).toContainEqual({
      name: "state",
      hostPath: { path: "/var/lib/picket", type: "Directory" },
    });
    expect(typeErrors(manifestsIn(stdout))).toBe("");
  });
  test("have no key that the API does not know: the types would say so", () => {
    const { stdout } = kustomize(path.join(kubernetes, "kustomize/base"));
    const broken = stdout.replace("readOnlyRootFilesystem", "readOnlyRootFileSystem");
    expect(typeErrors(manifestsIn(broken))).toContain("readOnlyRootFileSystem");
  });
});

describe.skipIf(!programsAreThere())("docs/kubernetes.md", () => {
  const page = readFileSync(path.join(kubernetes, "../../docs/kubernetes.md"), "utf8");
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  const [values = "", kustomization = ""] = blocks;

  test("shows values that the chart takes", () => {
    const file = path.join(temporaryFolder(), "values.yaml");
    writeFileSync(file, values);
    const { ok, stdout, stderr } = template("-f", file);
    expect({ ok, stderr }).toEqual({ ok: true, stderr: "" });
    expect(typeErrors(manifestsIn(stdout))).toBe("");
    expect(variablesIn(stdout)).toContain("PICKET_TARGET_PROXY");
  });
  test("shows a kustomization that kustomize takes, with the component too", () => {
    for (const text of [kustomization, kustomization.replace("# components", "components")]) {
      const folder = temporaryFolder();
      const checkout = path.relative(folder, path.join(kubernetes, "kustomize"));
      const local = text.replaceAll("picket/deploy/kubernetes/kustomize", checkout);
      writeFileSync(path.join(folder, "kustomization.yaml"), local);
      const { ok, stdout, stderr } = kustomize(folder);
      expect({ ok, stderr }).toEqual({ ok: true, stderr: "" });
      expect(typeErrors(manifestsIn(stdout))).toBe("");
      expect(variablesIn(stdout)).toContain("PICKET_TARGET_DENY");
    }
  });
});
