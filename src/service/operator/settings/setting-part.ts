import { html, type Html } from "#web/page/html";

interface SettingPart {
  readonly id: string;
  readonly title: string;
  /** What it is for. */
  readonly says: string | Html;
  readonly content: Html | null;
}

/** A part of the settings: what it is for is next to it, and on a narrow screen above. */
export const settingPart = ({ id, title, says, content }: SettingPart): Html =>
  html`<section class="card setting" aria-labelledby="${id}">
    <div>
      <h2 id="${id}">${title}</h2>
      <p class="help">${says}</p>
    </div>
    <div>${content}</div>
  </section>`;
