import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { canMakeNetwork, inOwnNetwork } from "../support/own-network.ts";
import { places } from "./hostile-monitors.ts";

/*
 * Someone has the service's process, its database and its keys. attack.ts does all that they could do with them, to a real
 * service and a real agent; here is what came of it.
 */

interface AttackEnd {
  readonly sentToAllowed: number;
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly bytes: Readonly<Record<string, number>>;
  readonly packets: Readonly<Record<string, number>>;
  readonly noticed: string;
  readonly alive: boolean;
  readonly hostile: number;
  readonly byApi: number;
  readonly unreported: readonly string[];
  readonly guesses: readonly string[];
  /** Of the agent that runs signed monitors only: how many it has, how many of them were checked, and why not. */
  readonly unsigned: {
    readonly total: number;
    readonly success: number;
    readonly degraded: number;
    readonly remark: string;
  };
}

const { allowed, inner, attacker, service, realService, page, nameServer } = places;
const addresses = [allowed, inner, attacker, service, realService, page, nameServer];

/** Counts what is sent to each place; what is none of them is counted last. */
const counting = (program: string, name: string, to: string | null): string =>
  `${program} -A OUTPUT ${to === null ? "" : `-d ${to}`} -m comment --comment ${name} -j RETURN`;

const setUp = [
  ...addresses.map((address) => `ip address add ${address}/32 dev lo`),
  counting("iptables", "service", service),
  counting("iptables", "real-service", realService),
  counting("iptables", "page", page),
  counting("iptables", "allowed", allowed),
  counting("iptables", "name-server", nameServer),
  counting("iptables", "forbidden-inner", inner),
  counting("iptables", "forbidden-attacker", attacker),
  counting("iptables", "forbidden-others", null),
  counting("ip6tables", "forbidden-ipv6", null),
];

/** What is not prevented, in words: whoever runs an agent should know it. */
const stillPossible = `Whoever has the service could still
- have the allowed targets asked anything, with the secrets that the operator lists for them: list exact hosts, give each its own
- see what allowed targets answer, without the secrets in it, and the names of secrets
- learn a secret that an allowed target sends back encrypted or in a spelling that no one knows
- stop checks, or show people a status that is not true
- read what the service itself keeps: definitions, channels, addresses of readers, the locations' tokens
- write false entries into the audit log, but take none out without being noticed by every agent
`;

describe.skipIf(!canMakeNetwork(["iptables", "ip6tables"]))("a service in other hands", () => {
  let end: AttackEnd;
  beforeAll(async () => {
    const attack = path.join(import.meta.dirname, "attack.ts");
    const { code, stdout, output } = await inOwnNetwork(
      setUp,
      `await import(${JSON.stringify(attack)})`,
    );
    if (code !== 0) throw new Error(`the attack ended with ${code}: ${output.slice(-4_000)}`);
    end = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    const found = new Set(Object.values(end.found).flat()).size;
    process.stdout.write(
      `${found} of 160 secrets, ${forbidden(end)} packets to forbidden targets of ${end.hostile + end.byApi} hostile monitors, the shortened log ${end.noticed === "" ? "not " : ""}noticed\n${stillPossible}`,
    );
    // A minute on a quiet machine.
  }, 400_000);

  test("finds no secret of the location: in database, wire, logs, pages, results, state and crash", () => {
    expect(end.found).toEqual(
      Object.fromEntries(Object.keys(end.bytes).map((where) => [where, []])),
    );
    expect(Object.entries(end.bytes).filter(([, bytes]) => bytes === 0)).toEqual([]);
  });

  test("had 160 secrets to find, all of which went to the target that may have them", () => {
    expect(end.sentToAllowed).toBe(160);
  });

  test("has nothing sent to a target that the operator does not allow, and the allowed one is reached", () => {
    expect(forbidden(end)).toBe(0);
    expect(Object.keys(end.packets).filter((name) => name.startsWith("forbidden"))).toHaveLength(4);
    expect(end.packets["allowed"]).toBeGreaterThan(0);
    expect(end.packets["name-server"]).toBeGreaterThan(0);
    expect(end.unreported).toEqual([]);
  });

  test("has nothing asked of an agent that runs signed monitors only, whatever that agent may reach", () => {
    const { total, success, degraded, remark } = end.unsigned;
    expect([total, success, degraded]).toEqual([end.hostile, 0, 0]);
    expect(remark).toBe("signature is missing: the monitor is not run");
  });

  test("learns nothing by guessing: a right guess is answered as a wrong one", () => {
    const [right = "", wrong = ""] = end.guesses;
    expect(right).toBe(wrong);
    expect(right).toBe("assertion_failed");
  });

  test("cannot take what was done out of the audit log without the agent's notice", () => {
    expect(end.noticed).toBe("the service's audit log is shorter than it was");
  });

  test("does not bring the agent down", () => {
    expect(end.alive).toBe(true);
  });
});

const forbidden = ({ packets }: AttackEnd): number =>
  Object.entries(packets)
    .filter(([name]) => name.startsWith("forbidden"))
    .reduce((sum, [, count]) => sum + count, 0);
