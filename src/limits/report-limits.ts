import { type Millis, minutes, seconds } from "#base/units";

/* The uptime report of a month. */

/** Monitors of one report: a whole small service, as one question of the store names them. */
export const reportedMonitorsMax = 1_000;
/** The longest outages of a report: those that a month is remembered for. */
export const reportedOutagesMax = 5;
/** Incidents whose stories are read for that, those with the longest trouble of a month: five that were down are among them. */
export const outageStoriesRead = 50;
/** Monitors that the sentence about missed objectives names: one with more names is not read. */
export const missesNamedMax = 3;
/** Status pages and labels that a report offers to choose from: a list of more is not read. */
export const reportedPagesMax = 200;
export const reportedLabelsMax = 500;
/** A report that is this old is shown again if no object changed: its figures are of a month, and it says as of when they are. */
export const reportFreshFor: Millis = seconds(5);
/** Reports that are kept meanwhile: 200 KiB each, of 1,000 monitors. */
export const reportsKeptMax = 16;
/** Any reader may ask for any days, and each such report reads many of them: pages and calls are answered in between. */
export const reportsBegunMax = 2;
/** Two years of months: days are kept for as long. */
export const reportMonthsMax = 25;
/** A week has its weekend, and is short enough to show what changed. */
export const budgetPaceDays = 7;
/** A budget below this is of so short a time that a single failed check uses it up: it says nothing yet. */
export const budgetShownFrom: Millis = minutes(1);
/** Monitors that the first paragraph of a report names: the worst; the table below it has all. */
export const reportWorstNamed = 3;
/** Monitors that a day of downtime names: as above. */
export const reportDayNamed = 3;
/** Results count a little longer than a monitor is there: a check stands for its period, and the first may be of one before. */
export const reportSincePeriods = 2;
/** Days of one report: a quarter of a year. Of a thousand monitors, 200,000 days are read then, with those before. */
export const reportDaysMax = 92;
