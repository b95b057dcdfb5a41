import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ownAuthority } from "#service/operator/locations/start-view";
import { parse } from "yaml";
import {
  clusterAuthority,
  type StartWay,
  startWays,
} from "#service/operator/locations/start-commands";

const docs = ["README.md", "docs/install.md"]
  .map((file) => readFileSync(path.resolve(import.meta.dirname, "../../../..", file), "utf8"))
  .join("\n");
/** Commands as people read them there: without comments, and on one line each. */
const commandsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
const documented = new Set(
  [...docs.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) => commandsIn(block)),
);
const wayOf = (id: StartWay["id"], address: string, token: string): StartWay => {
  const found = startWays({ address, token }).find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no way ${id}`);
  return found;
};

/** The addresses and the tokens that the examples of the documents have. */
test.each([
  ["here", "https://picket.example.com", "pkt_loc_…"],
  ["docker", "https://picket.example.com", "pkt_loc_…"],
  ["systemd", "https://picket.example.com", "pkt_loc_…"],
  ["kubernetes", "https://picket.example.com", "pkt_loc_…"],
] as const)(
  "each command to start an agent by %s is one of the documents",
  (id, address, token) => {
    const { commands } = wayOf(id, address, token);
    expect(commandsIn(commands).filter((one) => !documented.has(one))).toEqual([]);
  },
);

test("the lines for a cluster can be run again, for an upgrade", () => {
  const { commands } = wayOf("kubernetes", "https://picket.test", "t");
  const making = commandsIn(commands).filter((line) => / (create|install) /.test(line));
  expect(making).toHaveLength(2);
  for (const line of making)
    expect(line).toMatch(/--dry-run=client -o yaml \| kubectl apply -f -$/);
  expect(commands).toContain("helm upgrade --install picket ");
});

test("a second location in one cluster needs another namespace, which each line for the cluster names", () => {
  const { commands, where } = wayOf("kubernetes", "https://picket.test", "t");
  expect(where).toContain("write another namespace in place of monitoring in each line");
  const lines = commandsIn(commands).filter((line) => /^(kubectl|helm) /.test(line));
  expect(lines).toHaveLength(4);
  for (const line of [...lines, clusterAuthority.configMap])
    expect(line).toMatch(/ (-n|create namespace) monitoring /);
});

test("the page of a service with a certificate says how an own authority reaches a cluster, as the documents do", () => {
  for (const line of [clusterAuthority.configMap, clusterAuthority.option]) {
    expect(ownAuthority.text).toContain(line);
    expect(docs).toContain(line);
  }
  expect(parse(readFileSync("deploy/kubernetes/helm/picket/values.yaml", "utf8"))).toMatchObject({
    authorities: { existingConfigMap: "", key: "ca.crt" },
  });
});

test("an address of plain http is consented to in each way, and a certificate is advised", () => {
  for (const way of startWays({ address: "http://10.0.0.5:8787", token: "t" })) {
    expect(way.commands).toContain("PICKET_ALLOW_HTTP=1");
    if (way.id !== "kubernetes") expect(way.caution).toContain("plain http");
  }
  for (const way of startWays({ address: "https://picket.test", token: "t" }))
    expect(way.commands).not.toContain("PICKET_ALLOW_HTTP");
});

test("an address of this machine is said to be one, and is reached by no cluster", () => {
  const address = "http://localhost:8787";
  for (const way of ["here", "systemd", "docker"] as const)
    expect(wayOf(way, address, "t").caution).toContain("this machine alone");
  expect(wayOf("kubernetes", address, "t").caution).toContain("PICKET_SERVICE_PUBLIC_URL");
  expect(wayOf("here", "https://picket.test", "t").caution).toBeNull();
});
