import { createInterface } from "node:readline";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import { hours, mebibytes } from "#base/units";
import { FakeClock } from "./fake-clock.ts";
import { reportWith, start, waitingIn } from "./reports.ts";

/**
 * A spool in a separate process, for tests that kill it or break its disk. It does what each line of its input says,
 * and answers each with a line: `add FROM TO`, `settle AT …`, `save`, `pass MILLIS`, `waiting`, `close`.
 */
const said: string[] = [];
const remember = (message: string): void => void said.push(message);
const clock = new FakeClock(start);
const spool = new SqliteSpool({
  file: process.argv[2] ?? "",
  limits: { bytesMax: mebibytes(64), ageMax: hours(24) },
  clock,
  log: { debug: remember, info: remember, warn: remember, error: remember },
});

const range = (from = "0", to = "0"): readonly number[] =>
  Array.from({ length: Number(to) - Number(from) }, (_, n) => Number(from) + n);

for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...numbers] = line.split(" ");
  const [a, b] = numbers;
  if (word === "add") for (const at of range(a, b)) spool.add(reportWith({ at, body: 500 }));
  if (word === "settle") spool.settle(numbers.map((at) => `m@${at}`));
  if (word === "save") spool.save();
  if (word === "pass") await clock.advance(Number(a));
  if (word === "close") spool[Symbol.dispose]();
  const waiting = word === "waiting" ? (waitingIn(spool)["m"] ?? []) : [];
  const state = { size: spool.size, durable: spool.durable, said, waiting };
  process.stdout.write(`${JSON.stringify(state)}\n`);
}
