import { alters, deletes, makes } from "#service/store/audit/audited";
import { type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import { type Provider, providers } from "#service/notify/channel";
import type {
  AnnouncedChannel,
  ChannelChange,
  ChannelHead,
  ChannelRow,
  Channels,
  NewChannel,
} from "#service/store/channel-store";
import { type ChannelId, channelId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, insertRows, integer, type Row, type Sql, text } from "#service/store/sql";
import type { Page } from "#service/store/state-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { announceOpen } from "#service/store/verbs/channels/announced-open";
import { epochMillis } from "#base/units";

/** The channels, and whose monitors are said through them. */
export const channels: VerbsOf<Channels> = {
  create: writes(
    "channels.create",
    null,
    makes("channel", (id: ChannelId) => id),
    create,
  ),
  createAnnouncing: writes(
    "channels.createAnnouncing",
    "states",
    makes("channel", ({ id }: AnnouncedChannel) => id),
    async (sql, made: NewChannel) => {
      const id = await create(sql, made);
      const { rules, monitors, at } = made;
      return { id, ...(await announceOpen(sql, { id, rules, monitors }, at)) };
    },
  ),
  update: writes("channels.update", null, alters("channel"), update),
  delete: writes("channels.delete", null, deletes("channel"), async (sql, id: ChannelId) => {
    await sql.run("DELETE FROM lanes WHERE channel = ?", [id]);
    return (await sql.run("DELETE FROM channels WHERE id = ?", [id])) === 1;
  }),
  get: reads("channels.get", async (sql, id: ChannelId): Promise<ChannelRow | null> => {
    const rows = await sql.all("SELECT * FROM channels WHERE id = ?", [id]);
    return (await channelsOf(sql, rows))[0] ?? null;
  }),
  list: reads("channels.list", async (sql, { limit, offset }: Page) =>
    channelsOf(
      sql,
      await sql.all("SELECT * FROM channels ORDER BY id LIMIT ? OFFSET ?", [limit, offset]),
    ),
  ),
  count: reads("channels.count", async (sql) =>
    integer((await sql.all("SELECT COUNT(*) AS count FROM channels"))[0], "count"),
  ),
  ofMonitors: reads("channels.ofMonitors", ofMonitors),
  head: reads("channels.head", async (sql, id: ChannelId) => {
    const [row] = await sql.all("SELECT * FROM channels WHERE id = ?", [id]);
    return row === undefined ? null : headOf(row);
  }),
  heads: reads("channels.heads", async (sql) =>
    (await sql.all("SELECT * FROM channels ORDER BY id")).map(headOf),
  ),
  listed: reads("channels.listed", listed),
};

async function create(sql: Sql, made: NewChannel): Promise<ChannelId> {
  const { uid, name, provider, sealed, fingerprint, rules, owner, labels, at } = made;
  const [row] = await sql.all(
    `INSERT INTO channels (uid, name, provider, sealed, fingerprint, rules, owner, labels, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [
      uid,
      name,
      provider,
      sealed,
      fingerprint,
      JSON.stringify(rules),
      owner,
      JSON.stringify(labels),
      at,
      at,
    ],
  );
  const id = channelId(integer(row, "id"));
  await attach(sql, id, made.monitors);
  return id;
}

async function update(sql: Sql, id: ChannelId, changed: ChannelChange): Promise<boolean> {
  const { name, secret, rules, monitors, ownership, at } = changed;
  const count = await sql.run(
    `UPDATE channels SET name = COALESCE(?, name), sealed = COALESCE(?, sealed),
       fingerprint = COALESCE(?, fingerprint), rules = COALESCE(?, rules),
       owner = COALESCE(?, owner), labels = COALESCE(?, labels), updated_at = ?
     WHERE id = ?`,
    [
      name,
      secret?.sealed ?? null,
      secret?.fingerprint ?? null,
      rules === null ? null : JSON.stringify(rules),
      ownership?.owner ?? null,
      ownership === null ? null : JSON.stringify(ownership.labels),
      at,
      id,
    ],
  );
  if (count === 0) return false;
  if (secret !== null) await sql.run(asNew, [id]);
  if (monitors !== null) {
    await sql.run("DELETE FROM channel_monitors WHERE channel = ?", [id]);
    await attach(sql, id, monitors);
  }
  return true;
}

/** With another address or key, what was wrong with the one before says nothing. */
const asNew = `UPDATE lanes SET failures = 0, rest_until = 0, failing_since = NULL, failing_message = '', is_disabled = 0
  WHERE channel = ?`;

/** A monitor that was deleted meanwhile is left out. */
async function attach(sql: Sql, id: ChannelId, monitors: readonly MonitorId[]): Promise<void> {
  const there = await allAmong(sql, "SELECT id FROM monitors WHERE id IN (*)", [], monitors);
  await insertRows(
    sql,
    "INSERT INTO channel_monitors (channel, monitor)",
    there.map((row) => [id, integer(row, "id")]),
    "ON CONFLICT DO NOTHING",
  );
}

async function ofMonitors(
  sql: Sql,
  monitors: readonly MonitorId[],
): Promise<ReadonlyMap<MonitorId, readonly ChannelHead[]>> {
  const select = "SELECT channel, monitor FROM channel_monitors WHERE monitor IN (*)";
  const pairs = await allAmong(sql, select, [], monitors);
  const ids = [...new Set(pairs.map((row) => integer(row, "channel")))];
  const named = await allAmong(sql, "SELECT * FROM channels WHERE id IN (*)", [], ids);
  const ofAll = (await sql.all(forAllMonitors)).map(headOf);
  const byId = new Map(named.map((row) => [integer(row, "id"), headOf(row)]));
  const grouped = Map.groupBy(pairs, (row) => integer(row, "monitor"));
  const found = new Map<MonitorId, readonly ChannelHead[]>();
  for (const monitor of monitors) {
    const own = (grouped.get(monitor) ?? []).flatMap(
      (row) => byId.get(integer(row, "channel")) ?? [],
    );
    const all = [...new Map([...own, ...ofAll].map((one) => [one.id, one])).values()];
    if (all.length > 0)
      found.set(
        monitor,
        all.toSorted((a, b) => a.id - b.id),
      );
  }
  return found;
}

/** Its rules are text that we write: a quote inside a value has a backslash before it, so only the rule itself matches. */
const forAllMonitors = `SELECT * FROM channels WHERE rules LIKE '%"allMonitors":true%'`;

async function listed(
  sql: Sql,
  channels: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, readonly MonitorId[]>> {
  const select = "SELECT channel, monitor FROM channel_monitors WHERE channel IN (*)";
  const pairs = await allAmong(sql, select, [], channels);
  const grouped = Map.groupBy(pairs, (row) => channelId(integer(row, "channel")));
  return new Map(
    [...grouped].map(([channel, rows]) => [
      channel,
      rows.map((row) => monitorId(integer(row, "monitor"))).toSorted((a, b) => a - b),
    ]),
  );
}

async function channelsOf(sql: Sql, rows: readonly Row[]): Promise<readonly ChannelRow[]> {
  const heads = rows.map(headOf);
  const lists = await listed(
    sql,
    heads.filter(({ rules }) => !rules.allMonitors).map(({ id }) => id),
  );
  const all = heads.some(({ rules }) => rules.allMonitors)
    ? (await sql.all("SELECT id FROM monitors ORDER BY id")).map((row) =>
        monitorId(integer(row, "id")),
      )
    : [];
  return heads.map((head) => ({
    ...head,
    monitors: head.rules.allMonitors ? all : (lists.get(head.id) ?? []),
  }));
}

function headOf(row: Row): ChannelHead {
  const labels: Record<string, string> = JSON.parse(text(row, "labels"));
  // What was added to the rules since they were written is as a person who said nothing has it.
  const rules: ChannelRules = { ...rulesDefault, ...JSON.parse(text(row, "rules")) };
  return {
    id: channelId(integer(row, "id")),
    uid: text(row, "uid"),
    name: text(row, "name"),
    provider: providerOf(text(row, "provider")),
    sealed: text(row, "sealed"),
    fingerprint: text(row, "fingerprint"),
    rules,
    labels,
    owner: text(row, "owner"),
    createdAt: epochMillis(integer(row, "created_at")),
    updatedAt: epochMillis(integer(row, "updated_at")),
  };
}

function providerOf(word: string): Provider {
  const provider = providers.find((one) => one === word);
  if (provider === undefined) throw new TypeError(`the database has a channel of "${word}"`);
  return provider;
}
