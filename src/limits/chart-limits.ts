/** Incidents and planned work that the key of a chart names: the newest, in two lines of a desk's screen. */
export const chartMarksNamed = 6;
/** Locations of which a chart of all has a line or a figure for each: of more, their colours would be alike. */
export const chartLocationsMax = 4;
