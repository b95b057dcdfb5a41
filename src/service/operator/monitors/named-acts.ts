import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { silenceLengths } from "#service/operator/silence-form";
import { may } from "#service/operator/roles";

/** Something that is done with one monitor, as a person types it: `Pause Shop`. */
export interface NamedAct {
  readonly words: string;
  /** A page, or where a form is sent to. */
  readonly path: string;
  readonly isSent: boolean;
  /** What that form says in addition to its button. */
  readonly fields?: Readonly<Record<string, string>>;
}

type ActedMonitor = Pick<PicturedMonitor, "id" | "name" | "status" | "owner" | "incident">;

interface Verb {
  readonly word: string;
  /** What other people call the same. */
  readonly also: readonly string[];
  readonly act: (monitor: ActedMonitor, reader: KnownReader) => NamedAct | null;
  /** Other ways of it, for whoever types the verb; left out: there are none. */
  readonly more?: (monitor: ActedMonitor, reader: KnownReader) => readonly NamedAct[];
}

/** The acts of a monitor's page, by their verbs. Each is offered to whoever may do it, while it can be done. */
const verbs: readonly Verb[] = [
  {
    word: "acknowledge",
    also: ["take"],
    act: ({ name, incident }, reader) =>
      incident === null || incident.acknowledged || !may(reader, "responder")
        ? null
        : sent(`Acknowledge ${name}`, `/incidents/${incident.number}/acknowledge`),
  },
  {
    word: "check",
    also: ["run", "test"],
    act: ({ id, name, status }, reader) =>
      status === "inactive" || !may(reader, "responder")
        ? null
        : sent(`Check ${name} now`, `/monitors/${id}/check`),
  },
  {
    word: "silence",
    also: ["mute", "snooze"],
    act: (monitor, reader) => (canSilence(monitor, reader) ? silence(monitor, firstLength) : null),
    more: (monitor, reader) =>
      canSilence(monitor, reader)
        ? silenceLengths
            .filter(([length]) => length !== firstLength[0])
            .map((length) => silence(monitor, length))
        : [],
  },
  {
    word: "edit",
    also: ["change", "settings"],
    act: (monitor, reader) =>
      isOwn(monitor, reader) ? led(`Edit ${monitor.name}`, `/monitors/${monitor.id}/edit`) : null,
  },
  {
    word: "pause",
    also: ["stop", "disable"],
    act: (monitor, reader) =>
      isOwn(monitor, reader) && monitor.status !== "inactive"
        ? sent(`Pause ${monitor.name}`, `/monitors/${monitor.id}/pause`)
        : null,
  },
  {
    word: "resume",
    also: ["unpause", "start", "enable"],
    act: (monitor, reader) =>
      isOwn(monitor, reader) && monitor.status === "inactive"
        ? sent(`Resume ${monitor.name}`, `/monitors/${monitor.id}/resume`)
        : null,
  },
  {
    word: "copy",
    also: ["duplicate", "clone"],
    act: ({ id, name }, reader) =>
      mayChange(reader) ? led(`Copy ${name}`, `/monitors/${id}/copy`) : null,
  },
  {
    word: "plan",
    also: ["maintain", "maintenance"],
    act: ({ id, name }, reader) =>
      mayChange(reader)
        ? led(`Plan maintenance of ${name}`, `/maintenances/new?monitor=${id}`)
        : null,
  },
  {
    word: "delete",
    also: ["remove"],
    act: (monitor, reader) =>
      isOwn(monitor, reader)
        ? led(`Delete ${monitor.name}`, `/monitors/${monitor.id}/delete`)
        : null,
  },
];

const canSilence = ({ status }: ActedMonitor, reader: KnownReader): boolean =>
  status !== "inactive" && may(reader, "responder");

type SilenceLength = (typeof silenceLengths)[number];
const firstLength: SilenceLength = ["1h", "1 hour"];

const silence = ({ id, name }: ActedMonitor, [length, words]: SilenceLength): NamedAct =>
  sent(`Silence ${name} for ${words}`, `/monitors/${id}/silence`, { length });

/** Whether this reader may change it here: what files manage is changed there. */
const isOwn = ({ owner }: ActedMonitor, reader: KnownReader): boolean =>
  owner === "" && mayChange(reader);

const led = (words: string, path: string): NamedAct => ({ words, path, isSent: false });
const sent = (
  words: string,
  path: string,
  fields: NonNullable<NamedAct["fields"]> = {},
): NamedAct => ({ words, path, isSent: true, fields });

/** A text as a verb and the name that it goes with; null if it has no verb, or no name yet. */
export function verbAndName(
  text: string,
): { readonly verbs: readonly string[]; readonly name: string } | null {
  const [, first = "", rest = ""] = /^(\S{2,})\s+(.*\S)$/s.exec(text) ?? [];
  const typed = first.toLowerCase();
  const found = verbs.flatMap(({ word, also }) =>
    [word, ...also].some((one) => one.startsWith(typed)) ? [word] : [],
  );
  if (first === "" || found.length === 0) return null;
  return { verbs: found, name: found.includes("check") ? rest.replace(/\s+now$/i, "") : rest };
}

/** What a reader may do with a monitor now, by these verbs or by all of them; with `isWhole`, in every way of the verb. */
export const namedActs = (
  monitor: ActedMonitor,
  reader: KnownReader,
  wanted: readonly string[] | null = null,
  isWhole = false,
): readonly NamedAct[] =>
  verbs.flatMap(({ word, act, more }) =>
    wanted === null || wanted.includes(word)
      ? [act(monitor, reader) ?? [], (isWhole ? more?.(monitor, reader) : null) ?? []].flat()
      : [],
  );
