import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { tcpPeer } from "../../servers/scripted.ts";
import { quietTcp, Scene } from "../vantage/scene.ts";

interface LimitedGroup {
  join(pid: number): void;
  /** From now on its processes run for a twenty-fifth of the time, which is less than a busy machine leaves them. */
  limit(): void;
  remove(): void;
}

/** A control group whose processor time can be limited; null if this machine lets no test make one. */
function limitedGroup(): LimitedGroup | null {
  const first = existsSync("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const folder = `/sys/fs/cgroup/${first ? "cpu/" : ""}picket-test-${process.pid}`;
  const [file, little] = first ? ["cpu.cfs_quota_us", "4000"] : ["cpu.max", "4000 100000"];
  try {
    mkdirSync(folder);
  } catch {
    return null;
  }
  if (!existsSync(`${folder}/${file}`)) {
    rmdirSync(folder);
    return null;
  }
  return {
    join: (pid) => writeFileSync(`${folder}/cgroup.procs`, String(pid)),
    limit: () => writeFileSync(`${folder}/${file}`, little),
    remove: () => rmdirSync(folder),
  };
}

/** Joins the group by its caller, and then has more to do than it may: one check, and one look at itself. */
const checking = (port: number): string => `
  import { Worker } from "node:worker_threads";
  import { once } from "node:events";
  import { VantageWatch } from "#agent/looks/vantage-watch";
  import { placeSources } from "#agent/looks/place-sources";
  import { systemClock } from "#base/clock";
  import { silentLogger } from "#base/log";
  import { startInlineProber } from "#agent/prober/inline-prober";
  import { runCheck } from "#agent/prober/checks/run-check";
  import { proberOptions } from "./test/support/metering.ts";
  import { monitorWith } from "./test/support/twins.ts";
  const options = { ...proberOptions, evidence: "local", threads: 1 };
  const prober = await startInlineProber(options);
  console.log("ready");
  await once(process.stdin, "data");
  const sources = placeSources(options, systemClock);
  const now = () => systemClock.monotonic() / 1e6;
  sources.look(now());
  new Worker("for (;;);", { eval: true });
  const watch = new VantageWatch({ sources, clock: systemClock, log: silentLogger, runs: () => true, changed: () => {} });
  const target = { kind: "http", url: "http://127.0.0.1:${port}/", method: "GET", headers: [], body: "", followRedirects: true };
  const monitor = monitorWith({ kind: "http", timeout: 2000, target });
  const signal = new AbortController().signal;
  const slot = { monitor, at: systemClock.wall(), until: Number.MAX_SAFE_INTEGER };
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random };
  const judged = await watch.judge(await runCheck(slot, tools, signal), monitor, signal, 0);
  const cause = judged.is === "hidden" ? judged.cause : judged.result.cause;
  console.log(JSON.stringify({ scope: cause?.scope, says: judged.is === "hidden" ? cause.sentence : judged.result.failure.message }));
  process.exit(0);`;

/** What is said of a check in a group that is limited while it runs. */
async function saidIn(group: LimitedGroup): Promise<Said> {
  await using silent = await tcpPeer(() => {});
  const child = spawn(process.execPath, ["--input-type=module", "-e", checking(silent.port)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const saw: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    saw.push(line);
    if (line !== "ready") continue;
    group.join(child.pid ?? 0);
    group.limit();
    child.stdin.write("go\n");
  }
  await ended;
  group.remove();
  return JSON.parse(saw.at(-1) ?? "");
}

interface Said {
  readonly scope: string | undefined;
  readonly says: string;
}

/** The same by the rules alone, where this machine lets no test make a group. */
function saidByRules(): Said {
  process.stderr.write("no control group can be made: throttling is not real in this test\n");
  const scene = new Scene();
  scene.look({ throttledShare: 0.9 });
  const late = { code: "response_timeout", phase: "wait", evidence: { tcp: quietTcp } } as const;
  const cause = scene.fails("one", "10.9.1.1", late);
  return { scope: cause?.scope, says: `probably ${cause?.sentence}: Timeout after` };
}

test("a container that is throttled leads the message of a timeout, or gives no verdict", async () => {
  const group = limitedGroup();
  // How long it was kept from running in one piece decides whether the check has a verdict.
  expect(group === null ? saidByRules() : await saidIn(group)).toEqual({
    scope: "machine",
    says: expect.stringMatching(
      /^(The agent was (paused for|delayed by) \d+ ms during the check|probably this machine kept the agent from running for \d+ % of the time: Timeout after)/,
    ),
  });
});
