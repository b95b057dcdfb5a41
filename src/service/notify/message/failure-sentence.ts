import { STATUS_CODES } from "node:http";
import { capital } from "#base/text";
import { withAssertionWords } from "#check/assertion-words";
import { millis } from "#base/units";
import { latencyWords } from "#web/page/format";

/** What a check says if the status of an HTTP answer does not count as success. It is wire format. */
const statusSentence = /\bRequest failed with status code (\d{3})(: status code )?/;

/** The sentence of a check, as every page and message says it: with a capital letter and the page's figures. */
export const failureSentence = (message: string): string => capital(plainSentence(message));

/** `1500 ms` of the wire as people read it. What is known to a doubt has both in the same digits, and stays. */
const withFigures = (sentence: string): string =>
  sentence
    .replaceAll(/(?<![\w.:]|± )(\d{1,15}(?:\.\d+)?) ms\b/g, (_, digits: string) =>
      latencyWords(millis(Number(digits))),
    )
    .replaceAll(/(?<=\d) %/g, "\u00a0%");

/** Assertions by the words of the form, and plainer than the wire's if it is about a status. */
const plainSentence = (message: string): string =>
  withFigures(withAssertionWords(message)).replace(
    statusSentence,
    (_, code: string, rules?: string) => {
      const name = STATUS_CODES[code];
      const answer = `The target answered ${code}${name === undefined ? "" : ` ${name}`}`;
      return `${answer}${rules ?? "; only 200 to 299 counts as success"}`;
    },
  );
