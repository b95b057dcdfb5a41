/** Says who is notified each time that a channel is ticked or not. */
export function sayNotified(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== "notifications") return;
    const said = target.closest("fieldset")?.querySelector("[data-notified]");
    if (said instanceof HTMLElement) said.textContent = sentence(said, tickedIn(target));
  });
}

/** The names of the channels that are ticked now. */
const tickedIn = ({ form }: HTMLInputElement): readonly string[] =>
  [...(form?.querySelectorAll<HTMLInputElement>('[name="notifications"]:checked') ?? [])].map(
    (box) => box.closest("label")?.textContent.trim() ?? "",
  );

function sentence({ dataset }: HTMLElement, ticked: readonly string[]): string {
  const { notified = "[]", none = "", one = "", many = "" } = dataset;
  const unticked: readonly string[] = JSON.parse(notified);
  const names = [...unticked, ...ticked];
  const [last = ""] = names.slice(-1);
  if (names.length < 2) return last === "" ? none : `${last} ${one}`;
  return `${names.slice(0, -1).join(", ")} and ${last} ${many}`;
}
