/* How forms of the service's pages lie. */

/** More choices than this are a list to search, such as time zones: its longest words are not waited for. */
export const fewChoicesMax = 12;

/** Words of a choice that half a group has room for, next to another field, on a page of 1,280 px. */
export const choiceCharsInHalf = 28;
