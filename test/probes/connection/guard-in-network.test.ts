import { describe, expect, test } from "vitest";
import { canMakeNetwork, inOwnNetwork } from "../../support/own-network.ts";

/**
 * The addresses of cloud metadata, with somebody there who answers: on the loopback interface of a network that the test
 * makes, for on the machine's own they may be real.
 */
const metadata = ["169.254.169.254", "168.63.129.16", "fd00:ec2::254", "64:ff9b::a9fe:a9fe"];

const setUp = [
  ...metadata.map(
    (address) => `ip address add ${address}/${address.includes(":") ? 128 : 32} dev lo`,
  ),
  "mount -t tmpfs tmpfs /mnt",
  `printf '%s allowed.test\\n' ${metadata.join(" ")} > /mnt/hosts`,
  "mount --bind /mnt/hosts /etc/hosts",
];

/** Serves each address, checks what `checks` names, and prints the exit codes and how many connections came. */
const script = (checks: readonly (readonly string[])[]): string => `
  import { once } from "node:events";
  import { createServer } from "node:http";
  import { runCheck } from "#cli/check/check-command";
  let reached = 0;
  for (const host of ${JSON.stringify(metadata)}) {
    const server = createServer((_request, response) => response.end("credentials"));
    server.on("connection", () => (reached += 1));
    server.listen(80, host);
    await once(server, "listening");
    server.unref();
  }
  const out = { write: () => true };
  const io = { stdout: out, stderr: out, env: {}, interactive: false, signal: new AbortController().signal };
  const ends = [];
  for (const args of ${JSON.stringify(checks)}) {
    const before = reached;
    const code = await runCheck(args, io);
    ends.push({ code, reached: reached - before });
  }
  console.log(JSON.stringify(ends));
  process.exit(0);`;

const ended = async (checks: readonly (readonly string[])[]): Promise<unknown> => {
  const { stdout, output } = await inOwnNetwork(setUp, script(checks));
  expect(output).toContain("reached");
  return JSON.parse(stdout);
};

const url = (address: string): string =>
  `http://${address.includes(":") ? `[${address}]` : address}/latest`;

describe.skipIf(!canMakeNetwork(["mount"]))("if a server answers at a metadata address", () => {
  test("an allowed name that leads there is not dialled", async () => {
    const named = ["http://allowed.test/", "--allow", "allowed.test"];
    expect(await ended([named, [...named, "--deny", "0.0.0.0/0,::/0"]])).toEqual([
      { code: 1, reached: 0 },
      { code: 1, reached: 0 },
    ]);
  });

  test("the address is dialled if it is allowed itself, and not if its network is", async () => {
    const wide = metadata.map((address) => [url(address), "--allow", "0.0.0.0/0,::/0"]);
    const very = metadata.map((address) => [url(address), "--allow", address]);
    expect(await ended([...wide, ...very])).toEqual([
      ...metadata.map(() => ({ code: 1, reached: 0 })),
      ...metadata.map(() => ({ code: 0, reached: 1 })),
    ]);
  });
});
