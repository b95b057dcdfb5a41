import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { serviceValuesSchema } from "../../deploy/kubernetes/values-schema.ts";
import { typeErrors } from "./api-check.ts";
import { at, manifestOf, manifestsIn, variablesIn } from "./manifests.ts";
import {
  kubernetes,
  kustomize,
  lintService,
  programsAreThere,
  templateService,
} from "./programs.ts";

/** The service's chart; that its generated files are current is kubernetes.test.ts's. */

const setting = (...values: readonly string[]): readonly string[] =>
  values.flatMap((value) => ["--set", value]);

/** Sets of values that people use, each with what it adds to the command line. */
const sets: Readonly<Record<string, readonly string[]>> = {
  SQLite: [],
  PostgreSQL: setting("database.existingSecret=picket-database", "replicas=3"),
  "behind an Ingress": setting("tls.existingSecret=", "allowHttp=true", "podLabels.team=net"),
};
const kinds = (text: string): readonly unknown[] => manifestsIn(text).map((one) => at(one, "kind"));
const pod = (text: string): unknown =>
  at(manifestOf(text, "StatefulSet"), "spec", "template", "spec");

test("the chart installs the image of this version", () => {
  const read = (file: string): string => readFileSync(path.join(kubernetes, file), "utf8");
  const { version } = JSON.parse(read("../../package.json"));
  const [chart] = manifestsIn(read("helm/picket-service/Chart.yaml"));
  expect([at(chart, "appVersion"), at(chart, "version")]).toEqual([version, version]);
  expect(Object.keys(serviceValuesSchema.properties ?? {})).toContain("database");
});

describe.skipIf(!programsAreThere())("the service's chart", () => {
  test.each(Object.entries(sets))("makes what the API's types take: %s", (_, args) => {
    const { ok, stdout, stderr } = templateService(...args);
    expect({ ok, stderr }).toEqual({ ok: true, stderr: "" });
    expect(typeErrors(manifestsIn(stdout))).toBe("");
    expect(stdout).toMatchSnapshot();
  });

  test("keeps SQLite on a claim of one replica, and has several share a PostgreSQL whose URL is a secret", () => {
    const { stdout: one } = templateService();
    const set = manifestOf(one, "StatefulSet");
    expect(at(set, "spec", "replicas")).toBe(1);
    expect(at(set, "spec", "volumeClaimTemplates", 0, "metadata", "name")).toBe("state");
    expect(kinds(one)).not.toContain("PodDisruptionBudget");
    const { stdout: several } = templateService(...(sets["PostgreSQL"] ?? []));
    const shared = manifestOf(several, "StatefulSet");
    expect(at(shared, "spec", "volumeClaimTemplates")).toBeUndefined();
    expect(at(pod(several), "containers", 0, "env")).toContainEqual({
      name: "PICKET_SERVICE_DATABASE",
      valueFrom: { secretKeyRef: { name: "picket-database", key: "url" } },
    });
    // What one replica has sealed, every other one can read.
    expect(at(pod(several), "containers", 0, "env")).toContainEqual({
      name: "PICKET_SERVICE_SECRET_FILE",
      value: "/etc/picket/database/sealing-key",
    });
    expect(at(pod(several), "volumes", 0, "secret")).toMatchObject({
      secretName: "picket-database",
      items: [{ key: "sealing-key", path: "sealing-key" }],
    });
    expect(kinds(several)).toContain("PodDisruptionBudget");
  });

  test("asks by the protocol that the service speaks, and restarts it only if it does not answer", () => {
    const probes = (text: string): unknown[] =>
      ["livenessProbe", "readinessProbe"].map((name) =>
        at(pod(text), "containers", 0, name, "httpGet"),
      );
    expect(probes(templateService().stdout)).toEqual([
      { path: "/livez", port: "service", scheme: "HTTPS" },
      { path: "/healthz", port: "service", scheme: "HTTPS" },
    ]);
    expect(probes(templateService(...(sets["behind an Ingress"] ?? [])).stdout)).toEqual([
      { path: "/livez", port: "service" },
      { path: "/healthz", port: "service" },
    ]);
  });

  test("finds none of the agent's pods by its selectors, in the same release too", () => {
    const { stdout } = templateService();
    for (const one of manifestsIn(stdout))
      expect(JSON.stringify(one)).not.toMatch(/"app.kubernetes.io\/name":"picket"/);
    expect(at(manifestOf(stdout, "Service"), "metadata", "name")).toBe("picket-picket-service");
  });

  test("sets only variables of the service", () => {
    const names = new Set(
      Object.values(sets).flatMap((s) => variablesIn(templateService(...s).stdout)),
    );
    expect([...names].toSorted()).toEqual([
      "PICKET_SERVICE_ALLOW_HTTP",
      "PICKET_SERVICE_CERT_FILE",
      "PICKET_SERVICE_DATABASE",
      "PICKET_SERVICE_KEY_FILE",
      "PICKET_SERVICE_LISTEN",
      "PICKET_SERVICE_SECRET_FILE",
    ]);
  });

  test.each([
    ["several replicas on SQLite", "replicas=2", "several replicas need one database"],
    ["plain http by accident", "tls.existingSecret=", "without TLS anyone on the way"],
    ["an unknown value", "nope=1", "additional properties 'nope' not allowed"],
    ["a separate label", "podLabels.app\\.kubernetes\\.io/name=x", "podLabels may not have"],
  ])("refuses %s with a sentence", (_, values, sentence) => {
    const { ok, stderr } = templateService("--set", values);
    expect(ok).toBe(false);
    expect(stderr).toContain(sentence);
  });

  test("passes helm's strict lint with a certificate", () => {
    expect(lintService("--set", "tls.existingSecret=tls")).toMatchObject({ ok: true });
  });

  test("is there for kustomize, too", () => {
    const { ok, stdout } = kustomize(path.join(kubernetes, "kustomize/service"));
    expect(ok).toBe(true);
    expect(typeErrors(manifestsIn(stdout))).toBe("");
    expect(at(manifestOf(stdout, "Service"), "metadata", "name")).toBe("picket-service");
  });
});
