import { type CompletionRow, completionRows, quoted } from "#cli/completion/completion-rows";
import type { Grammar } from "#cli/grammar/command";
import type { Offers } from "#cli/grammar/option";

/** The completion for bash, which needs no package of it. */
export const bashCompletion = (grammars: readonly Grammar[]): string => {
  const rows = completionRows(grammars);
  const commands = rows.map(({ name }) => name).join(" ");
  return `# Completion of picket for bash: source <(picket completion bash)
${offer}_picket() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  local options='' taking='' index word=0
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _picket_offer "$cur" words ${commands} help
    return
  fi
  [[ $command == help ]] && { _picket_offer "$cur" words ${commands}; return; }
  case $command in
${rows.map(optionsOf).join("\n")}
  esac
  case $command:$prev in
${rows.flatMap(valuesOf).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    _picket_offer "$cur" words $options
    return
  fi
  for ((index = 2; index < COMP_CWORD; index += 1)); do
    if [[ " $taking " == *" \${COMP_WORDS[index]} "* ]]; then index=$((index + 1));
    elif [[ \${COMP_WORDS[index]} != -* ]]; then word=$((word + 1)); fi
  done
  case $command:$word in
${rows.flatMap(wordsOf).join("\n")}
  esac
}
complete -F _picket picket
`;
};

const offer = `_picket_offer() {
  local cur=$1 kind=$2 line
  shift 2
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur") ;;
    files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    names)
      while IFS= read -r line; do
        [[ $line == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
      done < <(picket "$1" --names 2>/dev/null)
      ;;
  esac
}
`;

function optionsOf({ name, options }: CompletionRow): string {
  const all = options.flatMap(({ long, short }) => (short === "" ? [long] : [short, long]));
  const taking = options
    .filter(({ offers }) => offers !== null)
    .flatMap(({ long, short }) => (short === "" ? [long] : [short, long]));
  return `    ${name}) options=${quoted(all.join(" "))} taking=${quoted(taking.join(" "))} ;;`;
}

const valuesOf = ({ name, options }: CompletionRow): readonly string[] =>
  options.flatMap(({ long, short, offers }) => {
    if (offers === null) return [];
    const typed = short === "" ? `${name}:${long}` : `${name}:${short} | ${name}:${long}`;
    return [`    ${typed}) ${offering(offers)}return ;;`];
  });

const wordsOf = ({ name, words }: CompletionRow): readonly string[] =>
  words.map((offers, index) => {
    const last = index === words.length - 1;
    return `    ${name}:${last ? "*" : index}) ${offering(offers)};;`;
  });

function offering(offers: Offers): string {
  if (offers === "nothing") return "";
  if (offers === "files") return '_picket_offer "$cur" files; ';
  if (offers === "monitors" || offers === "locations")
    return `_picket_offer "$cur" names ${offers}; `;
  return `_picket_offer "$cur" words ${offers.map(quoted).join(" ")}; `;
}
