import { counted, grouped, isoTime, span } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { minuteAfter } from "#web/page/moment";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { quietAt } from "#service/alerting/quiet-hours";
import { rulesOf } from "#service/notify/provider-table";
import { channelMark, type ChannelHealth } from "#service/operator/channels/channel-health";
import { providerMark } from "#service/operator/channels/provider-mark";
import {
  channelTrouble,
  isTestFault,
  troubleLine,
} from "#service/operator/channels/failing-channel";
import { selectionOf, sentenceOf } from "#service/operator/channels/channel-selection";
import { tryingMark, waitMark } from "#service/operator/channels/test-wait";
import { deliveryTable } from "#service/operator/incidents/delivery-table";
import { ownForm } from "#service/operator/form-fields";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { filesChip, managedNote } from "#service/operator/managed-note";
import { type KnownReader, mayChange, nextWords } from "#service/operator/page-request";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import type { ChannelStanding, ChannelTest, DeliveryRow } from "#service/store/alert-store";
import type { ChannelRow } from "#service/store/channel-store";
import { between, type EpochMillis, type Millis, millis } from "#base/units";

interface ChannelListPage {
  readonly reader: KnownReader;
  readonly notice: FormNotice | null;
  readonly channels: readonly ChannelHealth[];
  /** Of all, on every page of the list. */
  readonly failing: number;
  readonly total: number;
  readonly offset: number;
  readonly picture: Picture;
  /** How long the reader waits before each test, by its channel. */
  readonly waits: ReadonlyMap<number, Millis>;
}

/** All channels, and which of them take messages. */
export function channelListView(page: ChannelListPage): Html {
  const { channels, failing, total, offset, picture, reader, notice } = page;
  return html`${listHead({
      title: "Channels",
      count:
        failing === 0
          ? counted(total, "channel")
          : `${grouped(failing)} failing, of ${counted(total, "channel")}`,
      sentence: "A channel takes messages to you, for example by Slack or mail.",
      acts: mayChange(reader) ? mainAct("/channels/new", "New channel") : null,
    })}
    ${noticeLine(notice)} ${unheardNote(picture, reader)}
    <section aria-labelledby="channels">
      <h2 id="channels" class="unseen">Where messages go</h2>
      ${
        total === 0
          ? html`<p class="advice">
              There is no channel, so no one is
              notified.${mayChange(reader) ? " Make one, and send a test before you save it." : null}
            </p>`
          : html`<ul class="watched">
              ${channels.map((one) => channelLine(one, page))}
            </ul>`
      }
      ${pagingNav({
        label: "More channels",
        offset,
        size: limits.channelsListed,
        matched: total,
        to: listPath,
      })}
    </section>`;
}

/** Monitors whose failures no one would hear of; nothing if there is none. */
function unheardNote({ monitors }: Picture, reader: KnownReader): Html | null {
  const count = monitors.filter(({ unheard }) => unheard).length;
  if (count === 0) return null;
  const next = mayChange(reader)
    ? " Choose all monitors in a channel, or a channel in each monitor."
    : null;
  return html`<p class="notice">
    <a href="/?unheard=yes">${counted(count, "monitor")}</a> ${count === 1 ? "notifies" : "notify"}
    no one.${next}
  </p>`;
}

function channelLine(
  health: ChannelHealth,
  { picture, reader, offset, waits }: ChannelListPage,
): Html {
  const { row, standing } = health;
  return html`<li class="channel-row">
    ${channelMark(health)}
    <h3><a href="/channels/${row.id}">${row.name}</a>${filesChip(row.owner)}</h3>
    ${troubleLine(health, reader, picture.at)}
    <p class="said">${sentenceOf(row, picture)}</p>
    <p class="meta">
      <span>${kindOf(health)}</span> <span>${lastMessage(standing, picture.at)}</span>
      <span>${lastTest(standing, picture.at)}</span>
      ${standing.waiting === 0 ? null : html`<span>${counted(standing.waiting, "message")} waiting</span>`}
      ${quietMark(row, picture.at)}
    </p>
    ${mayChange(reader) ? testButton(row, reader, listPath(offset), waits.get(row.id) ?? millis(0)) : null}
  </li>`;
}

/** Always in the same place, whatever its name: a list is looked through by it. Where it leads is left out if its name says that. */
const kindOf = ({ row, destination }: ChannelHealth): Html =>
  html`${rulesOf(row.provider).label}${
    destination === "" || row.name.includes(destination) ? null : html`: ${breakable(destination)}`
  }`;

const listPath = (offset: number): string =>
  offset === 0 ? "/channels" : `/channels?offset=${offset}`;

/** It comes back to this page of the list, which then says when the test arrived. */
const testButton = (
  { id, name }: ChannelRow,
  reader: KnownReader,
  back: string,
  wait: Millis,
): Html =>
  ownForm(
    `/channels/${id}/test`,
    reader,
    html`<input type="hidden" name="back" value="${back}" />
      <button type="submit" class="small" aria-label="Send test: ${name}" ${waitMark(wait, "In")}>
        Send test
      </button>`,
  );

/** Why its messages wait, as long as its quiet hours last. That they never end, its mark and its sentence say. */
function quietMark({ rules }: ChannelRow, at: EpochMillis): Html | null {
  const until = quietAt(rules.quietHours, rules.timeZone, at)?.until ?? null;
  return until === null
    ? null
    : html`<span class="kind">Quiet until ${minuteAfter(until, at)}</span>`;
}

const lastMessage = ({ lastSentAt }: ChannelStanding, at: EpochMillis): Html | string =>
  lastSentAt === null ? "No message yet" : html`Last message ${ago(lastSentAt, at)}`;

const lastTest = ({ lastTest: test }: ChannelStanding, at: EpochMillis): Html | string =>
  test === null
    ? "No test yet"
    : html`Last test ${ago(test.at, at)}${test.trouble === "" ? ", accepted" : ", failed"}`;

const ago = (then: EpochMillis, at: EpochMillis): Html =>
  html`<time datetime="${isoTime(then)}">${span(between(then, at))} ago</time>`;

interface ChannelPage {
  readonly health: ChannelHealth;
  /** The newest first. */
  readonly deliveries: readonly DeliveryRow[];
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: FormNotice | null;
  /** The way back to the first steps; null: they are done, or nothing was made. */
  readonly steps: Html | null;
  /** How long the reader waits before they send a test again. */
  readonly wait: Millis;
  /** How a webhook's events are signed; null for other providers. */
  readonly signing: Html | null;
  /** Where a person continues; null: nowhere. */
  readonly next: string | null;
  /** What its address has that stays after an act; empty: nothing. */
  readonly kept: string;
}

/** One channel: whether it works, what it was sent, and what it is notified of. A new secret comes before them. */
export function channelView(page: ChannelPage): Html {
  const { health, deliveries, picture, reader, notice, signing } = page;
  const { row } = health;
  const { at } = picture;
  const isSecretShown = new URLSearchParams(page.kept).has("shown");
  const ownSigning = mayChange(reader) ? signing : null;
  return html`<p class="back"><a href="/channels">All channels</a></p>
    <div class="title-line">
      <div>
        <div class="channel-name">
          ${providerMark(row.provider)}
          <h1 class="target">${breakable(row.name)}</h1>
        </div>
        <p class="verdict">
          ${channelMark(health)} <span class="kind">${kindOf(health)}</span>
          <span class="kind">${lastMessage(health.standing, at)}</span> ${quietMark(row, at)}
        </p>
      </div>
      ${mayChange(reader) ? actsOf(row, page) : null}
    </div>
    ${channelTrouble(health, deliveries, reader, at)} ${managedNote(row.owner)}
    ${noticeLine(notice)} ${page.steps}
    <p>${sentenceOf(row, picture)}</p>
    ${isSecretShown ? ownSigning : null} ${messagesSection(deliveries, health, at)}
    <section class="card channel-facts" aria-labelledby="selects">
      <h2 id="selects">Events and times</h2>
      <dl class="facts">
        ${selectionOf(row, picture).map(
          ({ name, value }) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </section>
    ${isSecretShown ? null : ownSigning}`;
}

/** What it was sent, after the failure that a person looks for. */
function messagesSection(
  deliveries: readonly DeliveryRow[],
  health: ChannelHealth,
  at: EpochMillis,
): Html {
  const { lastTest } = health.standing;
  const failed = deliveries.find(({ message }) => message !== "");
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Messages</h2>
    ${lastTest === null ? null : testLine(lastTest, isTestFault(health), at)}
    ${
      failed === undefined
        ? null
        : html`<p class="words">
            Last failure, of the message of
            <a href="/incidents/${failed.incident}">incident ${failed.incident}</a>:
            ${failed.message}.
          </p>`
    }
    ${
      deliveries.length === 0
        ? html`<p class="advice">
            ${lastTest === null ? "Nothing" : "Nothing else"} was sent or written in the last 30
            days.
          </p>`
        : deliveryTable(deliveries, { ...health.row.rules, lane: health.lane }, at)
    }
  </section>`;
}

/** Why it failed is left out if the page begins with that. */
const testLine = ({ at: then, trouble }: ChannelTest, isSaid: boolean, at: EpochMillis): Html => {
  const failed = isSaid ? "it failed" : `it failed: ${trouble}`;
  return html`<p class="words">
    Last test, ${ago(then, at)}: ${trouble === "" ? "the provider accepted it" : failed}.
  </p>`;
};

const actsOf = (
  { id, owner, provider }: ChannelRow,
  { reader, next, wait, kept }: ChannelPage,
): Html =>
  html`<div class="acts">
    ${next === null ? null : html`<a class="button main" href="${next}">${nextWords(next)}</a>`}
    <form method="post" action="/channels/${id}/test">
      <input type="hidden" name="form" value="${reader.formToken}" />
      ${kept === "" ? null : html`<input type="hidden" name="kept" value="${kept}" />`}
      <button type="submit" ${waitMark(wait, "Send again in")}${tryingMark(provider)}>
        Send a test message
      </button>
    </form>
    ${
      owner === ""
        ? html`<a class="button" href="/channels/${id}/edit">Edit</a>
            <a class="button danger" href="/channels/${id}/delete">Delete</a>`
        : null
    }
  </div>`;
