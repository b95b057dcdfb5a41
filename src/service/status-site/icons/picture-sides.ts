/** How many pixels a picture is wide and high; "broken" for what begins as one, and is not one to its last byte. */
export type Sides = readonly [width: number, height: number] | "broken";
