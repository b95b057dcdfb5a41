import type { NamedItem } from "#browser/best-named";

/** Something that a person can go to or do from any page. */
export interface JumpItem extends NamedItem {
  /** What it is, e.g. a monitor that fails. */
  readonly note: string;
  /** The keys that do the same; empty if there are none. */
  readonly keys: string;
  readonly act: () => void;
}

/** What can be done on this page, all pages, and what can be made, as far as the words find them. */
export function itemsFor(text: string): readonly JumpItem[] {
  const wanted = text.toLowerCase().split(/\s+/);
  return [...actsOfPage(), ...pages(), ...makes()].filter(({ words }) =>
    wanted.every((one) => words.toLowerCase().includes(one)),
  );
}

/**
 * The first monitors that the service finds, what can be done with them, and pages of other things; none if it does not
 * answer.
 */
export async function foundFor(text: string, signal: AbortSignal): Promise<readonly JumpItem[]> {
  if (text.trim() === "") return [];
  try {
    const query = new URLSearchParams({ text });
    const answer = await fetch(`/jump.json?${query.toString()}`, { redirect: "error", signal });
    if (!answer.ok) return [];
    const { monitors, acts, places, form }: JumpAnswer = await answer.json();
    return [
      ...monitors.map(({ id, name, status, target }) => ({
        words: name,
        note: `${status} · ${target}`,
        keys: "",
        act: goTo(`/monitors/${id}`),
      })),
      ...acts.map(({ words, note, path, is_sent: isSent, fields }) => ({
        words,
        note,
        keys: "",
        isAct: true,
        act: isSent ? send(path, { ...fields, form }) : goTo(path),
      })),
      ...places.map(({ words, note, path }) => ({ words, note, keys: "", act: goTo(path) })),
    ];
  } catch {
    return [];
  }
}

interface JumpAnswer {
  readonly monitors: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly target: string;
  }[];
  readonly acts: readonly {
    readonly words: string;
    readonly note: string;
    /** A page, or where a form is sent to. */
    readonly path: string;
    readonly is_sent: boolean;
    /** What that form says; an empty `back` is this page. */
    readonly fields: Readonly<Record<string, string>>;
  }[];
  readonly places: readonly {
    readonly words: string;
    readonly note: string;
    readonly path: string;
  }[];
  /** What each form has, so that none comes from elsewhere. */
  readonly form: string;
}

/** As the button of the page does it. */
const send = (path: string, fields: Readonly<Record<string, string>>) => (): void => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = path;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    [field.type, field.name] = ["hidden", name];
    field.value = name === "back" && value === "" ? location.pathname + location.search : value;
    form.append(field);
  }
  document.body.append(form);
  form.requestSubmit();
};

const goTo = (path: string) => (): void => location.assign(path);

const acts = [
  // What a phone has in the menu is there twice.
  "button:not(.lengths button, .if-narrow button)",
  "a.button:not(.if-narrow)",
  "summary:not(.acts-menu > summary)",
].join();

/**
 * Buttons and links of the page's head, those in its menu, too: what is chosen is pressed as by hand. What is in a closed
 * menu has no inner text.
 */
const actsOfPage = (): readonly JumpItem[] =>
  [...document.querySelectorAll<HTMLElement>(`main .acts :is(${acts})`)].map((one) => ({
    words: one.textContent.trim(),
    note: "On this page",
    keys: "",
    act: () => {
      const menu = one.closest<HTMLDetailsElement>("details.acts-menu");
      if (menu !== null) menu.open = true;
      one.focus();
      one.click();
    },
  }));

const pages = (): readonly JumpItem[] =>
  [...document.querySelectorAll<HTMLAnchorElement>("#pages a")].map((link) => ({
    words: link.textContent.trim(),
    note: "Page",
    keys: `g ${link.dataset["letter"] ?? ""}`,
    act: goTo(link.pathname),
  }));

/** What the reader may make: the page says it. */
const makes = (): readonly JumpItem[] =>
  document.querySelector("#pages[data-makes]") === null
    ? []
    : [
        ["New monitor", "/monitors/new"],
        ["New channel", "/channels/new"],
        ["New location and agent", "/locations/new"],
        ["New status page", "/status-pages/new"],
        ["Plan maintenance", "/maintenances/new"],
      ].map(([words = "", path = "/"]) => ({ words, note: "Create", keys: "", act: goTo(path) }));
