import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";
import { type AllSet, allSetView } from "#service/operator/first-start/all-set-view";
import {
  type FirstSteps,
  firstStepsMax,
  isStarted,
} from "#service/operator/first-start/first-steps";

/** One step: what it is for, whether it is done, and where it is done. */
interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly words: string;
  readonly path: string;
  readonly button: string;
}

/** Three steps from nothing to a message, each with what is done. */
export function firstStartView(steps: FirstSteps, set: AllSet, address: Html | null): Html {
  if (isStarted(steps))
    return html`<div class="title-line">
        <div>
          <h1>All set</h1>
          <p class="lede">When a monitor fails, someone is notified.</p>
        </div>
        <p class="acts"><a class="button main" href="/">See the overview</a></p>
      </div>
      ${address} ${gaps(steps)} ${allSetView(set)}`;
  const all = stepsOf(steps);
  const next = all.findIndex(({ isDone }) => !isDone);
  return html`<h1 class="page">Three steps to the first message</h1>
    <p class="words">Then someone is notified when what you watch is down.</p>
    <ol class="steps" data-renew-every="${limits.waitingLookEvery}">
      ${all.map((step, index) => stepView(step, index, index === next))}
    </ol>
    ${address} ${gaps(steps)} ${steps.monitors === 0 ? byFile : null}`;
}

const byFile = html`<p class="words">
  Or write all of it into a file, and run
  <code>picket apply -f monitors.yaml --location NAME</code>.
</p>`;

/** On the overview while a step is missing; nothing when all are done. */
export const firstStepsLine = (done: number): Html | null =>
  done === firstStepsMax
    ? null
    : html`<p class="card steps-line">
        ${done} of ${firstStepsMax} steps to the first message ${done === 1 ? "is" : "are"} done.
        <a href="/start">Continue</a>
      </p>`;

const stepsOf = ({ monitors, location, hasAgent, channels }: FirstSteps): readonly Step[] => [
  {
    title: "A monitor",
    isDone: monitors > 0,
    words:
      monitors > 0
        ? `${counted(monitors, "monitor")} so far.`
        : "What is to be watched: a URL, a port, a name, a host.",
    path: "/monitors/new?next=/start",
    button: "Create monitor",
  },
  {
    title: "A location",
    isDone: hasAgent,
    words: agentWords(location, hasAgent),
    path:
      location === null || hasAgent
        ? "/locations/new?next=/start"
        : `/locations/${location.id}/start?next=/start`,
    button: hasAgent || location === null ? "Create location" : "See the command",
  },
  {
    title: "A channel",
    isDone: channels > 0,
    words:
      channels > 0
        ? "There is one. Send it a test message from its page."
        : "Messages go to a chat, a mail, a pager, a telephone or a program.",
    path: channels > 0 ? "/channels" : "/channels/new?next=/start",
    button: channels > 0 ? "See the channels" : "Create channel",
  },
];

const agentWords = (location: FirstSteps["location"], hasAgent: boolean): string => {
  if (hasAgent) return "An agent has come.";
  return location === null
    ? "A location is a network. An agent is the program inside it that checks: one command starts it."
    : `${location.name} waits for its agent. This page shows when it comes.`;
};

const stepView = (step: Step, index: number, isNext: boolean): Html =>
  html`<li class="card">
    <h2>${index + 1}. ${step.title} ${step.isDone ? verdictMark("success", "done") : null}</h2>
    <p class="words">${step.words}</p>
    <p><a class="button${isNext ? " main" : ""}" href="${step.path}">${step.button}</a></p>
  </li>`;

/** What is there and not connected yet. */
const gaps = ({ location, unassigned, unheard, channels }: FirstSteps): Html =>
  html`${
    unassigned === 0 || location === null
      ? null
      : html`<p class="advice">
          ${counted(unassigned, "monitor")} ${unassigned === 1 ? "runs" : "run"} nowhere yet:
          <a href="/locations/${location.id}/edit"
            >let ${location.name} run ${unassigned === 1 ? "it" : "them"}</a
          >.
        </p>`
  }${
    unheard === 0 || channels === 0
      ? null
      : html`<p class="advice">
          ${counted(unheard, "monitor")} ${unheard === 1 ? "notifies" : "notify"} no one yet:
          <a href="/channels">choose ${unheard === 1 ? "it" : "all of them"} in a channel</a>.
        </p>`
  }`;
