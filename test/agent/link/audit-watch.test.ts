import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditRemarks, AuditWatch } from "#agent/link/audit-watch";
import { auditMemory } from "#agent/state/audit-file";
import { openStateDirectory } from "#agent/state/state-directory";
import * as limits from "#limits/agent-limits";
import { chainAfter, emptyChain } from "#machine/hash-chain";
import type { AuditProof } from "#transport/control-plane";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

const hashesOf = (words: string): readonly string[] =>
  words.split("").map((word) => `hash of ${word}`);

/** What a service answers whose log has these entries, to an agent that knows some of them. */
const shown = (words: string, known = 0): AuditProof => ({
  number: words.length,
  chain: hashesOf(words).reduce(chainAfter, emptyChain),
  hashes: known === 0 ? [] : hashesOf(words).slice(known),
});

function scene(folder = temporaryFolder(), url = "https://service.test") {
  const [log, clock] = [memoryLog(), new FakeClock(1_000)];
  const state = openStateDirectory(folder, log);
  const lock = new DisposableStack();
  lock.use(state);
  onTestFinished(() => lock.dispose());
  const watch = new AuditWatch({ memory: auditMemory(state, url), clock, log });
  return {
    log,
    folder,
    watch,
    again: (other = url) => {
      lock.dispose();
      return scene(folder, other);
    },
    /** A heartbeat and its answer. */
    beat: (words: string): void => watch.heard(shown(words, watch.known), watch.known),
  };
}

describe("an agent that was shown an audit log", () => {
  test("keeps how far it is, also over a restart, and follows it as it grows", () => {
    const first = scene();
    first.beat("ab");
    first.beat("abc");
    first.beat("abc");
    const second = first.again();
    expect(second.watch.known).toBe(3);
    second.beat("abcdef");
    expect(second.watch.status).toEqual({
      head: { number: 6, chain: shown("abcdef").chain },
      fault: null,
    });
    expect(first.log.said).toEqual([]);
  });

  test.each([
    ["was shortened", "ab", "is shorter than it was: it has 2 entries, and had 3"],
    ["is empty", "", "is shorter than it was: it has 0 entries, and had 3"],
    ["has another newest entry", "abx", "was written anew: it does not continue from entry 3"],
    ["has another past", "xbc", "was written anew: it does not continue from entry 3"],
    ["is longer, with another past", "xbcde", "was written anew: it does not continue from entry"],
  ])("notices one that %s, says so once, and until the operator accepts it", (_how, words, why) => {
    const { beat, log, watch, again } = scene();
    beat("abc");
    beat(words);
    beat(words);
    beat("abc");
    expect(watch.status.fault).toMatchObject({ at: 1_000, sentence: expect.stringContaining(why) });
    expect(log.said).toMatchObject([
      { level: "error", message: expect.stringContaining("run picket audit accept") },
    ]);
    expect(auditRemarks(watch.status)).toEqual([expect.stringContaining(why)]);
    const later = again();
    expect(later.watch.status).toEqual(watch.status);
    expect(later.watch.known).toBe(3);
    expect(later.log.said).toHaveLength(1);
  });

  test("notices one of which entries are left out of the proof, or to which the proof adds some", () => {
    for (const hashes of [["hash of d"], ["hash of e"], [], hashesOf("ddee")]) {
      const { beat, watch } = scene();
      beat("abc");
      watch.heard({ ...shown("abcde"), hashes }, 3);
      expect(watch.status.fault).not.toBeNull();
    }
  });

  test("notices a service that shows its log no more, after as many answers as an update may take", () => {
    const { beat, watch, log } = scene();
    beat("a");
    for (let count = 1; count < limits.auditAbsencesMax; count += 1) watch.heard(null, 1);
    expect(watch.status.fault).toBeNull();
    expect(log.said).toEqual([]);
    watch.heard(null, 1);
    expect(watch.status.fault?.sentence).toBe(
      "the service no longer shows its audit log, of which this agent knows 1 entry",
    );
  });

  test("excuses answers without a log while others show it, as in an update of one replica after the other", () => {
    const { beat, watch } = scene();
    beat("a");
    for (let count = 1; count < 3 * limits.auditAbsencesMax; count += 1) {
      watch.heard(null, 1);
      if (count % 2 === 0) beat("a");
    }
    expect(watch.status).toEqual({ head: { number: 1, chain: shown("a").chain }, fault: null });
    beat("x");
    expect(watch.status.fault).not.toBeNull();
  });

  test("expects nothing of a service that never showed one, or has none yet", () => {
    const { beat, watch, log } = scene();
    watch.heard(null, 0);
    beat("");
    watch.heard({ number: 7, chain: emptyChain, hashes: [] }, 0);
    expect(watch.status).toEqual({ head: null, fault: null });
    beat("a");
    expect(watch.known).toBe(1);
    expect(log.said).toEqual([]);
  });

  test("does not compare the answer to a heartbeat that named an older entry", () => {
    const { beat, watch } = scene();
    beat("ab");
    beat("abc");
    watch.heard(shown("abc", 2), 2);
    expect(watch.status.fault).toBeNull();
  });

  test("keeps nothing for another service at another address", () => {
    const { beat, again } = scene();
    beat("abc");
    const other = again("https://other.test");
    expect(other.watch.known).toBe(0);
  });

  test("takes a log that the operator accepted as the next answer shows it, once", () => {
    const { beat, watch, folder, log } = scene();
    beat("abc");
    beat("ab");
    writeFileSync(path.join(folder, "audit-accepted"), "");
    beat("ab");
    expect(watch.status).toEqual({ head: { number: 2, chain: shown("ab").chain }, fault: null });
    expect(log.said.at(-1)).toMatchObject({
      level: "warn",
      message: "the operator accepted the service's audit log as it is",
    });
    beat("a");
    expect(watch.status.fault).not.toBeNull();
  });

  test("works on if its file is damaged or cannot be written", () => {
    const first = scene();
    first.beat("abc");
    const file = path.join(first.folder, "audit-head.json");
    expect(readFileSync(file, "utf8").length).toBeLessThan(300);
    writeFileSync(file, "{");
    const second = first.again();
    expect(second.watch.known).toBe(0);
    second.beat("ab");
    expect(second.watch.known).toBe(2);
  });
});
