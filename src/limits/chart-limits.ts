import { hours, type Millis, minutes, seconds } from "#base/units";

/** Incidents and planned work that the key of a chart names: the newest, in two lines of a desk's screen. */
export const chartMarksNamed = 6;
/** Locations of which a chart of all has a line or a figure for each: of more, their colours would be alike. */
export const chartLocationsMax = 4;
/** A chart of less has no second result at the shortest period. */
export const chartRangeMin: Millis = seconds(10);
/** The chart of all of a monitor that was just made: less would look empty. */
export const chartOfAllMin: Millis = minutes(1);
/** Checks before and after an incident, if they take less than a quarter of an hour: a chart of three minutes is not one of 18. */
export const chartMarginChecks = 10;
/** A shorter range names its seconds: to the minute, both of its ends may read alike. */
export const rangeSecondsBelow: Millis = minutes(5);
/** Incidents of a chart whose single passing checks are looked for: the newest, each a reading of its results. */
export const chartIncidentsCutMax = 12;
/** A monitor that is younger than this shows its hours: one or two bars of days say nothing. */
export const youngFor: Millis = hours(48);
