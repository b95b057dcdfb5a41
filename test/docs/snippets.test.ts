import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isInstalled } from "../support/installed.ts";
import { commands as commandTable } from "#cli/commands";
import { readTexts } from "../support/configuration-text.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { type Block, blocksOf, pages } from "./blocks.ts";

/* Each snippet of configuration is read by the program that it is for. */

interface Snippet {
  readonly is: (block: Block) => boolean;
  /** What the program says of it; empty if it takes it. */
  readonly faults: (code: string) => string;
}

const isYaml = (beginning: RegExp) => (block: Block) =>
  block.language === "yaml" && beginning.test(block.code);

const snippets: Readonly<Record<string, Snippet>> = {
  "files of configuration": {
    is: isYaml(/^(?:x-\w+|defaults|\w+_monitors|notifications|status_pages|owner):/),
    faults: configurationFaults,
  },
  "Prometheus' configuration": {
    is: isYaml(/^(?:rule_files|scrape_configs):/),
    faults: (code) => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, "prometheus.yml"), code);
      return saidBy("promtool", [
        "check",
        "config",
        "--syntax-only",
        path.join(folder, "prometheus.yml"),
      ]);
    },
  },
  "a job of GitHub": { is: isYaml(/^jobs:/), faults: jobFaults },
  "nginx' configuration": { is: ({ language }) => language === "nginx", faults: nginxFaults },
  JSON: {
    is: ({ language }) => language === "json",
    faults: (code) => (typeof JSON.parse(code) === "object" ? "" : "it is not an object"),
  },
  "a module of JavaScript": {
    is: ({ language }) => language === "js",
    faults: (code) => saidBy(process.execPath, ["--check", "--input-type=module", "-"], code),
  },
};

/** Objects and values of Kubernetes: test/deploy renders those of docs/kubernetes.md, and the rollout's page shows what ran. */
const isReadElsewhere = isYaml(/^(?:apiVersion|serviceUrl):/);

const all = pages
  .flatMap(blocksOf)
  .filter(({ language }) => !/^(?:|sh|console|text)$/.test(language));

test("each snippet of configuration is of a sort that a test reads", () => {
  const sorts = Object.values(snippets);
  const unknown = all.filter(
    (block) => !isReadElsewhere(block) && !sorts.some(({ is }) => is(block)),
  );
  expect(unknown.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

test.skipIf(!isInstalled("promtool", "nginx")).each(Object.entries(snippets))(
  "the program that they are for takes %s",
  (_sort, { is, faults }) => {
    const found = all.filter(is);
    expect(found.length).toBeGreaterThan(0);
    const said = found.map(({ page, line, code }) => ({
      at: `${page}:${line}`,
      faults: faults(code),
    }));
    expect(said.filter(({ faults }) => faults !== "")).toEqual([]);
  },
);

/** Its commands are Picket's, with options that exist. */
function jobFaults(code: string): string {
  const commands = [...code.matchAll(/run: picket (\w+) (.*)$/gm)];
  const unknown = commands.flatMap(([, name = "", rest = ""]) => {
    const options = [...rest.matchAll(/ --([\w-]+)/g)];
    const known = commandTable.find(({ grammar }) => grammar.name === name)?.grammar.options ?? {};
    return options.flatMap(([, option = ""]) => (option in known ? [] : [`--${option}`]));
  });
  return commands.length === 0 ? "no command of Picket" : unknown.join(" ");
}

/** A variable and a file that are there stand for the secrets of examples. */
function configurationFaults(code: string): string {
  const secret = path.join(temporaryFolder(), "secret");
  writeFileSync(secret, "https://hooks.slack.com/services/T0/B0/x\n");
  const env = Object.fromEntries(
    [...code.matchAll(/env: (\w+)/g)].map(([, name = ""]) => [
      name,
      "https://hooks.slack.com/services/T0/B0/x",
    ]),
  );
  const reading = readTexts({ file: code.replaceAll(/\/run\/secrets\/[\w-]+/g, secret) }, env);
  return reading.ok ? "" : JSON.stringify([...reading.mistakes.values()]);
}

/** The lines of a server, or a whole one, within a configuration as a distribution has it. */
function nginxFaults(code: string): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "tmp"));
  const whole = /^server/m.test(code) ? code : `server { listen 127.0.0.1:8080; ${code} }`;
  const text = whole.replaceAll(/^ *ssl_certificate.*$/gm, "").replace("443 ssl", "127.0.0.1:8443");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path tmp/${name};`,
  );
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `pid nginx.pid; error_log stderr; events {} http { access_log off; ${temporary.join(" ")}\n${text} }`,
  );
  return saidBy("nginx", ["-t", "-q", "-p", folder, "-c", path.join(folder, "nginx.conf")]);
}

function saidBy(program: string, args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", input });
  return status === 0 ? "" : `${stdout}${stderr}`;
}
