/** Boxes of lines that are shown. */
const boxes = '.line input[type="checkbox"].pick';
/** The box that selects all that is found. */
const all = '.pick-all > input[type="checkbox"].pick';
/** Its name while a person has pressed it. One that only shows that each row is ticked has none, so it is not sent. */
const allName = "all";

/** The box of a row with one cause, which selects all its monitors. */
const groups = '.cause > input[type="checkbox"].pick';

/** A click with Shift ticks all boxes from the one before; the box of all ticks all, until one of them is cleared. */
export function selectMany(): void {
  // What stays selected after an act is as if it had just been ticked: a search as one types leaves that.
  for (const box of document.querySelectorAll<HTMLInputElement>(".pick[checked]")) {
    box.checked = true;
    box.defaultChecked = false;
  }
  forgetPicked();
  let last: Element | null = null;
  document.addEventListener("click", (event) => {
    const { target, shiftKey } = event;
    if (!(target instanceof HTMLInputElement)) return;
    if (target.matches(all)) {
      target.name = allName;
      tickAll(target.checked);
    }
    // The box of a row is for its lines: none of them stays ticked by itself.
    if (target.matches(groups)) tick(target.parentElement ?? target, boxes, false);
    if (!target.matches(`${boxes}, ${groups}`)) return sayWhetherAll();
    if (!target.checked) tick(document, all, false);
    if (target.matches(boxes)) {
      if (shiftKey && last !== null) tickBetween(last, target);
      last = target;
    }
    sayWhetherAll();
  });
  document.addEventListener("change", offerActs);
  keepSelection();
  document.addEventListener("renewed", () => {
    sayWhetherAll();
    offerActs();
  });
  document.addEventListener("keydown", actByEnter);
  sayWhetherAll();
  offerActs();
}

/** The box of all is ticked if each row is, and neither ticked nor clear if some are: what it finds later is not meant by that. */
function sayWhetherAll(): void {
  const box = document.querySelector<HTMLInputElement>(all);
  if (box === null) return;
  if (!box.checked || box.name !== allName) {
    box.checked = isEachWhole();
    box.name = box.checked ? "" : allName;
  }
  const isSome = document.querySelector(".line .pick:checked, .cause > .pick:checked") !== null;
  box.indeterminate = isSome && !box.checked;
}

function isEachWhole(): boolean {
  if (document.querySelector("nav.paging, .unshown .pick:checked") !== null) return false;
  const rows = [...document.querySelectorAll(".line-head.picks + .watched > li")];
  return rows.length > 0 && rows.every(isWhole);
}

/** A row of one cause is, if its own box is ticked, or that of each monitor: it may list the first of them alone. */
function isWhole(row: Element): boolean {
  if (row.querySelector(":scope > .pick:checked") !== null) return true;
  const lines = [...row.querySelectorAll<HTMLInputElement>(boxes)];
  return (
    lines.length > 1 &&
    row.querySelector("details > .words") === null &&
    lines.every(({ checked }) => checked)
  );
}

/** Enter in a box of the label adds it, and in one of a silence silences; in every other box it changes nothing. */
function actByEnter(event: KeyboardEvent): void {
  const { target, key, isComposing } = event;
  if (key !== "Enter" || isComposing || !(target instanceof HTMLInputElement)) return;
  const button = buttonFor(target);
  if (button === null) return;
  event.preventDefault();
  button.click();
}

function buttonFor(field: HTMLInputElement): HTMLButtonElement | null {
  if (field.matches('#many input:is([name="key"], [name="value"])'))
    return document.querySelector('#many button[name="act"][value="label"]');
  return field.closest("#many .lengths")?.querySelector("button") ?? null;
}

/** Monitors that pass, or that someone looks at, have nothing to acknowledge. */
function offerAcknowledging(): void {
  const waiting = document.querySelector(`.pick.waits:checked, ${all}:checked`);
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.acknowledging"))
    button.disabled = waiting === null;
}

/** The style shows a mark if files own all that is selected: then nothing that changes it can be pressed. */
function offerActs(): void {
  const mark = document.querySelector(".files-note > summary .only");
  for (const acts of document.querySelectorAll<HTMLFieldSetElement>("fieldset.changing"))
    acts.disabled = mark?.checkVisibility() === true;
  offerAcknowledging();
  nameReleased();
}

/** Selected monitors of files that the page may not list. */
const unlisted = `.unshown .some-of-files:checked, body:has(nav.paging) ${all}[name="all"]:checked`;

/** Puts the selected monitors into the commands that take them from their files, if the page lists all of them. */
function nameReleased(): void {
  const isPart = document.querySelector(unlisted) !== null;
  const named = isPart
    ? []
    : picksOf(`${boxes}.of-files:checked, ${groups}:checked ~ details .of-files`);
  for (const command of document.querySelectorAll<HTMLElement>(".files-note code")) {
    const { owner = "" } = command.dataset;
    const names = named
      .filter((box) => box.dataset["owner"] === owner)
      .map((box) => box.closest(".line")?.querySelector("h3 a")?.textContent.trim() ?? "");
    command.hidden = names.length === 0 && named.length > 0;
    const words = names.length === 0 ? "NAME" : names.map(shellWord).join(" ");
    const text = `picket import monitor ${words} --release --from ${shellWord(owner)}`;
    if (command.textContent === text) continue;
    command.textContent = text;
    // What was copied is another one.
    command.nextElementSibling?.replaceChildren("Copy");
  }
}

const shellWord = (text: string): string =>
  /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The address of an act says what stays selected: a page that renews itself would tick again what a person cleared. */
function forgetPicked(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has("picked")) return;
  address.searchParams.delete("picked");
  history.replaceState(history.state, "", address);
}

function tick(within: ParentNode, which: string, isTicked: boolean): void {
  for (const box of within.querySelectorAll<HTMLInputElement>(which)) box.checked = isTicked;
}

function tickAll(isTicked: boolean): void {
  tick(document, `${groups}, ${boxes}`, isTicked);
  tick(document, `.cause ${boxes}`, false);
}

function tickBetween(from: Element, to: HTMLInputElement): void {
  const shown = [...document.querySelectorAll<HTMLInputElement>(boxes)];
  const places = [from, to].map((one) => shown.findIndex((box) => box === one));
  const [first = 0, end = 0] = places.toSorted((a, b) => a - b);
  for (const box of shown.slice(Math.max(0, first), end + 1)) box.checked = to.checked;
}

/** Monitors that are ticked and that the search does not find now: they are ticked again as soon as it does. */
let outside: ReadonlySet<number> = new Set();

/** What is ticked once the page is renewed; null: as it is, because the search is the same. */
let ticked: ReadonlySet<number> | "all" | null = null;

/**
 * As a person searches on, only rows that are found are shown, and acts are for the ticked ones of them alone. All that
 * is found on several pages has no names here: it stays selected while the search only gets narrower.
 */
function keepSelection(): void {
  document.addEventListener("renewing", (event) => {
    if (event instanceof CustomEvent && event.detail instanceof Document) leave(event.detail);
  });
  document.addEventListener("renewed", tickAgain);
}

function leave(fresh: Document): void {
  const [before, after] = [searchIn(document), searchIn(fresh)];
  if (before === null || after === null) return;
  if (isSameSearch(before, after)) return take(fresh, ["query"]);
  ticked = tickedIn(before, after);
  for (const box of picksOf(`${boxes}, ${groups}, ${all}`)) box.checked = false;
  // A form that a person types in is left by the renewal.
  take(fresh, ["query", "seen"]);
}

function tickedIn(before: URLSearchParams, after: URLSearchParams): ReadonlySet<number> | "all" {
  const isAll = picksOf(`${all}[name="all"]`).some(({ checked }) => checked);
  if (isAll && document.querySelector("nav.paging") !== null)
    return isNarrower(before, after) ? "all" : new Set();
  const shown = picksOf(`${boxes}, ${groups}`);
  const cleared = new Set(shown.flatMap(idsOf));
  const chosen = shown.filter(({ checked }) => checked).flatMap(idsOf);
  return new Set([...[...outside].filter((id) => !cleared.has(id)), ...chosen]);
}

function tickAgain(): void {
  if (ticked === "all") {
    outside = new Set();
    for (const box of picksOf(`${all}, ${groups}, .watched > ${boxes}`)) box.checked = true;
    for (const box of picksOf(all)) box.name = "all";
  } else if (ticked !== null) tickThese(ticked);
  ticked = null;
  const words =
    outside.size === 0
      ? ""
      : ` ${outside.size} outside this search ${outside.size === 1 ? "is" : "are"} left out`;
  for (const line of document.querySelectorAll<HTMLElement>("#many .picked"))
    line.dataset["outside"] = words;
}

function tickThese(ids: ReadonlySet<number>): void {
  const found = new Set<number>();
  for (const box of picksOf(groups)) {
    const own = idsOf(box);
    box.checked = own.every((id) => ids.has(id));
    if (box.checked) for (const id of own) found.add(id);
  }
  for (const box of picksOf(boxes))
    for (const id of idsOf(box)) {
      box.checked = ids.has(id) && !found.has(id);
      if (box.checked) found.add(id);
    }
  outside = new Set([...ids].filter((id) => !found.has(id)));
}

const picksOf = (which: string): readonly HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>(which),
];

/** One number, or gaps to runs of them and how many follow in each, in base 36. */
function idsOf({ name, value }: HTMLInputElement): readonly number[] {
  if (name === "monitor") return [Number(value)];
  const ids: number[] = [];
  let last = 0;
  for (const word of value.split(".")) {
    const [gap = "", more = "0"] = word.split("-");
    const end = last + Number.parseInt(gap, 36) + Number.parseInt(more, 36);
    for (let id = last + Number.parseInt(gap, 36); id <= end; id += 1) ids.push(id);
    last = end;
  }
  return ids;
}

function searchIn(page: Document): URLSearchParams | null {
  const field = page.querySelector<HTMLInputElement>('#many > input[name="query"]');
  return field === null ? null : new URLSearchParams(field.value);
}

const filters = ["state", "unheard", "planned", "location", "label"] as const;

const isSameSearch = (before: URLSearchParams, after: URLSearchParams): boolean =>
  [...filters, "text"].every((name) => before.get(name) === after.get(name));

/** Whether it finds nothing that it did not find before: each word is still there, maybe longer. */
function isNarrower(before: URLSearchParams, after: URLSearchParams): boolean {
  const wordsOf = (query: URLSearchParams): readonly string[] =>
    (query.get("text") ?? "").toLowerCase().split(/\s+/);
  const words = wordsOf(after);
  return (
    wordsOf(before).every((word) => words.some((longer) => longer.includes(word))) &&
    filters.every((name) => !before.has(name) || before.get(name) === after.get(name))
  );
}

/** The bar is of the search that is shown: what it is sent with, how many that finds, and where its link leads. */
function take(fresh: Document, names: readonly string[]): void {
  for (const name of names) {
    const which = `#many > input[name="${name}"]`;
    for (const field of picksOf(which))
      field.value = fresh.querySelector<HTMLInputElement>(which)?.value ?? field.value;
  }
  const copies = [[".clear", "href"], ...(names.includes("seen") ? founds : [])] as const;
  for (const [which = "", attribute = ""] of copies) {
    const value = fresh.querySelector(`#many ${which}`)?.getAttribute(attribute);
    if (value) document.querySelector(`#many ${which}`)?.setAttribute(attribute, value);
  }
}

const founds = [
  [".picked", "data-found"],
  [".filed", "data-found"],
] as const;
