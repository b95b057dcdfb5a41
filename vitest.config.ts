import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import {
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from "vitest/config";
import { programPath } from "./test/support/program-path.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { needsOwnProcess } from "./test/support/test-file.ts";

type Limits = NonNullable<TestProjectInlineConfiguration["test"]>;

/** What a run begins with: the program as it ships, and a folder for what tests leave. */
const prepared = ["test/support/built-program.ts", "test/support/run-folder.ts"];

/** What takes minutes, or has to be built or to be alone: each a folder of test/, and a command (CONTRIBUTING.md). */
const stages: Readonly<Record<string, Limits>> = {
  // Real processes that are killed, stopped and cut off: minutes of waiting, little work, so files run side by side.
  chaos: {
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 10,
    globalSetup: "test/support/built-program.ts",
  },
  // A booted systemd in a root of its own: needs root, systemd-nspawn and mmdebstrap.
  // Its first run makes that root, which takes minutes on a busy machine.
  systemd: { testTimeout: 300_000, hookTimeout: 600_000, maxWorkers: 2 },
  // The bundle, the one file and the unit's files, each built anew and installed as a user would.
  packaging: {
    testTimeout: 300_000,
    hookTimeout: 120_000,
    globalSetup: prepared,
    maxWorkers: 2,
  },
  // A real container engine, and an emulated arm64: needs root, dockerd, docker, mmdebstrap and qemu-user-static.
  // The image waits for its build and its monitors while the emulator works.
  image: { testTimeout: 240_000, hookTimeout: 480_000, maxWorkers: 2 },
  // One file after the other: a figure is worth nothing beside somebody else's load.
  "wire-truth": { testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false },
  // Someone has the service: real processes in a network of their own. Needs iptables, and iproute2.
  takeover: { testTimeout: 120_000, hookTimeout: 120_000 },
  // Every command of the pages, on machines of their own: needs root, iproute2 and a kernel with overlays.
  docs: { testTimeout: 600_000, hookTimeout: 120_000, maxWorkers: 3 },
  // A rollout on a real API server and kubelet: needs root, an engine, etcd, and what test/kubernetes/build.sh builds.
  // Each test continues from where the one before it came to.
  kubernetes: { testTimeout: 900_000, hookTimeout: 1_200_000, bail: 1 },
  // The existing service's own client, which the first run installs with pip: needs Python and its registry.
  cluster: { testTimeout: 120_000, hookTimeout: 300_000 },
  clients: { testTimeout: 120_000, hookTimeout: 300_000, globalSetup: prepared },
  // The real OpenTelemetry Collector, which test/collector/build.sh builds at the first run: needs Go and some minutes.
  collector: { testTimeout: 300_000, hookTimeout: 1_200_000 },
};

const common: Limits = {
  // The runtime loads sources and tests by itself, as it loads the program. It keeps what it compiled (see `env`), calls
  // what is imported without a detour, and the main process of a run transforms nothing.
  // Nothing is mocked by its module, so no loader has to read every source for that.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: "test/support/set-up.ts",
  globalSetup: prepared,
  // Four more than processors: many files wait for a process or a socket most of the time.
  maxWorkers: availableParallelism() + 4,
  // For what hangs only: a machine that is busy with something else makes every test many times slower.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** The first line of a failure is all that CI's summary shows: it is to say what differed, not "[ …(3) ]". */
const chaiConfig = { truncateThreshold: 400 };

/** The files of two projects: one of those that need a process each, and one of those that share theirs. */
function bothProjects(
  name: string,
  pattern: string,
  exclude: readonly string[],
  env: Readonly<Record<string, string>>,
  groupOrder: number,
): readonly TestProjectInlineConfiguration[] {
  const files = globSync(pattern, { cwd: import.meta.dirname, exclude });
  return [
    { name: `${name}-alone`, isolate: true },
    // Each run of the collector costs what is alive, so fewer of them with more room cost a fourteenth less.
    { name, isolate: false, execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=64"] },
  ].map((one) => {
    const include = files.filter((file) => needsOwnProcess(file) === one.isolate);
    return project(one.name, { ...common, ...one, include, env }, groupOrder);
  });
}

const suite = bothProjects(
  "suite",
  "test/**/*.test.ts",
  Object.keys(stages).map((stage) => `test/${stage}/**`),
  {},
  0,
);

/** The probes' part of the suite once more, over raw sockets: what holds for one kind of sockets holds for the other. */
const rawSockets = bothProjects(
  "raw-sockets",
  "test/{probes,prober}/**/*.test.ts",
  // A trace has sockets of its own.
  ["test/probes/evidence/path-trace.test.ts"],
  { PROBE_SOCKETS: "raw" },
  1,
);

/** `groupOrder` because projects with different numbers of workers do not run at the same time. */
function project(name: string, test: Limits, groupOrder: number): TestProjectInlineConfiguration {
  return { test: { name, sequence: { groupOrder }, allowOnly: false, chaiConfig, ...test } };
}

const config: ViteUserConfig = defineConfig({
  test: {
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 100_000 } },
    env: {
      // Half of what a started Picket costs is reading its sources: programs that tests start keep the result here.
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, "node_modules/.cache/compiled"),
      PATH: programPath,
    },
    projects: [
      ...suite,
      ...rawSockets,
      ...Object.entries(stages).map(([name, limits], index) =>
        project(name, { include: [`test/${name}/**/*.test.ts`], ...limits }, index + 2),
      ),
    ],
  },
});

export default config;
