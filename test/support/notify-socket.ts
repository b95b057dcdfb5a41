import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** systemd's end of the socket, which node cannot open: a line of JSON for each datagram. */
const receiver = `
import json, socket, sys
end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
end.bind(sys.argv[1].replace("@", "\\0", 1))
print("bound", flush=True)
while True: print(json.dumps(end.recv(4096).decode()), flush=True)
`;

/** Receives what is sent to a supervisor's socket; each call gives the next datagram. Needs python3. */
export async function notifySocket(socket: string): Promise<() => Promise<string>> {
  const child = spawn("python3", ["-c", receiver, socket], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return async () => String(JSON.parse((await lines.next()).value ?? "null"));
}
