import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { behindRouters, canRoute, type RoutedScene, within } from "../../support/routed-network.ts";

const page = readFileSync(path.join(import.meta.dirname, "../../../docs/why.md"), "utf8");

interface BrokenNetwork extends Partial<RoutedScene> {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the first sentence says. */
  readonly says: string;
  readonly place: string;
}

const far = "tcp://10.0.2.9:443";
const forbid = "-p tcp --dport 443 -j";

/** Each with its title in docs/why.md, where the whole output stands. */
const networks: Readonly<Record<string, BrokenNetwork>> = {
  "The cable is out": {
    breakIt: ["ip -n r1 link set near down"],
    args: [far],
    says: "eth0 has no carrier: its cable or switch is gone",
    place: "me",
  },
  "The gateway is off": {
    breakIt: ["ip -n r1 address flush dev near"],
    args: [far],
    says: "the gateway 10.0.0.1 does not answer on this network",
    place: "me",
  },
  "The name server is silent": {
    breakIt: [within("target", "iptables -A INPUT -p udp --dport 53 -j DROP")],
    args: ["https://shop.test/", "--timeout", "3s"],
    env: { PICKET_DNS_SERVERS: "10.0.2.9" },
    says: "the name server 10.0.2.9 does not answer",
    place: "me",
  },
  "A firewall on the way refuses": {
    breakIt: ["ip -n r1 route add prohibit 10.0.2.9"],
    args: [far],
    says: "10.0.0.1, a router on the way, refuses 10.0.2.9:443",
    place: "path",
  },
  "Something drops the packets": {
    breakIt: [within("target", `iptables -A INPUT ${forbid} DROP`)],
    args: [far, "--timeout", "3s"],
    says: "Timeout after 3000 ms connecting to 10.0.2.9:443: none of our packets was answered",
    place: "unclear",
  },
  "A link on the way drops large packets": {
    target: `createHttpServer((request, response) => response.end("a".repeat(20_000))).listen(80, "::", ready);`,
    breakIt: [
      "ip -n r1 link set far mtu 1000",
      "ip -n r2 link set near mtu 1000",
      within("r2", "iptables -A OUTPUT -p icmp -j DROP"),
    ],
    args: ["http://10.0.2.9/", "--timeout", "2s"],
    says: "a link on the way to 10.0.2.9 drops large packets, and the same check passes with small ones",
    place: "path",
  },
  "The application hangs": {
    args: ["http://10.0.2.9/", "--timeout", "2s"],
    says: "Timeout after 2000 ms waiting for the response of 10.0.2.9:80: the host received the request, but no answer came; small packets change nothing, so it is the application that does not answer",
    place: "target",
  },
};

/** The command in the agent's network, once for a person and once for a program. */
const script = ({ args, place, env = {} }: BrokenNetwork): string => `
  import { runWhy } from "#cli/why/why-command";
  const texts = [];
  const stdout = { write: (text) => texts.push(text) };
  const io = { stdout, stderr: stdout, env: ${JSON.stringify(env)}, interactive: false, signal: new AbortController().signal };
  const codes = [];
  for (const more of ${JSON.stringify(place === "target" ? [[], ["--json"]] : [[]])}) codes.push(await runWhy([...${JSON.stringify(args)}, ...more], io));
  console.log(JSON.stringify({ uid: process.getuid(), codes, texts }));
  process.exit(0);`;

/** Figures of one run differ from those of another. */
const withoutFigures = (text: string): string =>
  text
    // The kernel may not stamp yet what comes right after the command began.
    .replaceAll(/ in \d+\.\d+ ms/g, "")
    .replaceAll(/\d+ (ms|timeouts?|packets?|unacknowledged)/g, "N $1")
    .replaceAll(/timeouts|packets sent/g, (word) => word.replace(/s( sent)?$/, "$1"));

describe.skipIf(!canRoute("iptables"))("picket why, as an unprivileged user", () => {
  test.each(Object.entries(networks))("%s", async (title, network) => {
    const { stdout, output } = await behindRouters(network, script(network));
    expect(output).toContain('"uid":65532');
    const { codes, texts } = JSON.parse(stdout);
    expect(new Set(codes)).toEqual(new Set([1]));
    const [story, json] = texts;
    expect(story.toLowerCase()).toContain(network.says.toLowerCase());
    if (json !== undefined)
      expect(JSON.parse(json)).toMatchObject({
        works: false,
        place: network.place,
        because: network.says,
        result: {
          evidence: { peer_has_all: true },
          place: {
            local: { device: "eth0", carrier: "up", route: "gateway", gateway: "10.0.0.1" },
          },
        },
      });
    const shown = `### ${title}\n\n\`\`\`\n$ picket why ${network.args.join(" ")}\n${story}\`\`\``;
    expect(withoutFigures(page)).toContain(withoutFigures(shown));
  });

  test("asks the operator's references, which show if all of them are silent, too", async () => {
    const { stdout } = await behindRouters(
      {
        breakIt: [
          "ip -n target address add 10.0.2.11/24 dev eth0",
          "ip -n target address add 10.0.3.9/32 dev lo",
          "ip -n r1 route add 10.0.3.0/24 via 10.0.1.2",
          "ip -n r2 route add 10.0.3.0/24 via 10.0.2.9",
          within("r1", "iptables -A FORWARD -s 10.0.0.0/24 -j DROP"),
        ],
      },
      script({
        args: ["tcp://10.0.2.9:80", "--timeout", "2s"],
        env: { PICKET_REFERENCES: "10.0.2.11:80,10.0.3.9:80" },
        says: "",
        place: "",
      }),
    );
    const [story] = JSON.parse(stdout).texts;
    expect(story.split("\n").slice(0, 2)).toEqual([
      "It is the path (likely).",
      "Nothing beyond the router 10.0.0.1 answers, and neither do this agent's references.",
    ]);
    expect(story).toMatch(/· reference +10\.0\.3\.9:80 does not answer: Timeout/);
  });

  test("a target that works says so", async () => {
    const { stdout } = await behindRouters(
      {},
      script({ args: ["tcp://10.0.2.9:80"], says: "", place: "" }),
    );
    const { codes, texts } = JSON.parse(stdout);
    expect(codes).toEqual([0]);
    expect(texts[0]).toMatch(/^10\.0\.2\.9:80 works: it passes in \d+ ms\.\n/);
    expect(texts[0]).toContain("✓ gateway  packets came back through 10.0.0.1");
  });
});
