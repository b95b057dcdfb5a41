import { capital } from "#base/text";
import { epochMillis } from "#base/units";
import type { LocationState } from "#service/monitors/location-state";
import { dayAndTime } from "#web/page/format";

/** Why a location is not active: a sentence with its instant as pages write it; empty if it is active. */
export const whyNotActive = ({ message }: LocationState): string =>
  message === ""
    ? ""
    : `${capital(message).replace(isoInstant, (iso) => dayAndTime(epochMillis(Date.parse(iso))))}.`;

const isoInstant = /\d{4}-\d\d-\d\dT[\d:.]+Z/;
