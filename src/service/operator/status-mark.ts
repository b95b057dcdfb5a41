import type { Html } from "#web/page/html";
import { pausedMark, type Standing, verdictMark } from "#web/page/verdict-mark";
import type { LocationState } from "#service/monitors/location-state";
import type { ListedState, PicturedStatus } from "#service/operator/picture";

/** What a status is called on the pages. */
export const statusWords: { readonly [S in ListedState]: string } = {
  error: "Failing",
  flapping: "Flapping",
  degraded: "Degraded",
  unknown: "No data",
  recovering: "Recovering",
  active: "Passing",
  inactive: "Paused",
};

const standingOf: { readonly [S in ListedState]: Standing } = {
  error: "error",
  flapping: "degraded",
  degraded: "degraded",
  unknown: "unchecked",
  recovering: "degraded",
  active: "success",
  inactive: "unchecked",
};

/** A shape and a word for a status. */
export const statusMark = (status: PicturedStatus): Html =>
  status === "inactive"
    ? pausedMark(statusWords.inactive)
    : verdictMark(standingOf[status], statusWords[status]);

/** Whether agents of a location call, and are let in. */
export const locationMark = ({ status, refused }: LocationState): Html =>
  refused?.isOnly === true ? refusedMark : agentMark(status);

/** An agent, or all of a location, whose token has ended. */
export const refusedMark: Html = verdictMark("error", "Refused");

/** Whether an agent calls. */
export const agentMark = (status: LocationState["status"]): Html =>
  verdictMark(standingOf[status], locationWords[status]);

const locationWords = { unknown: "Never seen", active: "Running", error: "Silent" } as const;

/** The class by which a row is coloured. */
export const statusClass = (status: ListedState): Standing => standingOf[status];
