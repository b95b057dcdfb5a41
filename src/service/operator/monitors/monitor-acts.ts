import { html, type Html } from "#web/page/html";
import { actMenu } from "#service/operator/forms/act-menu";
import { buttonForm } from "#service/operator/form-fields";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import { silenceForm } from "#service/operator/silence-form";

interface ActedMonitor {
  readonly monitor: PicturedMonitor;
  readonly reader: KnownReader;
  /** Whose files it is managed by: they change it, so that is not offered. Empty if a person made it. */
  readonly owner: string;
}

/**
 * What can be done with a monitor: at most three acts in view, of which the likely next one stands out, and the rest in a
 * menu. While an incident waits for someone, that is to acknowledge it, next to the reason.
 */
export function monitorActs(acted: ActedMonitor): Html | null {
  const { monitor, reader, owner } = acted;
  const path = `/monitors/${monitor.id}`;
  const isPaused = monitor.status === "inactive";
  const isWaiting = monitor.incident?.acknowledged === false;
  const checking = isPaused ? null : checkNowForm(acted, !isWaiting);
  const silencing = isPaused ? null : silenceForm(`${path}/silence`, "this monitor", reader);
  if (!mayChange(reader)) return html`<div class="acts">${checking} ${silencing}</div>`;
  const isOwn = owner === "";
  const editing = (look: string): Html =>
    html`<a class="${look}" href="${path}/edit">${isOwn ? "Edit" : "Show form"}</a>`;
  const pausing = isOwn && !isPaused;
  return html`<div class="acts">
    ${isPaused && isOwn ? resumeForm(acted) : checking} ${silencing}
    ${isWaiting ? null : editing("button")}
    ${actMenu("this monitor", [
      isWaiting ? editing("button bare") : null,
      pausing ? buttonForm(`${path}/pause`, reader, "Pause", monitor.name) : null,
      html`<a class="button bare" href="${path}/copy">Copy</a>`,
      html`<a class="button bare" href="/maintenances/new?monitor=${monitor.id}"
        >Plan maintenance</a
      >`,
      isOwn ? html`<a class="button bare danger" href="${path}/delete">Delete</a>` : null,
    ])}
  </div>`;
}

function checkNowForm({ monitor, reader }: ActedMonitor, isNext: boolean): Html | null {
  if (!may(reader, "responder")) return null;
  return html`<form class="act" method="post" action="/monitors/${monitor.id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit" class="${isNext ? "main" : ""}">Check now</button>
  </form>`;
}

const resumeForm = ({ monitor, reader }: ActedMonitor): Html =>
  html`<form class="act" method="post" action="/monitors/${monitor.id}/resume">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit" class="main" aria-label="Resume: ${monitor.name}">Resume</button>
  </form>`;
