import { STATUS_CODES } from "node:http";
import { capital } from "#base/text";
import { millis } from "#base/units";
import { wholeMillis } from "#web/page/format";

/** What a check says if the status of an HTTP answer does not count as success. It is wire format. */
const statusSentence = /\bRequest failed with status code (\d{3})(?: \((.+) does not hold\))?/;

/** The sentence of a check, as every page says it: as messages do, with a capital letter and the page's figures. */
export const failureSentence = (message: string): string =>
  capital(plainSentence(message)).replaceAll(/\b(\d{4,15}) ms\b/g, (_, digits: string) =>
    wholeMillis(millis(Number(digits))),
  );

/** The same as messages say it: plainer than the wire's if it is about the status of an answer. */
export const plainSentence = (message: string): string =>
  message.replace(statusSentence, (_, code: string, rules?: string) => {
    const name = STATUS_CODES[code];
    const answer = `The target answered ${code}${name === undefined ? "" : ` ${name}`}`;
    return rules === undefined
      ? `${answer}; only 200 to 299 counts as success`
      : `${answer}; the monitor wants ${wantedWords(rules)}`;
  });

const comparators: Readonly<Record<string, string>> = {
  eq: "",
  neq: "any but ",
  gt: "more than ",
  gte: "at least ",
  lt: "less than ",
  lte: "at most ",
};

/** `status eq 200, status lt 300` as `200 and less than 300`. */
const wantedWords = (rules: string): string =>
  rules
    .split(", ")
    .map((rule) =>
      rule.replace(
        /^status (\w+) (\d+)$/,
        (_, comparator: string, target: string) =>
          `${comparators[comparator] ?? `${comparator} `}${target}`,
      ),
    )
    .join(" and ");
