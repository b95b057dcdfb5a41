/** A form of a page that changes something. */
interface PostedForm {
  readonly action: string;
  /** What is between its tags. */
  readonly text: string;
}

/** The forms of a page that change something. No value that we write has a bracket in its tag. */
export const formsIn = (page: string): readonly PostedForm[] =>
  [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, words = ""]) => attribute(words, "method") === "post")
    .map(([, words = "", text = ""]) => ({ action: attribute(words, "action") ?? "", text }));

/** What a browser sends of the form of this address as a page has it, by none of its buttons. */
export function sentForm(page: string, action: string): URLSearchParams {
  const form = formsIn(page).find((one) => one.action === action);
  if (form === undefined) throw new Error(`the page has no form for ${action}`);
  const sent = new URLSearchParams();
  for (const control of form.text.matchAll(controls)) {
    const { input = "", tag, words = input, inner = "" } = control.groups ?? {};
    const name = attribute(words, "name");
    const value =
      tag === undefined ? inputOf(words) : tag === "select" ? chosenIn(inner) : plain(inner);
    if (name !== null && value !== null && !has(words, "disabled")) sent.append(name, value);
  }
  return sent;
}

const controls =
  /<input\b(?<input>[^>]*)>|<(?<tag>textarea|select)\b(?<words>[^>]*)>(?<inner>.*?)<\/\k<tag>>/gs;

/** Null: it is not sent. */
function inputOf(words: string): string | null {
  const type = attribute(words, "type") ?? "text";
  if (type === "checkbox" || type === "radio")
    return has(words, "checked") ? (attribute(words, "value") ?? "on") : null;
  return attribute(words, "value") ?? "";
}

/** The chosen one, or the first. */
function chosenIn(options: string): string | null {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, words = ""]) => words);
  const chosen = all.find((words) => has(words, "selected")) ?? all[0];
  return chosen === undefined ? null : (attribute(chosen, "value") ?? "");
}

function attribute(words: string, name: string): string | null {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(words) ?? [];
  return value === undefined ? null : plain(value);
}
const has = (words: string, name: string): boolean =>
  new RegExp(`(?:^|\\s)${name}(?:\\s|$)`).test(words.replaceAll(/"[^"]*"/g, ""));

const signs: readonly (readonly [entity: string, sign: string])[] = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&amp;", "&"],
];
const plain = (text: string): string =>
  signs.reduce((sum, [entity, sign]) => sum.replaceAll(entity, sign), text);
