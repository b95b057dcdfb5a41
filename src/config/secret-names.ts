/** What follows it in the name of a variable is the name of a secret: PICKET_SECRET_api. */
export const secretPrefix = "PICKET_SECRET_";
