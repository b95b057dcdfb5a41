/* What a browser would send of a form that we wrote: so a form is compared with others of its kind, whoever wrote it. */

export interface FilledForm {
  readonly form: URLSearchParams;
  /** The names of its boxes to tick. */
  readonly boxes: ReadonlySet<string>;
  /** The names of its buttons. */
  readonly buttons: ReadonlySet<string>;
  /** What a list to choose from calls a value; null if it is in none. */
  readonly choiceWords: (name: string, value: string) => string | null;
}

/** The form of this address that edits something; null if a page has none. */
export function filledForm(page: string, action: string): FilledForm | null {
  const found = editingForms(page).find((one) => one.action === action);
  return found === undefined ? null : filledIn(found.text);
}

/** What is between the tags of a form, by none of its buttons. */
export function filledIn(text: string): FilledForm {
  const form = new URLSearchParams();
  const boxes = new Set<string>();
  const words = new Map<string, string>();
  for (const { groups = {} } of text.matchAll(controls)) {
    const { input, tag, inner = "" } = groups;
    const attributes = input ?? groups["words"] ?? "";
    const name = attribute(attributes, "name");
    if (name === null || has(attributes, "disabled")) continue;
    if (attribute(attributes, "type") === "checkbox") boxes.add(name);
    const options = tag === "select" ? optionsIn(inner) : [];
    for (const option of options) words.set(`${name} ${option.value}`, option.words);
    const value =
      tag === "select"
        ? (options.find(({ isChosen }) => isChosen) ?? options[0])?.value
        : tag === "textarea"
          ? // A browser leaves out an end of line right after the tag.
            plain(inner.replace(/^\n/, ""))
          : valueOfInput(attributes);
    if (value !== undefined) form.append(name, value);
  }
  const choiceWords = (name: string, value: string) => words.get(`${name} ${value}`) ?? null;
  return { form, boxes, buttons: buttonsIn(text), choiceWords };
}

/** A form that edits something, in the text of a page. */
interface EditingForm {
  readonly action: string;
  readonly text: string;
  /** Where its content begins in the page. */
  readonly begins: number;
}

/** Those that name the version that they show. No value that we write has a bracket in its tag. */
export const editingForms = (page: string): readonly EditingForm[] =>
  [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap((found) => {
    const [whole, tag = "", text = ""] = found;
    const action = attribute(tag, "action");
    if (action === null || !text.includes(' name="basis"')) return [];
    return [{ action, text, begins: found.index + whole.indexOf(">") + 1 }];
  });

const controls =
  /<input\b(?<input>[^>]*)>|<(?<tag>textarea|select)\b(?<words>[^>]*)>(?<inner>.*?)<\/\k<tag>>/gs;

const buttonsIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/<button\b([^>]*)>/g)].flatMap(
      ([, words = ""]) => attribute(words, "name") ?? [],
    ),
  );

/** Undefined: it is not sent. */
function valueOfInput(words: string): string | undefined {
  const type = attribute(words, "type") ?? "text";
  if (type === "submit" || type === "button" || type === "file") return undefined;
  if (type === "checkbox" || type === "radio")
    return has(words, "checked") ? (attribute(words, "value") ?? "on") : undefined;
  return attribute(words, "value") ?? "";
}

interface Option {
  readonly value: string;
  readonly words: string;
  readonly isChosen: boolean;
}

const optionsIn = (inner: string): readonly Option[] =>
  [...inner.matchAll(/<option\b([^>]*)>([^<]*)/g)].map(([, attributes = "", words = ""]) => ({
    value: attribute(attributes, "value") ?? plain(words).trim(),
    words: plain(words).trim(),
    isChosen: has(attributes, "selected"),
  }));

function attribute(words: string, name: string): string | null {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(words) ?? [];
  return value === undefined ? null : plain(value);
}

const has = (words: string, name: string): boolean =>
  new RegExp(`(?:^|\\s)${name}(?:\\s|$)`).test(words.replaceAll(/"[^"]*"/g, ""));

/** Text as it was before it was escaped. */
const plain = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => signs[entity] ?? entity);

const signs: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};
