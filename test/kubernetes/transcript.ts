import os from "node:os";
import type { CommandEnd } from "../support/run-command.ts";

/** What was done and what it printed, as a page that shows a rollout to a reader. */
export interface Transcript {
  chapter(title: string): void;
  /** Runs a command that has to succeed, and returns what it printed, which is shown too. */
  run(command: string): Promise<string>;
  /** Shows a file that the commands after it take. */
  file(name: string, text: string): void;
  /** A sentence of what was seen. */
  saw(sentence: string): void;
  page(versions: readonly string[]): string;
}

/** Enough to see what a command did; the rest of a long output is told by its number of lines. */
const shownLinesMax = 14;

/** `shell` runs a command where a person would. */
export function startTranscript(shell: (command: string) => Promise<CommandEnd>): Transcript {
  const parts: string[] = [];
  return {
    chapter: (title) => void parts.push(`## ${title}`),
    file: (name, text) => void parts.push(`\`${name}\`:`, `\`\`\`yaml\n${text}\`\`\``),
    saw: (sentence) => {
      process.stdout.write(`${sentence}\n`);
      parts.push(`- ${sentence}`);
    },
    run: async (command) => {
      const { code, stdout, output } = await shell(command);
      if (code !== 0) throw new Error(`${command}\nended with ${code}: ${output}`);
      parts.push(["```console", `$ ${command}`, ...shown(output), "```"].join("\n"));
      return stdout.trimEnd();
    },
    page: (versions) =>
      [preface(versions), ...parts].join("\n\n").replaceAll(/^(- .*)\n\n(?=- )/gm, "$1\n") + "\n",
  };
}

function shown(output: string): readonly string[] {
  const lines = output.split("\n").map((line) => line.trimEnd());
  const full = lines.filter((line) => line !== "");
  const more = full.length - shownLinesMax;
  return more > 0 ? [...full.slice(0, shownLinesMax), `… ${more} more lines`] : full;
}

const preface = (versions: readonly string[]): string => `# A rollout on a real cluster

Made by \`npm run kubernetes-rollout\`, a test that does what [kubernetes.md](kubernetes.md) says on a real API server and
kubelet, and fails where something differs from that page. Do not edit.

The cluster is one node on a machine of ${os.cpus().length} processors (Linux ${os.release()}): ${versions.join(", ")}.
The service stands outside of the cluster behind TLS of a private authority; each of its monitors runs every 30 s.
The cluster has no network plugin, so the NetworkPolicy is taken and not enforced; its API has no policy/v1 yet, so the
PodDisruptionBudget is left out.`;
