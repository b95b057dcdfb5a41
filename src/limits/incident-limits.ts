/** Monitors that the filter of incidents offers: a menu of more is searched by no one, and others are reached by their page. */
export const monitorsOfFilterMax = 50;
/** Incidents that are read to find those monitors, the newest first: a monitor that flaps has many of them. */
export const incidentsReadForFilter = 500;
