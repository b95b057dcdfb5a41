import { readerZone as timeZone } from "#browser/reader-zone";

/*
 * Lists under days: the service has them under days of UTC, and their times are shown in the reader's zone. Without this
 * script both are UTC, and say so.
 */

const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone });

/** Puts what is listed under days of UTC under those of the reader's zone, which the headings name. */
export function groupByOwnDays(part: ParentNode): void {
  if (timeZone === "UTC" || timeZone === "") return;
  let [shown, under] = ["", document.createElement("ol")];
  for (const heading of part.querySelectorAll("h2.day[data-utc]")) {
    const list = heading.nextElementSibling;
    if (list === null) continue;
    for (const entry of Array.from(list.children)) {
      const at = new Date(entry.querySelector("time")?.dateTime ?? "");
      if (Number.isNaN(at.getTime())) continue;
      const name = `${dayName.format(at)} (${timeZone.replaceAll("_", " ")})`;
      if (shown !== name) [shown, under] = [name, begun(name, heading, list)];
      under.append(entry);
    }
    heading.remove();
    list.remove();
  }
}

/** An empty list under its heading, before what the service has there. */
function begun(name: string, before: Element, like: Element): HTMLOListElement {
  const heading = document.createElement("h2");
  heading.className = "day";
  heading.textContent = name;
  const list = document.createElement("ol");
  list.className = like.className;
  before.before(heading, list);
  return list;
}
