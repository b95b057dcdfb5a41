import * as limits from "#limits/status-limits";
import { counted } from "#web/page/format";
import { wallTime } from "#service/edge/written-time";
import { html, type Html } from "#web/page/html";
import { plannedMark } from "#web/page/verdict-mark";
import { audienceWords, type PreviewedMessage } from "#service/operator/message-preview";
import type { PageRooms } from "#service/operator/page-rooms";
import { coveredComponents } from "#service/operator/planned/typed-work";
import { periodInZone, wordsIn } from "#service/status-site/view/words";
import type { Locale } from "#service/status-page/page-definition";
import { integerOf } from "#service/store/ids";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { ComponentRow, StatusPageRow } from "#service/store/page-store";

/** What readers of a status page see of planned work; on none, it is for colleagues alone. `before` null: new work. */
export async function previewedWork(
  rooms: PageRooms,
  typed: URLSearchParams,
  before: MaintenanceRow | null,
): Promise<PreviewedMessage> {
  const text = (name: string): string => (typed.get(name) ?? "").trim();
  const page = await chosenPage(rooms, typed);
  const { texts, locale } = wordsIn(page?.definition.defaultLocale ?? "en");
  const monitors = typed.getAll("monitor_ids");
  const covered = page === null ? [] : await coveredComponents(rooms, page.id, monitors, before);
  return {
    subject: [
      text("title") === "" ? "" : `${texts.maintenanceComing}${texts.colon}${text("title")}`,
      page?.definition.title ?? "",
    ]
      .filter((part) => part !== "")
      .join(" · "),
    fault: endFault(text("from"), text("to"), text("time_zone")),
    lines: periodLines(text("from"), text("to"), text("time_zone"), locale),
    message: text("message"),
    after: html`${page === null ? null : affectedView(covered, texts.state.maintenance)}
      <p class="help">${audienceWords(typed, page?.definition ?? null)}</p>`,
  };
}

/** As the page has it for a reader in the zone of the form; nothing of times that cannot be. */
function periodLines(
  from: string,
  to: string,
  timeZone: string,
  locale: Locale,
): readonly string[] {
  const [begin, end] = [wallTime(from, timeZone), wallTime(to, timeZone)];
  if (begin === null || end === null || begin >= end) return [];
  return [periodInZone(locale, timeZone, new Date(begin), new Date(end))];
}

/** What the form would be refused for: the picker of an end does not know the beginning. */
function endFault(from: string, to: string, timeZone: string): string | null {
  const [begin, end] = [wallTime(from, timeZone), wallTime(to, timeZone)];
  if (begin === null || end === null || begin < end) return null;
  const how = begin === end ? "when" : "before";
  return `It ends ${how} it begins: choose an end after ${from.replace("T", " ")}.`;
}

/** The status page that a form has chosen, also one that its list does not offer; null if it is on none. */
export async function chosenPage(
  { store }: Pick<PageRooms, "store">,
  typed: URLSearchParams,
): Promise<StatusPageRow | null> {
  const id = integerOf(typed.get("page_id") ?? "");
  return id === null ? null : store.pages.pages.get(id);
}

/** The components as readers see them while the work is under way. */
const affectedView = (components: readonly ComponentRow[], state: string): Html =>
  html`<h3>While it is under way</h3>
    ${
      components.length === 0
        ? html`<p class="help">
            No component of the page has these monitors: the page shows the work above its
            components.
          </p>`
        : html`<ul class="affected">
            ${components
              .slice(0, limits.affectedNamesMax)
              .map(({ name }) => html`<li>${plannedMark(state)} <span>${name}</span></li>`)}
          </ul>`
    }
    ${
      components.length > limits.affectedNamesMax
        ? html`<p class="help">
            And ${counted(components.length - limits.affectedNamesMax, "component")} more.
          </p>`
        : null
    }`;
