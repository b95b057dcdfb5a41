import { type CompletionRow, completionRows, quoted } from "#cli/completion/completion-rows";
import type { Grammar } from "#cli/grammar/command";
import type { Offers } from "#cli/grammar/option";

/** The completion for fish, a line for each command, option and word. */
export function fishCompletion(grammars: readonly Grammar[]): string {
  const rows = completionRows(grammars);
  return `# Completion of picket for fish: picket completion fish > ~/.config/fish/completions/picket.fish
complete -c picket -f
${[...rows.map(commandLine), ...rows.flatMap(optionLines), ...rows.flatMap(wordLines)].join("\n")}
`;
}

const commandLine = ({ name, summary }: CompletionRow): string =>
  `complete -c picket -n __fish_use_subcommand -a ${name} -d ${escaped(summary)}`;

const on = (name: string): string => `-n '__fish_seen_subcommand_from ${name}'`;

const optionLines = ({ name, options }: CompletionRow): readonly string[] =>
  options.map(({ long, short, does, offers }) =>
    [
      `complete -c picket ${on(name)}`,
      ...(short === "" ? [] : [`-s ${short.slice(1)}`]),
      `-l ${long.slice(2)}`,
      ...(offers === null ? [] : [taking(offers)]),
      `-d ${escaped(does)}`,
    ].join(" "),
  );

/** fish has no place of a word: what any of them may be is offered for each. */
const wordLines = ({ name, words }: CompletionRow): readonly string[] =>
  words.flatMap((offers) =>
    offers === "nothing" ? [] : [`complete -c picket ${on(name)} ${taking(offers).slice(3)}`],
  );

function taking(offers: Offers): string {
  if (offers === "nothing") return "-x";
  if (offers === "files") return "-r -F";
  if (offers === "monitors" || offers === "locations")
    return `-x -a '(picket ${offers} --names 2>/dev/null)'`;
  return `-x -a ${quoted(offers.join(" "))}`;
}

/** Inside single quotes fish reads \\' and \\\\ alone. */
const escaped = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
