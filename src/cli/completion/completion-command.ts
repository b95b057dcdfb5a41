import { bashCompletion } from "#cli/completion/bash-completion";
import { completionGrammar, type Shell, shells } from "#cli/completion/completion-grammar";
import { fishCompletion } from "#cli/completion/fish-completion";
import { zshCompletion } from "#cli/completion/zsh-completion";
import { exitCodes } from "#cli/edge/exit-code";
import type { Grammar } from "#cli/grammar/command";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";

/** `picket completion`: a script for a shell, made from the tables of all commands. */
export const completionCommand =
  (grammars: readonly Grammar[]) =>
  async (args: readonly string[], io: Io): Promise<number> => {
    const typed = readWords(completionGrammar, args, io);
    if (typed === null) return exitCodes.fine;
    const shell = shells.find((one) => one === typed.words[0]);
    if (shell === undefined || typed.words.length > 1)
      throw new UsageError(`completion takes one of ${shells.join(", ")}`);
    io.stdout.write(scripts[shell](grammars));
    return exitCodes.fine;
  };

const scripts: { readonly [S in Shell]: (grammars: readonly Grammar[]) => string } = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
