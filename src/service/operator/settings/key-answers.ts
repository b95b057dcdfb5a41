import { after, epochMillis, hours } from "#base/units";
import * as limits from "#limits/pages-limits";
import { auditReadMax } from "#limits/store-limits";
import { refuseViolations } from "#service/edge/call-refusal";
import { seeOther, type PageAnswer } from "#service/edge/page-answer";
import { doneNotice } from "#service/operator/form-notice";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { isOvertaking } from "#service/operator/changes/overtaken-page";
import {
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  withNotice,
} from "#service/operator/page-request";
import {
  emptyKey,
  keyEnds,
  keysPath,
  type KeysPage,
  keysView,
  type NewKeyPage,
  newKeyView,
  otherEnd,
  type TypedKey,
  revokeView,
} from "#service/operator/settings/key-views";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mistakesOf } from "#service/operator/settings/small-form";

/** `/settings/keys`: every key, without itself. */
const listPage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/keys$/,
  answer: (context, request) =>
    shown(context, request, { notice: doneNotice(noticeIn(request.query, notices)) }),
};

async function shown(
  context: PageContext,
  { reader }: Pick<PageRequest, "reader">,
  said: Partial<KeysPage>,
  status = 200,
): Promise<PageAnswer> {
  const { keys, clock } = context.rooms;
  const page = { keys: await keys.list(), now: clock.wall(), makers: await makersIn(context) };
  const content = keysView({ ...page, made: null, notice: null, ...said });
  return settingsPage(context, { reader }, { path: keysPath, title: "API keys", content, status });
}

/** Who made each key, by its id, as far back as the log of changes is read at once. */
async function makersIn({ rooms }: PageContext): Promise<ReadonlyMap<string, string>> {
  const entries = await rooms.store.audit.list({
    before: null,
    after: 0,
    kind: "key",
    id: null,
    who: "",
    name: "",
    since: epochMillis(0),
    until: null,
    limit: auditReadMax,
  });
  const made = entries.filter(({ deed }) => deed === "made");
  return new Map(made.map((one) => [one.subject.id, nameOfActor(one)]));
}

/** `/settings/keys/new`: the form for another. */
const newPage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/keys\/new$/,
  answer: async (context, { reader }) =>
    shownForm(context, { reader, mistakes: [], typed: emptyKey }),
};

function shownForm(context: PageContext, page: NewKeyPage): PageAnswer {
  const status = page.mistakes.length > 0 ? 400 : 200;
  const content = newKeyView(page);
  return settingsPage(context, page, { path: keysPath, title: "New API key", content, status });
}

/** Answers with the key itself, which no address shows again. */
const makeForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/keys$/,
  act: async (context, { form, reader }) => {
    const days = form.get("days")?.trim() ?? "";
    const typed = {
      name: form.get("name")?.trim() ?? "",
      scope: form.get("scope") ?? "",
      end: form.get("end") ?? (days === "" ? "" : otherEnd),
      days,
    };
    try {
      const scope = typed.scope === "write" ? "write" : "read";
      const end = endIn(typed);
      const { keys, clock } = context.rooms;
      const expiresAt = end === null ? null : after(clock.wall(), hours(24 * end));
      const { key } = await keys.create({ name: typed.name, scope }, expiresAt);
      return await shown(context, { reader }, { made: { name: typed.name, key } });
    } catch (error) {
      return shownForm(context, { reader, typed, mistakes: mistakesOf(error) });
    }
  },
};

/** In how many days it ends; null: never. Days that are typed next to “never” would be no end where one was meant. */
function endIn({ end, days }: Pick<TypedKey, "end" | "days">): number | null {
  if (end === otherEnd) return daysIn(days);
  if (!keyEnds.some(([value]) => value === end))
    refuseViolations([{ field: "end", message: "is not one of the ends that can be chosen" }]);
  if (end !== "") return Number(end);
  if (days !== "")
    refuseViolations([
      {
        field: "days",
        message: "needs “after another number of days” at “Ends”: choose it, or empty this",
      },
    ]);
  return null;
}

function daysIn(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > limits.keyDaysMax)
    refuseViolations([
      { field: "days", message: `must be a whole number from 1 to ${limits.keyDaysMax}` },
    ]);
  return days;
}

/** `/settings/keys/ID/revoke`: asks once. */
const revokePage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/keys\/(?<id>\d{1,15})\/revoke$/,
  answer: async (context, { id, reader }) => {
    const key = (await context.rooms.keys.list()).find((one) => one.id === id);
    if (key === undefined)
      return shown(context, { reader }, { notice: { words: notThere, isFault: true } }, 404);
    const { people } = context.rooms.store;
    const now = context.rooms.clock.wall();
    const content = revokeView({
      key,
      maker: (await makersIn(context)).get(id) ?? null,
      sessions: (await people.sessions.list(`key ${id}`, now, limits.sessionsListed)).length,
      reader,
    });
    const title = `Revoke ${key.name}`;
    return settingsPage(context, { reader }, { path: keysPath, title, content });
  },
};

const revokeForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/keys\/(?<id>\d{1,15})\/revoke$/,
  act: async (context, { id, reader }) => {
    try {
      await context.rooms.keys.revoke(id);
      return seeOther(withNotice(keysPath, "revoked"));
    } catch (error) {
      if (!isOvertaking(error)) throw error;
      return shown(context, { reader }, { notice: { words: alreadyRevoked, isFault: false } });
    }
  },
};

const alreadyRevoked = "Someone else revoked this key meanwhile. It opens nothing any more.";

const notThere =
  "This key is not there. If someone revoked it meanwhile, it opens nothing any more.";

const notices = {
  revoked: "Revoked. The key opens nothing from now on, and its sessions have ended.",
} as const;

export const keyPages: readonly OperatorPage[] = [listPage, newPage, revokePage];
export const keyForms: readonly OperatorForm[] = [makeForm, revokeForm];
