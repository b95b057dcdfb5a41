import type { KindForm } from "#check/kinds/form-columns";

/** What only a TCP monitor has. */
export const tcpForm: KindForm<"tcp"> = {
  uri: {
    group: "what",
    label: "Host and port",
    help: "An IPv6 address in brackets: [::1]:5432.",
    control: { is: "text", width: "name", example: "db.example:5432" },
  },
};
