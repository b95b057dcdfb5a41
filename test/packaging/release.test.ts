import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../packaging/bundle.ts";
import { packForNpm } from "../../packaging/npm-package.ts";
import { notesOf } from "../../packaging/release-notes.ts";
import { releaseFaults, type VersionedFiles } from "../../packaging/release-rules.ts";
import { temporaryFolder } from "../support/running-service.ts";

const ready: VersionedFiles = {
  version: "1.2.3",
  dockerfile: "ARG VERSION=1.2.3\n",
  charts: ["name: picket\nversion: 1.2.3\n"],
  changelog:
    "# Changelog\n\n## 1.2.3 (2026-11-23)\n\n### Added\n\n- A thing.\n\n## 1.2.2 (2026-11-01)\n",
};

test("a release is refused with a sentence for each file that has another version", () => {
  expect(releaseFaults("v1.2.3", ready)).toEqual([]);
  expect(releaseFaults("1.2.3", ready)).toEqual([
    '"1.2.3" is not a tag of a release: give one such as v1.2.3',
  ]);
  const changelog = "## 1.2.4 (unreleased)\n";
  expect(releaseFaults("v1.2.4", { ...ready, changelog })).toEqual([
    "package.json has the version 1.2.3: set it to 1.2.4",
    "Dockerfile has another VERSION: set it to 1.2.4",
    "the chart picket has another version: set it to 1.2.4",
    'CHANGELOG.md has no heading "## 1.2.4 (YYYY-MM-DD)": give its section that day',
  ]);
});

test("the rules of a release find the versions of this repository's files", () => {
  const read = (file: string): string => readFileSync(path.join(root, file), "utf8");
  const { version } = JSON.parse(read("package.json"));
  const charts = ["picket", "picket-service"].map((name) =>
    read(`deploy/kubernetes/helm/${name}/Chart.yaml`),
  );
  const changelog = `## ${version} (2026-11-23)\n`;
  const files = { version, dockerfile: read("Dockerfile"), charts, changelog };
  expect(releaseFaults(`v${version}`, files)).toEqual([]);
});

test("the notes of a release are its section of the changelog", () => {
  expect(notesOf("v1.2.3", ready.changelog)).toBe("### Added\n\n- A thing.\n");
  expect(notesOf("v1.2.5", ready.changelog)).toBeNull();
});

test("the npm tarball installs without a registry, runs, and says so if Node.js is too old", async () => {
  const folder = temporaryFolder();
  const work = path.join(folder, "work");
  mkdirSync(work);
  const tarball = await packForNpm(work, folder);
  const place = path.join(folder, "place");
  mkdirSync(place);
  execFileSync("npm", ["install", "--offline", "--no-audit", "--prefix", place, tarball], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const picket = path.join(place, "node_modules/.bin/picket");
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  expect(execFileSync(picket, ["--version"], { encoding: "utf8" })).toBe(`picket ${version}\n`);
  const without = spawnSync(picket, ["--version"], {
    env: { PATH: "/usr/bin:/bin" },
    encoding: "utf8",
  });
  expect([without.status, without.stderr]).toEqual([
    78,
    expect.stringMatching(/^picket: Node\.js 26 is needed, and node in the PATH is .*: install it/),
  ]);
});
