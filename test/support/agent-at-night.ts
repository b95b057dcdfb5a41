import { orderModule } from "./network-orders.ts";

/**
 * The first of a module that runs in the agent's network. `agent(more)` is an agent's vantage that knows nothing yet, with
 * real checks, this machine's own files and real looks; `more` are options that differ. Called, it checks once, and says
 * of each monitor `hidden`, `ok`, or why it failed with what its cause is. A check in which a busy machine paused the agent
 * says nothing of the target, so the next one counts, as for an agent. `recovered(ids)` checks until all are well: the kernel
 * brings a link back in its own time, and a busy machine may keep a target's process from answering for seconds. `silent(ids)` says which name servers are silent: it checks on
 * as an agent does, because a slow check asks them only if they were not asked a moment before.
 */
export const agentAtNight: string = `${orderModule}
  import { VantageWatch } from "#agent/looks/vantage-watch";
  import { placeSources } from "#agent/looks/place-sources";
  import { systemClock } from "#base/clock";
  import { silentLogger } from "#base/log";
  import { startInlineProber } from "#agent/prober/inline-prober";
  import { runCheck } from "#agent/prober/checks/run-check";
  import { noOverrides } from "#check/overrides";
  const options = (more) => ({ overrides: noOverrides, trust: { authorities: null, identity: null }, nameServers: [],
    ipFamily: "any", resolver: "stub", targetRules: { allow: [], deny: [] }, proxying: { proxy: null, exceptions: [] }, http2: true, kernelClock: true,
    rawSockets: "off", evidence: "local", references: [], bodyBytesMax: 1000, userAgent: "picket/test", threads: 1, ...more });
  const monitorOf = (id) => ({ id, name: null, kind: "tcp", uri: id, rejection: null, periodicity: 30000, timeout: 1500,
    retry: 0, degradedAt: null, assertions: [], otel: null, target: { kind: "tcp", host: id.replace(/:\\d+$/, "").replace(/[\\[\\]]/g, ""), port: Number(/\\d+$/.exec(id)[0]) } });
  const signal = new AbortController().signal;
  async function agent(more = {}) {
    const prober = await startInlineProber(options(more));
    const sources = placeSources(options(more), systemClock);
    // One turn of its own loop: it ends where it would sleep.
    let turn = new AbortController();
    const clock = { wall: () => systemClock.wall(), monotonic: () => systemClock.monotonic(), sleep: (ms, signal) => {
      if (ms >= 5000) turn.abort();
      return systemClock.sleep(ms, signal); } };
    const watch = new VantageWatch({ sources, clock, log: silentLogger, runs: () => true, changed: () => {} });
    const look = () => watch.run((turn = new AbortController()).signal);
    const once = async (id, timeout) => {
      const monitor = { ...monitorOf(id), timeout };
      const slot = { monitor, at: systemClock.wall(), until: Number.MAX_SAFE_INTEGER };
      const result = await runCheck(slot, { prober, clock: systemClock, log: silentLogger, chance: Math.random }, signal);
      const judged = await watch.judge(result, monitor, signal, 0);
      if (judged.is === "hidden") return "hidden: " + judged.cause.sentence;
      const { failure, cause } = judged.result;
      return failure === null ? "ok" : failure.code + (cause === null ? "" : "; " + cause.certainty + " " + cause.scope + " " + cause.subject) + "; " + failure.message;
    };
    const check = async (ids, timeout = 1500) => Object.fromEntries(await Promise.all(ids.map(async (id) => {
      let words = await once(id, timeout);
      for (let tries = 1; tries < 10 && /^hidden: The agent was (paused|delayed)/.test(words); tries += 1)
        words = await once(id, timeout);
      return [id, words];
    })));
    const recovered = async (ids, timeout) => {
      let said = await check(ids, timeout);
      for (let tries = 1; tries < 10 && Object.values(said).some((words) => words !== "ok"); tries += 1)
        said = await check(ids, timeout);
      return said;
    };
    const silent = async (ids, timeout) => {
      for (let tries = 0; tries < 20 && watch.warnings.length === 0; tries += 1) {
        await check(ids, timeout);
        for (let looks = 0; looks < 20 && watch.warnings.length === 0; looks += 1)
          await systemClock.sleep(50).then(look);
      }
      return watch.warnings.map(({ sentence }) => sentence);
    };
    return Object.assign(check, { look, silent, recovered });
  }`;
