import { type Block, blocksOf } from "./blocks.ts";

/* What of a page a reader does. */

/** What a reader copies into a shell, and the files that the page has them write before. */
export function runs(page: string): readonly Block[] {
  return blocksOf(page).flatMap((block) => {
    if (block.mark?.kind === "file")
      return [{ ...block, code: writing(block.mark.text, block.code) }];
    return block.language === "sh" && block.mark === undefined ? [block] : [];
  });
}

const writing = (file: string, text: string): string =>
  `cat >${file} <<'END-OF-FILE'\n${text}END-OF-FILE\n`;

/** Whether its lines only set variables, which a reader puts into a file of settings. */
export const isSettings = (code: string): boolean =>
  code.split("\n").every((line) => /^(?:\w+=\S+ *(?:#.*)?)?$/.test(line));

/** Whether such lines are for the service, not for an agent. */
export const isServices = (code: string): boolean =>
  /^PICKET_(?:SERVICE_(?!PROXY)|SMTP_)/m.test(code);
