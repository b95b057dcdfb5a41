import { type EpochMillis, epochMillis, hours } from "#base/units";
import type { Retention } from "#service/store/result-store";

/** When today began by this machine's clock: PostgreSQL keeps each day of results in a table of its own. */
export const today: EpochMillis = epochMillis(new Date().setUTCHours(0, 0, 0, 0));
/** Noon of the day before, of which twelve hours are left. */
export const yesterday: EpochMillis = epochMillis(today - hours(12));
/** The table of that day. */
export const partition: string = `results_${new Date(yesterday).toISOString().slice(0, 10).replaceAll("-", "")}`;
export const never: EpochMillis = epochMillis(0);
export const keepAll: Retention = { details: never, results: never, hours: never, days: never };
