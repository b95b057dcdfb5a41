/**
 * Lines of a scene of routers: a shell of the networks' root carries out what the agent's side orders, until that ends.
 * One that fails, or takes too long, answers with what it said.
 */
export const orderLines: readonly string[] = [
  "mkfifo /run/orders /run/done",
  '(while read -r line; do if said=$(timeout 30 sh -c "$line" 2>&1); then said=done; else said="failed with $?: $said"; fi; printf %s "$said" > /run/done; done < /run/orders) &',
  "exec 7> /run/orders",
];

/** The agent's side: `order(line)` returns once the line was carried out, and throws what it said where it failed. */
export const orderModule = `
  import { readFileSync, writeSync } from "node:fs";
  const order = (line) => {
    writeSync(7, line + "\\n");
    const said = readFileSync("/run/done", "utf8");
    if (said !== "done") throw new Error("the order " + line + " " + said);
  };
  const forwarding = (family, is) => "nsenter --net=/run/netns/r1 sh -c 'echo " + is + " > /proc/sys/net/" +
    (family === 4 ? "ipv4/ip_forward" : "ipv6/conf/all/forwarding") + "'";
`;
