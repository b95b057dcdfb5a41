import { html, type Html } from "#web/page/html";
import { choiceField } from "#service/operator/form-fields";
import { tabPath } from "#service/operator/publishing/page-tabs";
import { copiedLine, quoted } from "#service/operator/publishing/share/copied-line";
import { boxThemeIn } from "#service/status-site/view/state-box";
import type { StatusPageRow } from "#service/store/page-store";

interface SharedBox {
  readonly row: StatusPageRow;
  readonly choices: URLSearchParams;
}

/** The state in a frame for other sites, as it is now, and its snippet. `page` is the page's address. */
export function boxPart({ row, choices }: SharedBox, page: string): Html {
  const { title } = row.definition;
  const theme = boxThemeIn(choices, "box");
  const asked = theme === "auto" ? "" : `?theme=${theme}`;
  const kept = ["of", "text", "size", "theme"].map((name) => ({
    name,
    value: choices.get(name) ?? "",
  }));
  return html`<fieldset class="group">
    <legend>State box</legend>
    <p class="help">
      A small frame for a site: it shows the state in words, and opens the page in a new tab. No
      other part of the page may be in a frame.
    </p>
    <form
      role="search"
      class="filter instant"
      method="get"
      action="${tabPath(row.id, "share")}"
      aria-label="Choose a state box"
    >
      ${kept.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${choiceField("Theme of the box", "box", themes, theme)}
      <button type="submit">Show</button>
    </form>
    <p class="badge-shown">
      <iframe
        src="/status-pages/${row.id}/preview/embed${asked}"
        title="The state box as it is now"
        width="360"
        height="56"
      ></iframe>
    </p>
    ${copiedLine("box", "HTML of the box", `<iframe src="${page}/embed${asked}" title="${quoted(title)}" width="360" height="56" style="border:0" loading="lazy"></iframe>`)}
  </fieldset>`;
}

const themes = [
  ["auto", "As the reader's system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
