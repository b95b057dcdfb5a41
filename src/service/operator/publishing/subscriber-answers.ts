import { isoTime } from "#web/page/format";
import type { Html } from "#web/page/html";
import { Refusal, violation } from "#service/edge/call-refusal";
import { doneNotice, faultNotice, type FormNotice } from "#service/operator/form-notice";
import { refuseGone } from "#service/operator/gone-choices";
import type { RefusedForm } from "#service/operator/forms/box-form";
import { submitted } from "#service/operator/forms/form-submission";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  actorOf,
  framed,
  type KnownReader,
  mayChange,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  type SendHindrance,
  subscriberFieldsOf,
  subscriberView,
} from "#service/operator/publishing/subscriber-views";
import { addedPath, secretView } from "#service/operator/publishing/subscriber-secret";
import {
  subscriberAt,
  subscriberRemovalForm,
  subscriberRemovalPage,
  subscribersPath,
} from "#service/operator/publishing/subscriber-removal";
import {
  subscriberChangeForm,
  subscriberChangePage,
} from "#service/operator/publishing/subscriber-change";
import { askedNotice } from "#service/operator/publishing/subscribers/asked-notice";
import {
  addedEach,
  addedWords,
  addressesIn,
} from "#service/operator/publishing/subscribers/several-addresses";
import { foundSubscribers } from "#service/operator/publishing/subscribers/found-subscribers";
import { subscriberFilePage } from "#service/operator/publishing/subscribers/subscriber-file";
import { subscriberSection } from "#service/operator/publishing/subscribers/subscriber-documents";
import {
  allSubscribers,
  listIn,
  type SubscribersShown,
  subscribersAddress,
  subscribersShownIn,
} from "#service/operator/publishing/subscribers/subscriber-query";
import { stateNotices } from "#service/operator/publishing/page-tabs";
import { addSubscriber, newsHindrance } from "#service/api/subscriber-calls";
import { isReaderAddress } from "#service/notify/mail-address";
import { webhookDestination } from "#service/status-site/news/webhook-destination";
import type { StatusPageRow } from "#service/store/page-store";

/** `/status-pages/ID/subscribers`: who gets a page's news. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages\/(?<id>\d{1,15})\/subscribers(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const page = await context.rooms.statusPages.get(id);
    const asked = subscribersShownIn(query, mayChange(reader));
    if (!isDocument) {
      const asking = await askedNotice(context.rooms, reader, page.id, query);
      const notice = asking ?? doneNotice(addedWords(query) ?? noticeIn(query, notices));
      const secret = await secretView(context.rooms, reader, page.id, query);
      const isAdding = query.get("add") === "subscriber";
      return shown(context, reader, page, { asked, notice, secret, isAdding });
    }
    const found = await foundSubscribers(context.rooms, reader, page, asked);
    const at = isoTime(context.rooms.clock.wall());
    const subscribers = found.subscribers.map(subscriberSection);
    return documentAnswer({ at, total: found.matched, subscribers });
  },
};

const addForm: OperatorForm = {
  role: "editor",
  path: /^\/status-pages\/(?<id>\d{1,15})\/subscribers$/,
  act: async (context, { id, form, reader }) => {
    const page = await context.rooms.statusPages.get(id);
    const content = await context.rooms.statusPages.content(page.id);
    return submitted(form, {
      fields: subscriberFieldsOf(content, hindranceOf(context.rooms, page)),
      again: (state, status) =>
        shown(
          context,
          reader,
          page,
          { refused: { action: subscribersPath(page), state }, notice: null },
          status,
        ),
      act: async (typed) => {
        const componentIds = typed.getAll("components");
        refuseGone("components", componentIds, content.components);
        const text = typed.get("webhook_url")?.trim() ?? "";
        const name = typed.get("name")?.trim() ?? "";
        const several = addressesIn(text);
        if (several !== null) {
          refuseUnsendable(context.rooms, page, text);
          return seeOther(await addedEach(context.rooms, page, several, { name, componentIds }));
        }
        const to = destinationIn(text);
        refuseUnsendable(context.rooms, page, to);
        await refuseKnown(context.rooms, page, to);
        const added = await addSubscriber(context.rooms, page, { name, componentIds, to });
        return seeOther(await addedPath(context.rooms, reader, page, added));
      },
    });
  },
};

/** A URL of the web is a webhook; everything else has to be an address. */
function destinationIn(text: string): Destination {
  if (/^[a-z]+:\/\//i.test(text)) return webhookDestination(text, [], "");
  if (isReaderAddress(text)) return text;
  throw violation({
    field: "webhook_url",
    message:
      "must be a URL that begins with https:// or http://, or one address, for example reader@example.com",
  });
}

/** What the service lacks is said at the field that needs it. */
function refuseUnsendable(rooms: PageRooms, page: StatusPageRow, to: Destination): void {
  const byMail = typeof to === "string";
  const hindrance = newsHindrance(rooms, page, byMail);
  if (hindrance === null) return;
  const message = byMail
    ? `is an e-mail address, but ${hindrance}`
    : `cannot be used yet: ${hindrance}`;
  throw violation({ field: "webhook_url", message });
}

/** Adding it again would say that it is added, and change what it is called and which parts it is about. */
async function refuseKnown(
  { readers }: PageRooms,
  { id }: StatusPageRow,
  to: Destination,
): Promise<void> {
  if (!(await readers.isSubscribed(id, to))) return;
  const message =
    "is subscribed already: to change its name or what it is about, press Change next to it in the list";
  throw violation({ field: "webhook_url", message });
}

type Destination = Parameters<typeof addSubscriber>[2]["to"];

/** Sends a message that says it is a test; why it was not taken is shown at once, and stands in no address. */
const testForm: OperatorForm = {
  role: "editor",
  path: /^\/status-pages\/(?<id>\d{1,15})\/subscribers\/(?<part>\d{1,15})\/test$/,
  act: async (context, { id, part, form, reader, signal }) => {
    const { rooms } = context;
    const { page, row } = await subscriberAt(rooms, id, part);
    const asked = listIn(form);
    const written = await rooms.writing.test(row, rooms.clock.wall());
    try {
      if (written === null) throw unsendable;
      const { testMessages } = rooms;
      const trouble = await testMessages.sendWritten(written, actorOf(reader), signal);
      if (trouble === null) return seeOther(withNotice(subscribersPath(page, asked), "tested"));
      const notice = { words: `The test was not taken: ${trouble}.`, isFault: true };
      return await shown(context, reader, page, { asked, notice });
    } catch (error) {
      const notice = faultNotice(error, "No test was sent");
      return shown(context, reader, page, { asked, notice }, 400);
    }
  },
};

/** Takes up again what its receiver ended. */
const resumeForm: OperatorForm = {
  role: "editor",
  path: /^\/status-pages\/(?<id>\d{1,15})\/subscribers\/(?<part>\d{1,15})\/resume$/,
  act: async (context, { id, part, form, reader }) => {
    const { page, row } = await subscriberAt(context.rooms, id, part);
    const asked = listIn(form);
    const outcome = await context.rooms.readers.resume(row);
    if (outcome === "resumed") return seeOther(withNotice(subscribersPath(page, asked), "resumed"));
    const words = unresumed[outcome];
    return shown(context, reader, page, { asked, notice: { words, isFault: true } }, 409);
  },
};

const unresumed = {
  full: "It was not resumed: the page has as many subscribers as it may have. Remove one first.",
  gone: "Nothing was resumed: its receiver has not ended it, or another person resumed or removed it meanwhile.",
} as const;

const unsendable = new Refusal(
  "failed_precondition",
  "it has no webhook that can be read, or the page has no address: give the service's address in Settings → Service, or give the page a domain",
);

export const subscriberPages: readonly OperatorPage[] = [
  listPage,
  subscriberFilePage,
  subscriberRemovalPage,
  subscriberChangePage,
];
export const subscriberForms: readonly OperatorForm[] = [
  addForm,
  subscriberRemovalForm,
  subscriberChangeForm,
  testForm,
  resumeForm,
];

const notices = {
  changed: "Saved: it counts from the next announcement on.",
  added: "Added: it gets announcements from now on.",
  resumed:
    "Resumed: it gets announcements from now on. Send a test message to see whether it takes them.",
  tested: "The test message was taken: check that it came.",
  ...stateNotices,
} as const;

const nothingSaid = { refused: null, isAdding: false, secret: null } as const;

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  page: StatusPageRow,
  said: {
    readonly asked?: SubscribersShown;
    readonly refused?: RefusedForm;
    readonly notice: FormNotice | null;
    readonly secret?: Html | null;
    readonly isAdding?: boolean;
  },
  status = 200,
): Promise<PageAnswer> {
  const { asked = allSubscribers } = said;
  const at = rooms.clock.wall();
  const content = await rooms.statusPages.content(page.id);
  const found = await foundSubscribers(rooms, reader, page, asked);
  return framed(
    { reader },
    {
      title: `Subscribers · ${page.definition.title} · Picket`,
      section: "status pages",
      document: subscribersAddress(`${subscribersPath(page)}.json`, asked),
      at,
      content: subscriberView({
        found,
        hindrance: hindranceOf(rooms, page),
        content,
        ...nothingSaid,
        ...said,
        asked,
        at,
        reader,
      }),
    },
    status,
  );
}

/** What the service lacks to send news at all, or by mail: it is said before someone types an address. */
const hindranceOf = (rooms: PageRooms, page: StatusPageRow): SendHindrance => {
  if (newsHindrance(rooms, page, false) !== null) return "address";
  return newsHindrance(rooms, page, true) === null ? null : "mail server";
};
