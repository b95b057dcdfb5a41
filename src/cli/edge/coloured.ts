import { styleText } from "node:util";

export type Colour =
  | "plain"
  | "bold"
  | "dim"
  | "green"
  | "yellow"
  | "red"
  | "cyan"
  | "blue"
  | "magenta"
  | "white";

/** A text in a colour, where colours are wanted: whether they are is the command's to say, not the stream's. */
export const coloured = (text: string, colour: Colour, wanted: boolean): string =>
  wanted && colour !== "plain" ? styleText(colour, text, { validateStream: false }) : text;
