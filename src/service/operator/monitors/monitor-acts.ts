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
 * What can be done with a monitor: at most three acts in view, and the rest in a menu. One stands out only while someone
 * has to act: to acknowledge its incident, or to resume what is paused.
 */
export function monitorActs(acted: ActedMonitor): Html | null {
  const { monitor, reader, owner } = acted;
  const path = `/monitors/${monitor.id}`;
  const isPaused = monitor.status === "inactive";
  const acknowledging = acknowledgeForm(acted);
  const isWaiting = acknowledging !== null;
  const checking = isPaused ? null : checkNowForm(acted);
  const silencing = isPaused ? null : silenceForm(`${path}/silence`, "this monitor", reader);
  if (!mayChange(reader))
    return html`<div class="acts">${acknowledging} ${checking} ${silencing}</div>`;
  const isOwn = owner === "";
  const editing = (look: string): Html =>
    html`<a class="${look}" href="${path}/edit">${isOwn ? "Edit" : "Show form"}</a>`;
  const pausing = isOwn && !isPaused;
  return html`<div class="acts">
    ${acknowledging} ${isPaused && isOwn ? resumeForm(acted) : checking} ${silencing}
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

/** While its incident waits for someone; it leads back to the monitor. */
function acknowledgeForm({ monitor: { id, incident }, reader }: ActedMonitor): Html | null {
  if (incident === null || incident.acknowledged || !may(reader, "responder")) return null;
  return html`<form class="act" method="post" action="/incidents/${incident.number}/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="/monitors/${id}" />
    <button type="submit" class="main">Acknowledge</button>
  </form>`;
}

function checkNowForm({ monitor, reader }: ActedMonitor): Html | null {
  if (!may(reader, "responder")) return null;
  return html`<form class="act" method="post" action="/monitors/${monitor.id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit">Check now</button>
  </form>`;
}

const resumeForm = ({ monitor, reader }: ActedMonitor): Html =>
  html`<form class="act" method="post" action="/monitors/${monitor.id}/resume">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit" class="main" aria-label="Resume: ${monitor.name}">Resume</button>
  </form>`;
