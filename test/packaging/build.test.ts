import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import manifest from "#manifest" with { type: "json" };
import { billOfMaterials } from "../../packaging/bill-of-materials.ts";
import { root } from "../../packaging/bundle.ts";
import { licensesOf } from "../../packaging/licenses.ts";
import { temporaryFolder } from "../support/running-service.ts";

const build = (repository: string, to: string): void =>
  void execFileSync(process.execPath, [path.join(repository, "packaging/build.ts"), to]);
const hashes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(path.join(folder, file)))
        .digest("hex"),
    ]),
  );

const lock: { packages: Record<string, { version: string; dev?: boolean }> } = JSON.parse(
  readFileSync(path.join(root, "package-lock.json"), "utf8"),
);

/** What ships, without the runtime, and what bundles it: of all that is installed the smallest part. */
const packagesOfABuild = Object.entries(lock.packages)
  .filter(([folder, { dev }]) => dev !== true || /rolldown/.test(folder))
  .map(([folder]) => folder)
  .filter((folder) => /^node_modules\/(?!node-linux-)(@[^/]+\/)?[^/]+$/.test(folder))
  // The bundler's code for other processors is not installed.
  .filter((folder) => existsSync(path.join(root, folder)));

/** Every file that is loaded with one, itself included: the text of each is in the process's memory. */
function loadedWith(folder: string, name: string): readonly string[] {
  const loaded = new Set([name]);
  for (const file of loaded) {
    const code = readFileSync(path.join(folder, `${file}.mjs`), "utf8");
    for (const [, next = ""] of code.matchAll(/^import\b[^;]*?"\.\/([\w-]+)\.mjs";$/gm))
      loaded.add(next);
  }
  return [...loaded];
}

/** Parts that are large, each with a command that needs it. */
const large = {
  server: "service-command",
  "open-agent": "agent-command",
  "filled-target": "check-command",
  undici: "undici",
} as const;

/** The large parts that each command loads before it begins. */
const largeWith = (
  folder: string,
  ...commands: readonly string[]
): Record<string, readonly string[]> =>
  Object.fromEntries(
    commands.map((command) => {
      const loaded = loadedWith(folder, command);
      return [command, Object.keys(large).filter((part) => loaded.includes(part))];
    }),
  );

/** The files that import what a module of Node.js offers, and so have it make all that it offers. */
const importersOfNode = (folder: string): readonly string[] =>
  readdirSync(folder).filter((file) =>
    / from "node:/.test(readFileSync(path.join(folder, file), "utf8")),
  );

/** What an agent would load beside its own code: the runtime's fetch takes 3 MB of a heap, its HTTP/2 half of one. */
const loadedByAgents = (folder: string): readonly string[] =>
  loadedWith(folder, "agent-command").flatMap((name) => {
    const code = readFileSync(path.join(folder, `${name}.mjs`), "utf8");
    const loaded =
      /\bnew (?:Headers|Request|Response|WebSocket)\(|^const .*= process\.getBuiltinModule\("node:http2"\)/gm;
    return Array.from(code.matchAll(loaded), ([text]) => `${name}: ${text}`);
  });

test("two builds, in two places and at two times, are the same bytes", () => {
  const here = temporaryFolder();
  const elsewhere = temporaryFolder();
  const repository = path.join(elsewhere, "another-name");
  mkdirSync(repository);
  const files = ["package.json", "package-lock.json", ".npmrc", "LICENSE"];
  // What the service hands out is of the last two.
  for (const part of [...files, "src", "packaging", "systemd", "deploy"])
    cpSync(path.join(root, part), path.join(repository, part), { recursive: true });
  for (const folder of packagesOfABuild)
    cpSync(path.join(root, folder), path.join(repository, folder), { recursive: true });
  build(root, path.join(here, "dist"));
  build(repository, path.join(elsewhere, "dist"));
  const first = hashes(path.join(here, "dist"));
  const others = Object.keys(first).filter((file) => !file.endsWith(".mjs"));
  expect(others.toSorted()).toEqual(["THIRD-PARTY-LICENSES.txt", "sbom.cdx.json"]);
  expect(hashes(path.join(elsewhere, "dist"))).toEqual(first);
  expect(importersOfNode(path.join(here, "dist"))).toEqual([]);
  expect(loadedByAgents(path.join(here, "dist"))).toEqual([]);
  const dist = path.join(here, "dist");
  for (const [part, command] of Object.entries(large))
    expect(loadedWith(dist, command)).toContain(part);
  const commands = ["health", "check", "agent", "service", "status"].map(
    (name) => `${name}-command`,
  );
  expect(largeWith(dist, "picket", ...commands)).toEqual({
    picket: [],
    "health-command": [],
    "check-command": ["filled-target"],
    "agent-command": ["open-agent", "filled-target"],
    "service-command": ["server"],
    "status-command": [],
  });
  for (const thread of ["probe-worker", "store-worker"])
    expect(loadedWith(dist, thread)).toEqual([thread]);
});

test("the bill of materials names every package that ships, and none that does not", () => {
  const shipping = Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder !== "" && dev !== true)
    .map(([folder, { version }]) => `${folder.split("node_modules/").at(-1)}@${version}`);
  const bill: { components: { "bom-ref": string }[]; dependencies: { ref: string }[] } =
    JSON.parse(billOfMaterials());
  const named = bill.components.map((one) => one["bom-ref"]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.toSorted()).toEqual([...new Set(shipping)].toSorted());
  expect(bill.dependencies.map(({ ref }) => ref).toSorted()).toEqual(
    [`${manifest.name}@${manifest.version}`, ...named].toSorted(),
  );
});

test("the licences are whole, one for each package whose files are bundled", () => {
  const text = licensesOf([
    "src/main.ts",
    "node_modules/ws/lib/sender.js",
    "node_modules/ws/lib/receiver.js",
    "node_modules/@bufbuild/protobuf/dist/esm/clone.js",
  ]);
  expect(text.match(/^[@\w/-]+ \d+\.\d+\.\d+ \(.*\)$/gm)).toEqual([
    expect.stringMatching(/^@bufbuild\/protobuf .* \(\(Apache-2.0 AND BSD-3-Clause\)\)$/),
    expect.stringMatching(/^ws .* \(MIT\)$/),
  ]);
  for (const part of ["Apache License", "Copyright 2008 Google Inc.", "Einar Otto Stangvik"])
    expect(text).toContain(part);
});
