import { quietSentence } from "#service/operator/first-start/quiet-channels";
import { stepsNote } from "#service/operator/first-start/steps-note";
import { html } from "#web/page/html";
import { isoTime } from "#web/page/format";
import { serviceChannelsMax } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import {
  type ChannelHealth,
  healthOfChannels,
  healthWord,
  isFailing,
} from "#service/operator/channels/channel-health";
import { channelListView, channelView } from "#service/operator/channels/channel-views";
import { channelEditForms, channelFormPages } from "#service/operator/channels/channel-form";
import {
  channelRemovalForms,
  channelRemovalPages,
} from "#service/operator/channels/channel-removal";
import {
  providerChoiceForms,
  providerChoicePages,
} from "#service/operator/channels/provider-choice-answers";
import { rotateSecretForm, signingView } from "#service/operator/channels/signing-secret";
import { editNotice } from "#service/operator/kept/edit-undo";
import { doneNotice, type FormNotice } from "#service/operator/form-notice";
import { isTestFault } from "#service/operator/channels/failing-channel";
import { notSent, outcomeNotice, testWaits } from "#service/operator/channels/test-wait";
import { deliverySection } from "#service/operator/incidents/incident-documents";
import { documentAnswer, lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  actorOf,
  framed,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { offsetIn } from "#service/operator/whole-number";
import { openNotice } from "#service/operator/channels/open-notice";
import type { ChannelRow } from "#service/store/channel-store";
import type { DeliveryRow } from "#service/store/alert-store";
import { type EpochMillis, millis } from "#base/units";

/** `/channels`: where messages go, and whether they arrive. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/channels(?<json>\.json)?$/,
  answer: async ({ rooms, pictures }, request) => {
    const offset = offsetIn(request.query);
    const [rows, total, picture] = await Promise.all([
      rooms.channels.list(limits.channelsListed, offset),
      rooms.channels.count(),
      pictures.now(),
    ]);
    // How many fail is said of all pages.
    const all = total > rows.length ? await rooms.channels.list(serviceChannelsMax, 0) : rows;
    const health = await healthOfChannels(rooms, all);
    const shown = new Set(rows.map(({ id }) => id));
    const channels = health.filter(({ row }) => shown.has(row.id));
    if (request.isDocument)
      return documentAnswer({
        at: isoTime(picture.at),
        total,
        channels: channels.map(channelSection),
      });
    return framed(request, {
      title: "Channels · Picket",
      section: "channels",
      document: `/channels.json${offset === 0 ? "" : `?offset=${offset}`}`,
      at: picture.at,
      content: channelListView({
        channels,
        failing: health.filter(isFailing).length,
        total,
        offset,
        picture,
        reader: request.reader,
        notice: listNotice(request.query),
        waits: testWaits(rooms, request.reader, rows),
      }),
    });
  },
};

/** `/channels/ID`: one of them. */
const channelPage: OperatorPage = {
  role: "reader",
  path: /^\/channels\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, request) => {
    const row = await context.rooms.channels.get(request.id);
    if (!request.isDocument)
      return shown(context, request.reader, row, {
        notice: madeNow(row, request.query, context.rooms.clock.wall()),
        query: request.query,
      });
    const [health, deliveries] = await Promise.all([
      healthOfChannels(context.rooms, [row]),
      lastDeliveries(context, row),
    ]);
    return documentAnswer({
      at: isoTime(context.rooms.clock.wall()),
      ...health.map(channelSection)[0],
      deliveries: deliveries.map((one) => deliverySection(one, row.rules)),
    });
  },
};

/** Sends a message that says it is a test; why it was not taken is shown at once, and stands in no address. */
const testForm: OperatorForm = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/test$/,
  act: async (context, { id, form, reader, signal }) => {
    const { channels, testMessages } = context.rooms;
    const row = await channels.get(id);
    const { timeZone } = row.rules;
    const kept = { id: row.id, opened: channels.opened(row), timeZone };
    const back = form.get("back");
    const stays = keptIn(new URLSearchParams(form.get("kept") ?? ""));
    const query = new URLSearchParams(stays);
    const own = stays === "" ? `/channels/${row.id}` : `/channels/${row.id}?${stays}`;
    try {
      const trouble = await testMessages.sendKept(kept, actorOf(reader), signal);
      if (back !== null)
        return seeOther(withNotice(wantedPath(back), trouble === null ? "tested" : "failed"));
      if (trouble === null) return seeOther(withNotice(own, "tested"));
      return await shown(context, reader, row, { notice: null, failed: trouble, query });
    } catch (error) {
      return shown(context, reader, row, { notice: notSent(error), query, status: 429 });
    }
  },
};

export const channelPages: readonly OperatorPage[] = [
  listPage,
  channelPage,
  ...providerChoicePages,
  ...channelFormPages,
  ...channelRemovalPages,
];
export const channelForms: readonly OperatorForm[] = [
  testForm,
  ...providerChoiceForms,
  ...channelEditForms,
  rotateSecretForm,
  ...channelRemovalForms,
];

/** What shows a new secret, and where its maker continues: an act of the page loses neither. */
const keptIn = (query: URLSearchParams): string =>
  new URLSearchParams([...query].filter(([name]) => ["shown", "next"].includes(name))).toString();

/** Of a test that was sent from the list, whose row says the rest. */
function listNotice(query: URLSearchParams): FormNotice | null {
  if (query.get("notice") === "failed")
    return { words: "The test message failed: its channel says why.", isFault: true };
  return doneNotice(noticeIn(query, { tested: notices.tested }));
}

/** What became of a form; of a channel that was made in its quiet hours, until when they last. */
function madeNow(row: ChannelRow, query: URLSearchParams, at: EpochMillis): FormNotice | null {
  const words = openNotice(query) ?? noticeIn(query, notices);
  if (words === null || !words.startsWith(notices.made)) return doneNotice(words);
  const quiet = quietSentence(row, at);
  return { words: quiet === null ? words : html`${words} ${quiet}`, isFault: false };
}

const notices = {
  tested: "The provider accepted the test message: check that it arrived.",
  made: "Created.",
} as const;

interface ShownChannel {
  /** What became of a form; null if none was sent. */
  readonly notice: FormNotice | null;
  /** What the page's address has: a form's answer has nothing. */
  /** Why the test failed that was sent just now; left out: none did. */
  readonly failed?: string | null;
  readonly query?: URLSearchParams;
  readonly status?: number;
}

async function shown(
  context: PageContext,
  reader: KnownReader,
  row: ChannelRow,
  { notice, failed = null, query = new URLSearchParams(), status = 200 }: ShownChannel,
): Promise<PageAnswer> {
  const [picture, deliveries, [health]] = await Promise.all([
    context.pictures.now(),
    lastDeliveries(context, row),
    healthOfChannels(context.rooms, [row]),
  ]);
  if (health === undefined) return lineAnswer(404, "There is no such channel.");
  const signing = signingView(context.rooms, reader, row, query.get("shown") ?? "");
  const wait = testWaits(context.rooms, reader, [row]).get(row.id) ?? millis(0);
  const steps = await stepsNote(context, query, reader);
  const next = query.has("next") && steps === null ? wantedPath(query.get("next")) : null;
  const page = {
    health,
    deliveries,
    picture,
    reader,
    notice: testFailed(failed, health) ?? notice,
    steps: html`${await editNotice(context, { query, reader }, ofChannel(row), "Saved.")}${steps}`,
    signing,
    wait,
    next,
    kept: keptIn(query),
  };
  return framed(
    { reader },
    {
      title: `${healthWord(health)} · ${row.name} · Picket`,
      section: "channels",
      document: `/channels/${row.id}.json`,
      at: picture.at,
      content: channelView(page),
    },
    status,
  );
}

const ofChannel = ({ id }: ChannelRow) => ({ kind: "channel", id: String(id) }) as const;

/** Null also if nothing but the test fails: then that is the first sentence of the page already. */
const testFailed = (failed: string | null, health: ChannelHealth): FormNotice | null =>
  failed === null || isTestFault(health) ? null : outcomeNotice(failed, "");

async function lastDeliveries(
  { rooms }: PageContext,
  { id }: ChannelRow,
): Promise<readonly DeliveryRow[]> {
  const page = { limit: limits.deliveriesListed, offset: 0 };
  const asked = { channel: id, incident: null, state: null, ...page };
  return (await rooms.store.alerts.deliveries.list(asked)).deliveries;
}

const instant = (at: EpochMillis | null): string | null => (at === null ? null : isoTime(at));

/** A channel for programs. Names are only ever added. */
const channelSection = ({ row, lane, standing, trouble, destination }: ChannelHealth): object => ({
  id: String(row.id),
  name: row.name,
  provider: row.provider,
  sent_to: destination,
  all_monitors: row.rules.allMonitors,
  monitors: row.monitors.map(String),
  events: row.rules.events,
  trouble,
  failing_since: instant(lane.failing?.since ?? null),
  failures: lane.failures,
  disabled: lane.isDisabled,
  waiting: standing.waiting,
  last_sent_at: instant(standing.lastSentAt),
  last_tested_at: instant(standing.lastTest?.at ?? null),
  last_test_trouble: standing.lastTest?.trouble ?? "",
});
