/** Says who is notified each time that a channel is ticked or not. */
export function sayNotified(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== "notifications") return;
    const said = target.closest("fieldset")?.querySelector("[data-notified]");
    if (said instanceof HTMLElement) said.textContent = sentence(said, target);
  });
}

/** The names of the channels that are ticked now and take failures. */
const tickedIn = (
  { form }: HTMLInputElement,
  withoutFailures: readonly string[],
): readonly string[] =>
  [...(form?.querySelectorAll<HTMLInputElement>('[name="notifications"]:checked') ?? [])]
    .filter(({ value }) => !withoutFailures.includes(value))
    .map((box) => box.closest("label")?.textContent.trim() ?? "");

function sentence({ dataset }: HTMLElement, box: HTMLInputElement): string {
  const {
    notified = "[]",
    withoutFailures = "[]",
    shown = "",
    none = "",
    one = "",
    many = "",
  } = dataset;
  const unticked: readonly string[] = JSON.parse(notified);
  const names = [...unticked, ...tickedIn(box, JSON.parse(withoutFailures))];
  const rest = names.length - Number(shown);
  const listed = rest > 0 ? [...names.slice(0, -rest), `${rest} more`] : names;
  const [last = ""] = listed.slice(-1);
  if (listed.length < 2) return last === "" ? none : `${last} ${one}`;
  return `${listed.slice(0, -1).join(", ")} and ${last} ${many}`;
}
