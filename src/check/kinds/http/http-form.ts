import { column } from "#check/form-field";
import { jsonComparators, numberComparators, stringComparators } from "#check/assertion";
import { httpMethods } from "#check/monitor";
import { comparator, type KindForm, plainChoices, target } from "#check/kinds/form-columns";

/** A new rule begins with the first: "contains" is for text, and so 5 would pass at 15. */
const equalFirst = ["eq", ...jsonComparators.filter((one) => one !== "eq")];

/** What only an HTTP monitor has. */
export const httpForm: KindForm<"http"> = {
  method: {
    group: "what",
    label: "Method",
    help: "",
    control: { is: "choice", choices: plainChoices(httpMethods) },
  },
  url: {
    group: "what",
    label: "URL",
    help: "A saved password or query is not shown. Left alone, it is kept.",
    control: { is: "address", example: "https://shop.example/health" },
  },
  status_code_assertions: {
    group: "must",
    label: "Status code",
    help: "Without one: 200 to 299.",
    control: {
      is: "rows",
      one: "status rule",
      none: "Status code 200 to 299",
      columns: {
        comparator: comparator(numberComparators),
        target: column("Code", { is: "number", unit: "" }),
      },
    },
  },
  body_assertions: {
    group: "must",
    label: "Body",
    help: "",
    control: {
      is: "rows",
      one: "body rule",
      columns: { comparator: comparator(stringComparators), target: target("Text") },
    },
  },
  header_assertions: {
    group: "must",
    label: "Response header",
    help: "",
    control: {
      is: "rows",
      one: "header rule",
      columns: {
        key: column("Header", { is: "text", width: "word" }),
        comparator: comparator(stringComparators),
        target: column("Value", { is: "secret", lines: 1 }),
      },
    },
  },
  json_assertions: {
    group: "must",
    label: "JSON value",
    help: "",
    control: {
      is: "rows",
      one: "JSON rule",
      columns: {
        path: column("Path", { is: "text", width: "word", example: "$.status" }),
        comparator: comparator(equalFirst),
        target: target("Value"),
      },
    },
  },
  headers: {
    group: "request",
    label: "Headers",
    help: "",
    control: {
      is: "rows",
      one: "header",
      columns: {
        key: column("Name", { is: "text", width: "word" }),
        value: column("Value", { is: "secret", lines: 1 }),
      },
    },
  },
  body: {
    group: "request",
    label: "Request body",
    help: "For POST, PUT and PATCH.",
    control: { is: "secret", lines: 4 },
  },
  follow_redirects: {
    group: "request",
    label: "Follow redirects",
    help: "Not ticked: the redirect itself is judged.",
    control: { is: "flag", off: "Redirects are judged" },
  },
};
