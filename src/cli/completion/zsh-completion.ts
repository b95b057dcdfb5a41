import { type CompletionRow, completionRows, quoted } from "#cli/completion/completion-rows";
import type { Grammar } from "#cli/grammar/command";
import type { Offers } from "#cli/grammar/option";

/** The completion for zsh, by its own _arguments, with what each option does. */
export function zshCompletion(grammars: readonly Grammar[]): string {
  const rows = completionRows(grammars);
  const described = rows.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ");
  return `#compdef picket
# Completion of picket for zsh: source <(picket completion zsh), after compinit
_picket_names() {
  local -a names
  names=("\${(@f)$(picket $1 --names 2>/dev/null)}")
  compadd -a names
}
_picket() {
  local -a commands
  commands=(${described})
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  shift words
  ((CURRENT -= 1))
  case $command in
    help) _describe command commands ;;
${rows.map(argumentsOf).join("\n")}
  esac
}
compdef _picket picket
`;
}

const argumentsOf = ({ name, options, words }: CompletionRow): string =>
  `    ${name}) _arguments -s ${[
    ...options.flatMap(({ long, short, does, offers }) =>
      (short === "" ? [long] : [short, long]).map((typed) =>
        quoted(`*${typed}[${escaped(does)}]${offers === null ? "" : `:value:${acting(offers)}`}`),
      ),
    ),
    ...words.map((offers, index) => {
      const place = index === words.length - 1 ? "*" : String(index + 1);
      return quoted(`${place}:word:${acting(offers)}`);
    }),
  ].join(" ")} ;;`;

/** What ends a description, or a field of it. */
const escaped = (text: string): string => text.replaceAll(/[[\]:\\]/g, "\\$&");

function acting(offers: Offers): string {
  if (offers === "nothing") return " ";
  if (offers === "files") return "_files";
  if (offers === "monitors" || offers === "locations") return `_picket_names ${offers}`;
  return `(${offers.join(" ")})`;
}
