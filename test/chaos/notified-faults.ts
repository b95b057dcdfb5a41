import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "#service/store/open-store";
import { long, say } from "./figures.ts";
import { type MessageLedger, messageLedger } from "./message-ledger.ts";
import type { Mood, TakenMessage } from "./moody-provider.ts";
import { call, holds, type NotifiedOptions, type NotifiedScene } from "./notified-scene.ts";

/** Seconds in which everything goes wrong; the long form kills the service 50 times. */
export const faultsFor: number = long ? Number(process.env["CHAOS_MINUTES"] ?? 30) * 60 : 24;
const kills = long ? 50 : 3;
const stormOf = long ? 500 : 120;
/** A pager takes one message a second. */
const paged = long ? 60 : 12;
const flappers = 6;

/** The monitors of every scenario that has faults. */
export const faultyScene: NotifiedOptions = {
  monitors: { office: stormOf, branch: 6 },
  paged,
  every: long ? 5_000 : 2_500,
};

const moods: readonly Mood[] = ["down", "slow", "limits", "fails", "hangs up"];
/** In the long form also long enough for several attempts. */
const faultLength = (): number => 1_000 * (long && Math.random() < 0.3 ? 40 : 3);

/** Everything at once: the storm, flapping, moods, kills, and a location that is cut off and comes back with a backlog. */
export async function survive(scene: NotifiedScene, replicas: readonly number[]): Promise<void> {
  await scene.office.flushed();
  const stopping = new AbortController();
  const until = async (pause: number): Promise<void> =>
    wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
  const lives = [moodily(scene, stopping.signal, until), flapping(scene, stopping.signal, until)];
  const end = Date.now() + faultsFor * 1_000;
  lives.push(backlog(scene));
  const storm = scene.monitors.office.slice(flappers);
  scene.office.become(storm, "error");
  let isUp = false;
  // Twice down and twice up: a third time would be flapping. In the short form what fails stands: a part of the judge's
  // work may be without a replica for 15 s, and what fails more briefly than that opens nothing.
  const turn = long ? faultsFor * 250 : Infinity;
  let turnsAt = Date.now() + turn;
  for (let kill = 0; kill < kills; kill += 1) {
    const left = end - Date.now();
    await wait(Math.max(0, (Math.random() * 1.6 * left) / (kills - kill)));
    if (Date.now() > turnsAt) {
      isUp = !isUp;
      turnsAt = Date.now() + turn;
      scene.office.become(storm, isUp ? "success" : "error");
    }
    const index = replicas[kill % replicas.length] ?? 0;
    await scene.kill(index);
    await scene.start(index);
  }
  await wait(Math.max(0, end - Date.now()));
  stopping.abort();
  await Promise.all(lives);
  if (!long) await everyFailureOpened(scene, storm);
  scene.office.become(scene.monitors.office, "success");
  for (const name of ["ops", "hook", "v2"]) scene.provider.become(name, "well");
}

/** What fails and stays so opens an incident, whichever replica judges it, and however slow the machine is. */
async function everyFailureOpened(scene: NotifiedScene, storm: readonly string[]): Promise<void> {
  let left: readonly string[] = storm;
  await holds(
    180_000,
    () => {
      const known = left.filter((id) => scene.office.failedSeen.has(id));
      return `${left.length} of ${storm.length} failures opened no incident; the service has ${known.length} of them: ${left.slice(0, 8).join(", ")}`;
    },
    async () => {
      const notified = await notifiedOf(scene);
      left = storm.filter((id) => !notified.has(id));
      return left.length === 0;
    },
  );
}

type Pause = (pause: number) => Promise<void>;

async function moodily(
  { provider }: NotifiedScene,
  signal: AbortSignal,
  until: Pause,
): Promise<void> {
  while (!signal.aborted) {
    const name = ["ops", "hook", "v2"][Math.floor(Math.random() * 3)] ?? "ops";
    provider.become(name, moods[Math.floor(Math.random() * moods.length)] ?? "fails");
    await until(faultLength());
    provider.become(name, "well");
    await until(long ? 4_000 : 2_000);
  }
}

async function flapping(scene: NotifiedScene, signal: AbortSignal, until: Pause): Promise<void> {
  const own = scene.monitors.office.slice(0, flappers);
  for (let turn = 0; !signal.aborted; turn += 1) {
    scene.office.become([own[turn % flappers] ?? ""], Math.random() < 0.5 ? "error" : "success");
    await until(long ? 8_000 : 2_000);
  }
}

/** The branch is cut off, sees its monitors fail and come back, and says so when all of it is over. */
async function backlog({ branch, monitors }: NotifiedScene): Promise<void> {
  await branch.flushed();
  branch.cutOff = true;
  await wait(2_000);
  branch.become(monitors.branch, "error");
  await wait(faultsFor * 300);
  branch.become(monitors.branch, "success");
  await wait(long ? 15_000 : 8_000);
  branch.cutOff = false;
  await branch.flushed();
}

/** Waits until nothing waits any more, and reads the books. */
export async function ledgerAtRest(scene: NotifiedScene, scenario: string): Promise<MessageLedger> {
  await scene.office.flushed();
  const deliveryService = "picket.v1.DeliveryService";
  const list = async (): Promise<readonly { id: string }[]> => {
    const all = await Promise.all(
      ["waiting", "accepted"].map((state) =>
        call(scene.urls[0] ?? "", scene.key, `${deliveryService}/ListDeliveries`, {
          state,
          limit: 100,
        }),
      ),
    );
    return all.flatMap(({ deliveries = [] }) => deliveries);
  };
  let waiting: readonly { id: string }[] = [];
  let rounds = 0;
  await holds(
    200_000,
    () => `these still wait: ${JSON.stringify(waiting.slice(0, 3))}`,
    async () => {
      const isUp = await isAllUp(scene);
      waiting = await list();
      rounds += 1;
      // A person who sees that the provider is well again does not wait for the next attempt. What was sent meanwhile is
      // refused, and need not be tried.
      if (rounds % 50 === 49)
        for (const { id } of waiting)
          await call(scene.urls[0] ?? "", scene.key, `${deliveryService}/RetryDelivery`, {
            id,
          }).catch(() => {});
      return isUp && waiting.length === 0;
    },
  );
  const ledger = await messageLedger(scene);
  const { taken, refused } = scene.provider;
  const { repeated, outcomes, incidents } = ledger;
  say(
    `${scenario}: ${kills} kills in ${faultsFor} s`,
    `${incidents.length} incidents, ${ledger.deliveries.length} deliveries, ${taken.length} messages taken, ${refused} refused; ${JSON.stringify({ outcomes, repeated })}`,
  );
  return ledger;
}

export interface LedgerFaults extends Pick<MessageLedger, "open" | "uncounted" | "lost" | "wrong"> {
  readonly oftenRepeated: boolean;
  readonly unheard: readonly string[];
  readonly called: readonly TakenMessage[];
  readonly isQuiet: boolean;
}

/** Everything that a ledger must not have. */
export function faultsIn(scene: NotifiedScene, ledger: MessageLedger): LedgerFaults {
  const { open, uncounted, lost, wrong, repeated, incidents } = ledger;
  const { taken } = scene.provider;
  const notified = new Set(incidents.map(({ incident }) => String(incident.subject.id)));
  const storm = scene.monitors.office.slice(flappers);
  const isNoChat = ({ path }: TakenMessage): boolean => !path.startsWith("/ops");
  return {
    open,
    uncounted,
    lost,
    wrong,
    // A chat may show a message twice, where the service was killed or the connection broke before it knew.
    oftenRepeated: (repeated["ops"] ?? 0) > kills + taken.length / 20 + 5,
    unheard: storm.filter((id) => scene.office.failedSeen.has(id) && !notified.has(id)),
    // What was over before the service heard of it calls neither a pager nor a webhook.
    called: taken.filter(
      (one) => isNoChat(one) && /(Down|Slow|Up again): branch-\d/.test(one.body),
    ),
    isQuiet: !storm.some((id) => notified.has(id)),
  };
}
export const none: LedgerFaults = {
  open: [],
  uncounted: [],
  lost: [],
  wrong: [],
  oftenRepeated: false,
  unheard: [],
  called: [],
  isQuiet: false,
};

async function incidentsOf({ database }: NotifiedScene, isOpen: boolean | null) {
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const any = { kind: null, subject: null, location: null, cause: null, before: null } as const;
  const { incidents } = await store.alerts.incidents.list({
    ...any,
    isOpen,
    limit: 1_000,
    offset: 0,
  });
  return incidents.map(({ incident }) => incident);
}

/** Those that flap are open until they have stood still for half an hour. */
const isAllUp = async (scene: NotifiedScene): Promise<boolean> =>
  (await incidentsOf(scene, true)).every(({ flapping }) => flapping !== null);

const notifiedOf = async (scene: NotifiedScene): Promise<ReadonlySet<string>> =>
  new Set((await incidentsOf(scene, null)).map(({ subject }) => String(subject.id)));
