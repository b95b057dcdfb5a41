import type { Grammar } from "#cli/grammar/command";
import { word } from "#cli/grammar/option";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** How `picket completion` is typed. */
export const completionGrammar: Grammar = {
  name: "completion",
  summary: "the completion of these commands for bash, zsh or fish",
  forms: ["bash|zsh|fish"],
  about: `Prints a script that completes commands, options and their values. Names of monitors and locations come
from the service, where SERVICE_API_URL and SERVICE_API_KEY are set.

  bash   source <(picket completion bash)                         in ~/.bashrc
  zsh    source <(picket completion zsh)                          in ~/.zshrc, after compinit
  fish   picket completion fish > ~/.config/fish/completions/picket.fish`,
  words: [word("SHELL", shells)],
  options: {},
  notes: "",
};
