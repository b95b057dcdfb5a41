import { type Millis, minutes } from "#base/units";

/* The uptime report of a month. */

/** Monitors of one report: a whole small service, as one question of the store names them. */
export const reportedMonitorsMax = 1_000;
/** The longest outages of a report: those that a month is remembered for. */
export const reportedOutagesMax = 5;
/** Monitors that the sentence about missed objectives names: one with more names is not read. */
export const missesNamedMax = 3;
/** Status pages and labels that a report offers to choose from: a list of more is not read. */
export const reportedPagesMax = 200;
export const reportedLabelsMax = 500;
/** A report that is this old is shown again: it is of a month. */
export const reportFreshFor: Millis = minutes(1);
/** Reports that are kept meanwhile: 200 KiB each, of 1,000 monitors. */
export const reportsKeptMax = 16;
/** Two years of months: days are kept for as long. */
export const reportMonthsMax = 25;
/** A week has its weekend, and is short enough to show what changed. */
export const budgetPaceDays = 7;
