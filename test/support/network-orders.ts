/** Lines of a scene of routers: a shell of the networks' root carries out what the agent's side orders, until that ends. */
export const orderLines: readonly string[] = [
  "mkfifo /run/orders /run/done",
  '(while read -r line; do sh -c "$line" > /dev/null 2>&1; echo done > /run/done; done < /run/orders) &',
  "exec 7> /run/orders",
];

/** The agent's side: `order(line)` returns once the line was carried out. */
export const orderModule = `
  import { readFileSync, writeSync } from "node:fs";
  const order = (line) => { writeSync(7, line + "\\n"); readFileSync("/run/done"); };
  const forwarding = (family, is) => "nsenter --net=/run/netns/r1 sh -c 'echo " + is + " > /proc/sys/net/" +
    (family === 4 ? "ipv4/ip_forward" : "ipv6/conf/all/forwarding") + "'";
`;
