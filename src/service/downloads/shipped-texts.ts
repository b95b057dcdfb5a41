import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** Files of the repository that go with the program to a machine of an agent, by their path there. */
const files: Readonly<Record<string, string>> = {
  "start.sh": "packaging/download/start.sh",
  "bin/picket": "packaging/download/picket.sh",
  Dockerfile: "packaging/download/Dockerfile",
  "systemd/install.sh": "systemd/install.sh",
  "systemd/picket.service": "systemd/picket.service",
  LICENSE: "LICENSE",
};

const chart = "deploy/kubernetes/helm/picket";

/**
 * Their texts, and those of the chart. It reads the sources. The bundle has a map in its place that
 * packaging/script-map.ts makes of this one.
 */
export function shippedTexts(): ReadonlyMap<string, string> {
  const root = path.resolve(import.meta.dirname, "../../..");
  const ofChart = globSync("**/*.*", { cwd: path.join(root, chart) })
    .toSorted()
    .map((file) => [`picket-chart/${file}`, path.join(chart, file)] as const);
  return new Map(
    [...Object.entries(files), ...ofChart].map(([name, file]) => [
      name,
      readFileSync(path.join(root, file), "utf8"),
    ]),
  );
}
