import type { SettingName } from "#config/agent-settings";
import { listOf } from "#config/setting-kinds";
import * as limits from "#limits/probes-limits";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import {
  noTargetRules,
  parseTargetRules,
  type TargetRule,
  type TargetRules,
} from "#network/target-rules";
import { taken, type Values } from "#agent/settings/values";

/** Where the operator says what targets may be: what the variables have, and the files; an empty path is not set. */
export interface TargetLists {
  readonly allow: TargetList;
  readonly deny: TargetList;
}

interface TargetList {
  readonly written: readonly TargetRule[];
  /** As messages name the file. */
  readonly setting: string;
  readonly file: string;
}

interface TargetListsReading {
  readonly rules: TargetRules;
  /** What cannot be used, a sentence each. */
  readonly errors: readonly string[];
}

/** While the values cannot be used. */
export const noTargetLists: TargetListsReading = { rules: noTargetRules, errors: [] };

/** From values that can be used. */
export const targetListsOf = (values: Values): TargetLists => ({
  allow: listAt(values, "PICKET_TARGET_ALLOW", "PICKET_TARGET_ALLOW_FILE"),
  deny: listAt(values, "PICKET_TARGET_DENY", "PICKET_TARGET_DENY_FILE"),
});

const listAt = (values: Values, name: SettingName, file: SettingName): TargetList => ({
  written: taken(parseTargetRules(listOf(values[name]), `${name}=`)),
  setting: file,
  file: values[file],
});

/** Reads the files. With an error, nothing of them may be used: half a list lets through what the whole one denies. */
export function readTargetLists({ allow, deny }: TargetLists): TargetListsReading {
  const errors: string[] = [];
  const rules = {
    allow: [...allow.written, ...rulesIn(allow, errors)],
    deny: [...deny.written, ...rulesIn(deny, errors)],
  };
  return { rules, errors };
}

function rulesIn({ setting, file }: TargetList, errors: string[]): readonly TargetRule[] {
  if (file === "") return [];
  try {
    const text = readBounded(file, limits.targetFileBytesMax);
    if (text.includes("\0")) throw new Error("holds a NUL character, so it is not text");
    const entries = text
      .replaceAll(/#.*$/gm, "")
      .split(/[\s,]+/)
      .filter((entry) => entry !== "");
    const rules = parseTargetRules(entries, `${setting}: `);
    // A list that was cut off, e.g. by a full disk, would let everything through.
    if (entries.length === 0) errors.push(`${setting} has no entry (${file})`);
    if (rules.ok) return rules.value;
    errors.push(`${setting} ${rules.message} (${file})`);
  } catch (error) {
    errors.push(`${setting} cannot be read: ${whyUnusable(error)} (${file})`);
  }
  return [];
}
