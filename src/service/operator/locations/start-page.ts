import { seeOther } from "#service/edge/page-answer";
import { stepsPath } from "#service/operator/first-start/steps-note";
import { arrivalView } from "#service/operator/locations/arrival-view";
import { revealedToken, revealingPath } from "#service/operator/locations/token-reveal";
import { startView } from "#service/operator/locations/start-view";
import {
  framed,
  type OperatorForm,
  type OperatorPage,
  wantedPath,
} from "#service/operator/page-request";
import { parseDuration } from "#base/duration";
import { refuseViolations } from "#service/edge/call-refusal";
import * as limits from "#limits/service-limits";
import type { Millis } from "#base/units";

/** `/locations/ID/start`: the commands that start an agent, and whether one has come. */
const startPage: OperatorPage = {
  role: "editor",
  path: /^\/locations\/(?<id>\d{1,15})\/start$/,
  answer: async (context, { id, query, reader, address }) => {
    const { rooms, pictures } = context;
    const location = await rooms.locations.get(id);
    const [token, agents, tokens, { monitors }] = await Promise.all([
      revealedToken(rooms, reader, id, query.get("shown") ?? ""),
      rooms.instances.of(location.id),
      rooms.locations.tokens.working(location.id),
      pictures.now(),
    ]);
    const next = query.get("next") ?? (await stepsPath(context));
    const at = rooms.clock.wall();
    return framed(
      { reader },
      {
        title: `Start an agent of ${location.name} · Picket`,
        section: "agents",
        document: null,
        at,
        content: startView({
          location,
          token,
          address,
          reader,
          arrival: arrivalView({
            location,
            agents,
            tokens,
            at,
            hasMonitors: monitors.length > 0,
            next: next === null ? null : wantedPath(next),
          }),
        }),
      },
    );
  },
};

/** A new token; those before it work until their overlap has passed, so that agents change one after the other. */
const rotateForm: OperatorForm = {
  role: "editor",
  path: /^\/locations\/(?<id>\d{1,15})\/token$/,
  act: async ({ rooms }, { id, form, reader }) => {
    const location = await rooms.locations.get(id);
    await rooms.locations.tokens.rotate(location.id, overlapIn(form));
    return seeOther(await revealingPath(rooms, reader, id, form.get("next") ?? ""));
  },
};

export const startPages: readonly OperatorPage[] = [startPage];
export const tokenForms: readonly OperatorForm[] = [rotateForm];

function overlapIn(form: URLSearchParams): Millis {
  const overlap = parseDuration(form.get("overlap") ?? "1h");
  if (overlap !== null && overlap <= limits.tokenOverlapMax) return overlap;
  refuseViolations([
    {
      field: "overlap",
      message: `must be a duration up to ${limits.tokenOverlapMax / 3_600_000}h, for example 1h`,
    },
  ]);
  return limits.tokenOverlapDefault;
}
