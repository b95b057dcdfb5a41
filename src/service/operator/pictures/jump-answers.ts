import { bestNamed } from "#base/name-rank";
import * as limits from "#limits/pages-limits";
import * as jumpLimits from "#limits/jump-limits";
import { documentAnswer } from "#service/edge/page-answer";
import { firstQuery } from "#service/operator/overview-query";
import type { OperatorPage, PageContext, PageRequest } from "#service/operator/page-request";
import { type NamedAct, namedActs, verbAndName } from "#service/operator/monitors/named-acts";
import { listedState, type PicturedMonitor } from "#service/operator/picture";
import { actsEverywhere } from "#service/operator/pictures/jump-acts";
import { incidentOfText } from "#service/operator/pictures/jump-incident";
import { openIncidentsOfText } from "#service/operator/pictures/waiting-incidents";
import { jumpPlaces } from "#service/operator/pictures/jump-places";
import { jumpTarget } from "#service/operator/pictures/jump-target";
import { matchingMonitors } from "#service/operator/pictures/monitor-search";
import { statusWords } from "#service/operator/status-mark";

/**
 * `/jump.json`: the monitors that a text names best, for whoever goes to one by its name, and what can be done with the first
 * of them; of a text that begins with a verb, what that is of each. Then an incident by its number, open ones by `ack` or
 * `inc`, everything else that has a name, and of a target or a command the form of a new monitor.
 */
export const jumpPage: OperatorPage = {
  role: "reader",
  path: /^\/jump\.json$/,
  answer: async (context, { query, reader }) => {
    const text = (query.get("text") ?? "").trim().slice(0, limits.pageFilterCharsMax);
    const found = text === "" ? nothing : await foundBy(context, text, reader);
    const { monitors, acts, places } = found;
    return documentAnswer({
      form: reader.formToken,
      monitors: monitors.map(({ id, name, target, ...monitor }) => ({
        id: String(id),
        name,
        target,
        status: statusWords[listedState(monitor)],
      })),
      acts: acts.map(({ words, note, path, isSent, fields = {} }) => ({
        words,
        note,
        path,
        is_sent: isSent,
        fields,
      })),
      places,
    });
  },
};

const nothing = { monitors: [], acts: [], places: [] };

async function foundBy(context: PageContext, text: string, reader: PageRequest["reader"]) {
  const picture = await context.pictures.now();
  const first = (name: string): readonly PicturedMonitor[] =>
    bestNamed(matchingMonitors(picture, { ...firstQuery, text: name }), name).slice(
      0,
      jumpLimits.jumpFoundMax,
    );
  const monitors = first(text);
  const asked = verbAndName(text);
  const [incident, open, places] = await Promise.all([
    incidentOfText(context, text, reader),
    openIncidentsOfText(context, text, reader),
    jumpPlaces(context, picture, text, reader),
  ]);
  const ofMonitors = [
    ...(asked === null ? [] : first(asked.name)).flatMap((one, place) =>
      namedActs(one, reader, asked?.verbs, place === 0),
    ),
    ...monitors.slice(0, 1).flatMap((one) => namedActs(one, reader)),
  ];
  return {
    monitors,
    acts: [
      ...noted([...(incident?.acts ?? []), ...open.acts], "Incident"),
      ...noted(ofMonitors, "Monitor"),
      ...noted(actsEverywhere(text, reader), "Here"),
    ].slice(0, jumpLimits.jumpActsMax),
    places: [
      ...(incident === null ? [] : [incident.place]),
      ...open.places,
      ...places,
      ...jumpTarget(text, reader),
    ],
  };
}

const noted = (acts: readonly NamedAct[], note: string) => acts.map((act) => ({ ...act, note }));
