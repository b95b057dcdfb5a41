/** Monitors that the filter of incidents offers: a menu of more is searched by no one, and others are reached by their page. */
export const monitorsOfFilterMax = 50;
/** Incidents that are read to find those monitors, the newest first: a monitor that flaps has many of them. */
export const incidentsReadForFilter = 500;
/** Incidents of the list for programs whose downtime is read at the same time: the pages have the other connections. */
export const downtimesReadAtOnce = 8;
/**
 * Checks of one incident, at one location, that its page counts at each look: half a second's read, and a week of a check
 * each 30 s. A page that is left open looks every ten seconds.
 */
export const checksCountedMax = 20_000;
