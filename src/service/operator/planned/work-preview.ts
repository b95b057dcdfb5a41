import { html, type Html } from "#web/page/html";
import { messagePreview, noticeWords } from "#service/operator/message-preview";
import { wordsIn } from "#service/status-site/view/words";
import type { StatusPageRow } from "#service/store/page-store";

/** What readers of a status page see of planned work; on none, it is for colleagues alone. */
export function workPreview(typed: URLSearchParams, pages: readonly StatusPageRow[]): Html {
  const text = (name: string): string => (typed.get(name) ?? "").trim();
  const page = pages.find(({ id }) => String(id) === text("page_id")) ?? null;
  const { texts } = wordsIn(page?.definition.defaultLocale ?? "en");
  const times = [text("from"), text("to")].map((one) => one.replace("T", " "));
  return messagePreview({
    subject: [
      text("title") === "" ? "" : `${texts.maintenanceComing}${texts.colon}${text("title")}`,
      page?.definition.title ?? "",
    ]
      .filter((part) => part !== "")
      .join(" · "),
    lines: times.includes("") ? [] : [`${times.join(" – ")} (${text("time_zone")})`],
    message: text("message"),
    after: html`<p class="help">${noticeWords(typed, page?.definition ?? null)}</p>`,
  });
}
