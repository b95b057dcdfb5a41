import type { Mistake } from "#check/findings";
import { channelName } from "#service/operator/channels/channel-name";
import { html, type Html } from "#web/page/html";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { type Configuration, type Provider, providers } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import { refuseViolations } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  draftIn,
  draftOf,
  firstDraft,
  providerNamed,
  savedArguments,
} from "#service/operator/channels/channel-draft";
import {
  channelFields,
  channelGroups,
  eventChoices,
} from "#service/operator/channels/channel-fields";
import {
  draftSecretView,
  forgetUsedSecret,
  newSecretOf,
  secretFields,
  secretAddress,
  withSecretOfAddress,
} from "#service/operator/channels/draft-secret";
import { previewPartAnswer, previewView } from "#service/operator/channels/channel-preview";
import { withOpen } from "#service/operator/channels/open-notice";
import {
  type DraftTest,
  noTest,
  saidIn,
  testButton,
  testOf,
  testPart,
} from "#service/operator/channels/draft-test";
import { lackingNote, lackingNow } from "#service/operator/channels/lacking-note";
import { markedTitle } from "#service/operator/channels/provider-mark";
import { signingPath } from "#service/operator/channels/signing-secret";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import { basisField, basisIn, basisNow } from "#service/operator/changes/basis-field";
import type { Basis } from "#service/store/audit/actor";
import { asksForPreviewAlone, previewButton } from "#service/operator/message-preview";
import { changeChannel } from "#service/operator/kept/channel-edit";
import { managedNote, refuseManaged } from "#service/operator/managed-note";
import { choicesOf } from "#service/operator/form-fields";
import { scriptTag } from "#service/operator/script-tag";
import { refuseGone } from "#service/operator/gone-choices";
import {
  actorOf,
  framed,
  type FormRequest,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import type { ChannelRow } from "#service/store/channel-store";
import { chosenZone } from "#service/operator/zones/zoned-page";

const newPath = new RegExp(`^/channels/new/(?<id>${providers.join("|")})$`);

/** `/channels/new/PROVIDER`: the form of one provider. */
const newPage: OperatorPage = {
  role: "editor",
  path: newPath,
  answer: async (context, { id, reader, query }) => {
    const provider = providerNamed(id);
    const empty = firstDraft(provider, chosenZone(reader), query.get("email"));
    const typed = await withSecretOfAddress(context.rooms, reader, empty, query);
    return shownChannelForm(
      context,
      reader,
      { provider, row: null, next: query.get("next") ?? "" },
      { typed, isUnsent: true },
    );
  },
};

const makeForm: OperatorForm = {
  role: "editor",
  path: newPath,
  act: (context, request) => {
    const scene = {
      provider: providerNamed(request.id),
      row: null,
      next: request.form.get("next") ?? "",
    };
    return acted(context, request, scene);
  },
};

/** `/channels/ID/edit`: the same of a channel that is there. */
const editPage: OperatorPage = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/edit$/,
  answer: async (context, { id, reader }) => {
    const basis = await basisNow(context.rooms, { kind: "channel", id });
    const row = await context.rooms.channels.get(id);
    const typed = draftOf(row, savedArguments(context.rooms.channels.opened(row)));
    return shownChannelForm(
      context,
      reader,
      { provider: row.provider, row, next: "" },
      { typed, basis },
    );
  },
};

const changeForm: OperatorForm = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/edit$/,
  act: async (context, request) => {
    const row = await context.rooms.channels.get(request.id);
    return acted(context, request, { provider: row.provider, row, next: "" });
  },
};

export const channelFormPages: readonly OperatorPage[] = [newPage, editPage];
export const channelEditForms: readonly OperatorForm[] = [makeForm, changeForm];

/** What the form is about: a channel that is there, or one that is not yet. */
interface ChannelScene {
  readonly provider: Provider;
  readonly row: ChannelRow | null;
  /** Where a person continues; empty: to the channel. */
  readonly next: string;
}

/** Saves the form, or sends a test by what it says, whichever button was pressed. */
async function acted(
  context: PageContext,
  request: FormRequest,
  scene: ChannelScene,
): Promise<PageAnswer> {
  const { form, reader } = request;
  const { provider, row } = scene;
  const saved = savedArguments(row === null ? null : context.rooms.channels.opened(row));
  const unsendable = unsendableIn(context, row);
  if (row === null) await forgetUsedSecret(context.rooms, form);
  if (asksForPreviewAlone(form)) return previewPartAnswer(context.rooms, provider, form);
  if (form.has(previewButton)) return shownChannelForm(context, reader, scene, { typed: form });
  return submitted(form, {
    fields: channelFields(provider),
    again: (state, status) => shownChannelForm(context, reader, scene, { ...state, status }),
    act: async (typed) => {
      if (row !== null) refuseManaged(row);
      if (!typed.has(testButton)) return save(context, reader, scene, typed, saved);
      const draft = draftIn(provider, typed, saved, unsendable);
      const ofTarget = draft.mistakes.filter(
        ({ field }) => channelFields(provider)[fieldOf(field)]?.group === "where",
      );
      refuseViolations(ofTarget);
      const test = await testOf(context, request, scene, {
        ...draft,
        secret: newSecretOf(context.rooms, scene, typed)?.secret ?? null,
      });
      return shownChannelForm(context, reader, scene, { typed, test });
    },
  });
}

const unsendableIn =
  ({ rooms }: PageContext, row: ChannelScene["row"]) =>
  (configuration: Configuration): Mistake | null =>
    rooms.channels.unsendable(configuration, row);

const fieldOf = (mistaken: string): string => mistaken.replace(/[[.].*$/, "");

async function save(
  context: PageContext,
  reader: KnownReader,
  { provider, row, next }: ChannelScene,
  typed: URLSearchParams,
  saved: ChannelArguments,
): Promise<PageAnswer> {
  const { channels, testMessages } = context.rooms;
  const {
    name: named,
    given,
    rules,
    mistakes,
  } = draftIn(provider, typed, saved, unsendableIn(context, row));
  const said = saidIn(provider, given);
  refuseViolations(mistakes);
  const name = named === "" ? await channelName(context.rooms, { provider, given, row }) : named;
  const { monitors, locations } = await context.pictures.now();
  const chosen = typed.getAll("monitor_ids");
  refuseGone("monitor_ids", chosen, monitors);
  refuseGone("locations", rules.locations.map(String), locations);
  const monitorIds = rules.allMonitors ? [] : chosen;
  if (row !== null) {
    const to = { name, given, monitorIds, rules };
    const path = await changeChannel(context, reader, String(row.id), to);
    await testMessages.made(row.id, said, actorOf(reader));
    return seeOther(path);
  }
  const signing = newSecretOf(context.rooms, { provider, row }, typed);
  const signingSecret = signing?.secret ?? null;
  const wanted = { name, provider, given, monitorIds, rules, signingSecret };
  const { id, ...open } = await channels.createAnnouncing(wanted);
  const made = await channels.get(String(id));
  await testMessages.made(made.id, said, actorOf(reader));
  const own = provider === "webhook" ? signingPath(context.rooms, reader, made, next) : null;
  const done = next === "" ? withNotice(`/channels/${made.id}`, "made") : wantedPath(next);
  return seeOther(withOpen(own ?? done, open));
}

interface ShownState {
  readonly typed: URLSearchParams;
  readonly mistakes?: FormState["mistakes"];
  readonly test?: DraftTest;
  readonly status?: number;
  /** Of a new channel, as the form is shown for the first time: a script puts the browser's time zone there. */
  readonly isUnsent?: boolean;
  /** The version of the channel that is shown; of a form that was posted, the one that it has. */
  readonly basis?: Basis | null;
}

/** The page with the form, as it was typed. */
export async function shownChannelForm(
  context: PageContext,
  reader: KnownReader,
  scene: ChannelScene,
  {
    typed,
    mistakes = [],
    test = noTest,
    status = 200,
    basis = basisIn(typed),
    isUnsent = false,
  }: ShownState,
): Promise<PageAnswer> {
  const { provider, row } = scene;
  const lacking = await lackingNow(context.rooms, provider);
  const title = row === null ? `New channel: ${rulesOf(provider).label}` : `Change ${row.name}`;
  const content = html`<p class="back">${backLink(scene)}</p>
    ${markedTitle(provider, title)} ${lackingNote({ ...scene, lacking, typed, reader })}
    ${managedNote(row?.owner ?? "")}
    ${await formWithPreview(context, reader, scene, { typed, mistakes, basis, test })}
    ${isUnsent ? html`<span data-unsent hidden></span> ${scriptTag("zone")}` : null}`;
  return framed(
    { reader },
    {
      title: `${title} · Picket`,
      section: "channels",
      document: null,
      at: context.rooms.clock.wall(),
      content,
    },
    status,
  );
}

const backLink = ({ row, next }: ChannelScene): Html => {
  if (row !== null) return html`<a href="/channels/${row.id}">${row.name}</a>`;
  const query = next === "" ? "" : `?${new URLSearchParams({ next }).toString()}`;
  return html`<a href="/channels/new${query}">New channel</a>`;
};

async function formWithPreview(
  { rooms, pictures }: PageContext,
  reader: KnownReader,
  { provider, row, next }: ChannelScene,
  { basis, test, ...state }: FormState & { readonly basis: Basis | null; readonly test: DraftTest },
): Promise<Html> {
  const { monitors, locations } = await pictures.now();
  const isLocked = (row?.owner ?? "") !== "" || rooms.channels.lacking(provider) !== null;
  const { service } = rooms.testMessages;
  const signing = newSecretOf(rooms, { provider, row }, state.typed);
  const button = isLocked ? null : html`${draftSecretView(signing)} ${testPart(test, provider)}`;
  const look = previewView(provider, service, rooms.clock.wall(), state.typed, button);
  return formView({
    reader,
    state,
    action: row === null ? `/channels/new/${provider}` : `/channels/${row.id}/edit`,
    ...(signing === null ? {} : { page: secretAddress(rooms, reader, signing, next) }),
    fields: channelFields(provider),
    groups: channelGroups,
    choices: {
      monitor_ids: choicesOf(monitors),
      locations: choicesOf(locations),
      events: eventChoices,
    },
    hidden: { ...(next === "" ? {} : { next }), ...secretFields(signing) },
    submit: row === null ? "Create channel" : "Save",
    cancel: row === null ? (next === "/start" ? "/start" : "/channels") : `/channels/${row.id}`,
    lead: basis === null ? null : basisField(basis),
    extra: look,
    actions: null,
    isLocked,
    isNew: row === null,
  });
}
