import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { onRequestHead, tcpPeer } from "../../servers/scripted.ts";
import { type RunningPicket, startPicket } from "../../support/running-picket.ts";

/** A process that checks is stopped by a signal; what it then measures is its own pause, not the target. */

/** Stops the process for so many milliseconds as soon as it has asked; `then` is what the target does at that moment. */
async function checkedWhileStopped(
  pause: number,
  then: (socket: Socket) => void,
  raw: "on" | "off",
  ...options: readonly string[]
): Promise<{ readonly code: unknown; readonly said: Said }> {
  let running: RunningPicket | null = null;
  await using peer = await tcpPeer((socket) =>
    onRequestHead(socket, () => {
      void stopAsleep(running?.child).then(() => {
        then(socket);
        setTimeout(() => running?.child.kill("SIGCONT"), pause);
      });
    }),
  );
  const check = ["check", `http://127.0.0.1:${peer.port}/`, "--json", ...options];
  running = startPicket(check, { PICKET_RAW_SOCKETS: raw });
  const [code]: unknown[] = await once(running.child, "close");
  return { code, said: JSON.parse(/^\{.*\}$/m.exec(running.output())?.[0] ?? "{}") };
}

/** Stops it while its main thread waits: it has asked then, and has nothing more to do. A stop of its work is no pause. */
async function stopAsleep(child: ChildProcess | undefined): Promise<void> {
  for (;;) {
    await inState(child, "S");
    // On a busy machine it may be at work again before the signal comes.
    child?.kill("SIGSTOP");
    await inState(child, "T");
    const said = readFileSync(`/proc/${child?.pid}/syscall`, "utf8");
    const [call = "", , , , timeout] = said.split(" ");
    // A look for what is ready, which waits for nothing, is work too.
    if (waits.has(call) && timeout !== "0x0") return;
    child?.kill("SIGCONT");
  }
}

/** epoll_wait and epoll_pwait, by their numbers of x64 and of arm64. */
const waits: ReadonlySet<string> = new Set(["232", "281", "22"]);

const inState = (child: ChildProcess | undefined, state: "S" | "T"): Promise<void> =>
  vi.waitFor(
    () => expect(readFileSync(`/proc/${child?.pid}/stat`, "utf8")).toContain(`) ${state} `),
    { interval: 5, timeout: 40_000 },
  );

interface Said {
  readonly status: string;
  readonly latency_ms: number;
  readonly error_bar_ns: number;
  readonly failure: { readonly code: string; readonly phase: string } | null;
}

/** Of a raw socket the kernel says when the answer came, whatever became of the process. */
test("an answer that came while the process was stopped is not certainly slow", async () => {
  const pause = 1_200;
  const { code, said } = await checkedWhileStopped(
    pause,
    (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    "off",
    "--degraded-at",
    `${pause}ms`,
  );
  // Every answer here is that late. A busy machine may add as much again, and then it is certain.
  const isCertain = said.latency_ms - said.error_bar_ns / 1e6 > pause;
  expect(said).toMatchObject({ status: isCertain ? "degraded" : "success", failure: null });
  // The stop, less the moment for which the signal was under way.
  expect(said.error_bar_ns).toBeGreaterThan((pause - 200) * 1e6);
  expect(code).toBe(0);
});

test.each(["on", "off"] as const)(
  "an answer that came while the process was stopped past its timeout counts, though it is read afterwards (raw sockets %s)",
  async (raw) => {
    const { code, said } = await checkedWhileStopped(
      4_200,
      (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
      raw,
      "--timeout",
      "4000ms",
    );
    expect(said).toMatchObject({ status: "success", failure: null });
    expect(said.latency_ms - said.error_bar_ns / 1e6).toBeLessThan(4_000);
    expect(code).toBe(0);
  },
);

test.each(["on", "off"] as const)(
  "a timeout that passed while the process was stopped is the agent's, not the target's (raw sockets %s)",
  async (raw) => {
    // On a busy machine most of the time may pass before the stop: the rest passes in it.
    const { said } = await checkedWhileStopped(4_200, () => {}, raw, "--timeout", "4000ms");
    expect(said.failure).toMatchObject({ code: "agent_error", phase: "agent" });
  },
);
