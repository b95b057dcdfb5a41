/** Monitors that the filter of incidents offers: a menu of more is searched by no one, and others are reached by their page. */
export const monitorsOfFilterMax = 50;
/** Incidents that are read to find those monitors, the newest first: a monitor that flaps has many of them. */
export const incidentsReadForFilter = 500;
/** Incidents of the list for programs whose downtime is read at the same time: the pages have the other connections. */
export const downtimesReadAtOnce = 8;
