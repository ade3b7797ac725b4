import { sql } from "kysely";
import type { z } from "zod";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { roomChanged } from "../occupancy/occupancy.contract.ts";
import { layoutText } from "../room/words.rules.ts";
import { ADAPTERS_BY_NAME, aroundOf, feedUrl, feel, noteEvent, spoken } from "./send.service.ts";
import * as calls from "./channel.contract.ts";
import { exportEvents } from "./channel.contract.ts";
import { channelOf, channelSeen, mineOnly, enquiryList, events } from "./channel.queries.ts";
import { changeChannel, newSecret, noteChannel, rowOf, withdrawAll } from "./channel.service.ts";
import type { AdapterName, MappedKind } from "./adapter.rules.ts";

const onlineOf = async (read: Read, id: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) n from listing where channel_id = ${id} and sent_hash is not null`.execute(read.tx);
  return rows[0]!.n;
};

/** What rooms of some villages are made of, for the names that a channel gives them. */
async function wordsOf(read: Read, villageIds: readonly number[]) {
  const villages = villagesOf(read.who, villageIds);
  const { rows } = await sql<{
    villages: { key: string; name: string }[];
    layouts: { bedrooms: number; halls: number; baths: number }[];
    orientations: string[];
    facilities: string[];
  }>`
    with r as (select r.facilities, coalesce(nullif(r.orientation, ''), a.orientation) orientation, a.bedrooms, a.halls, a.baths
      from room r join apartment a on a.id = r.apartment_id
      where r.village_id = ${anyOf(villages)} and not_retired(r.retired_day, ${read.today}))
    select (select coalesce(json_agg(json_build_object('key', id::text, 'name', name) order by id), '[]') from village
        where id = ${anyOf(villages)}) villages,
      (select coalesce(json_agg(x), '[]') from (select distinct bedrooms, halls, baths from r order by 1, 2, 3) x) layouts,
      (select coalesce(json_agg(x.o order by x.o), '[]') from (select distinct orientation o from r where orientation <> '') x) orientations,
      (select coalesce(json_agg(x.f order by x.f), '[]') from (select distinct unnest(facilities) f from r) x) facilities`.execute(
    read.tx,
  );
  const found = rows[0]!;
  const named = (names: readonly string[]) => names.map((name) => ({ key: name, name }));
  return {
    village: found.villages,
    layout: named([...new Set(found.layouts.map(layoutText))].filter(Boolean)),
    orientation: named(found.orientations),
    facility: named(found.facilities),
  } satisfies Record<MappedKind, { key: string; name: string }[]>;
}

export default [
  serveRead(calls.channels, async (read) => {
    const { rows } = await sql<z.input<typeof calls.channelCard>>`
      select c.id, c.name, c.adapter, case when c.enabled then 'enabled' else 'disabled' end state, c.health,
        (select string_agg(v.name, '、' order by v.id) from village v where v.id = any(c.village_ids)) "villageNames",
        coalesce(n.online, 0) online, coalesce(n.waiting, 0) waiting, coalesce(n.failed, 0) failed,
        (select count(*) from listing_event e where e.channel_id = c.id and not e.ok
          and e.at > ${read.now.toISOString()}::timestamptz - interval '24 hours') errors,
        c.last_run_at "lastRunAt", c.last_error "lastError", c.version
      from channel c left join lateral (
        select count(*) filter (where state = 'online') online,
          count(*) filter (where state in ('queued', 'withdrawing')) waiting,
          count(*) filter (where state = 'failed') failed
        from listing l
        where l.channel_id = c.id and l.state in ('online', 'queued', 'withdrawing', 'failed')) n on true
      where ${mineOnly(read)} order by c.enabled desc, c.id`.execute(read.tx);
    return { list: rows, total: rows.length };
  }),

  serveRead(calls.channelOptions, async (read) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from channel where village_ids && ${read.who.villages as number[]}::bigint[] order by id`.execute(
      read.tx,
    );
    return rows;
  }),

  serveRead(calls.channel, async (read, { params }) => {
    const row = await channelSeen(read, params.id);
    const channel = channelOf(read, row);
    const edits = read.who.permits.has("67.edit");
    const isFeed = channel.adapter === "feed";
    return {
      ...channel,
      ...channel.rule,
      kinds: row.kinds as never,
      productIds: row.productIds,
      state: channel.enabled ? ("enabled" as const) : ("disabled" as const),
      online: await onlineOf(read, row.id),
      jsonUrl: edits && isFeed ? feedUrl(read, channel.secret, "json") : null,
      xmlUrl: edits && isFeed ? feedUrl(read, channel.secret, "xml") : null,
      signingKey: edits && !isFeed ? channel.secret : null,
    };
  }),

  serveRead(calls.channelWords, (read, { body }) => wordsOf(read, body.villageIds)),

  serve(calls.addChannel, async (act, { body }) => {
    const by = act.who.operatorId;
    const row = await rowOf(act, body);
    const { id } = await act.tx
      .insertInto("channel")
      .values({ ...row, ...newSecret(act), createdBy: by, updatedBy: by })
      .returning("id")
      .executeTakeFirstOrThrow();
    await noteChannel(act, { id, ...row }, "新增", `新增渠道 ${row.name}`);
    await act.emit(roomChanged, { channelId: id });
    return { id };
  }),

  serve(calls.editChannel, async (act, { params, body }) => {
    const before = await channelSeen(act, params.id, { lock: true });
    const { version, ...given } = body;
    if (given.adapter !== before.adapter && (await onlineOf(act, before.id)))
      throw new Refusal("notAllowed", "还有房源在架，请先停用并下架后再更换对接方式");
    await changeChannel(act, before, version, await rowOf(act, given), "编辑");
    return { id: before.id };
  }),

  serve(calls.enableChannel, async (act, { params, body }) => {
    const row = await channelSeen(act, params.id, { lock: true });
    if (row.enabled) throw new Refusal("notAllowed", "渠道已启用");
    await changeChannel(act, row, body.version, { enabled: true }, "启用");
    return { id: row.id };
  }),

  serve(calls.disableChannel, async (act, { params, body }) => {
    const row = await channelSeen(act, params.id, { lock: true });
    if (!row.enabled) throw new Refusal("notAllowed", "渠道已停用");
    const { direct } = ADAPTERS_BY_NAME[row.adapter as AdapterName];
    const gone = body.withdraw ? await withdrawAll(act, row.id, direct) : 0;
    const said = `停用 ${row.name}${body.withdraw ? `，同时下架 ${gone} 套房源` : ""}`;
    await changeChannel(act, row, body.version, { enabled: false }, "停用", said);
    return { id: row.id };
  }),

  serve(calls.deleteChannel, async (act, { params, query }) => {
    const row = await channelSeen(act, params.id, { lock: true });
    asSeen(row, query.version);
    const online = await onlineOf(act, row.id);
    if (online) throw new Refusal("inUse", `还有 ${online} 套房源在架，请先停用并下架`);
    if (row.enabled) throw new Refusal("notAllowed", "请先停用渠道");
    const { n } = await act.tx
      .selectFrom("channelEnquiry")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("channelId", "=", row.id)
      .executeTakeFirstOrThrow();
    if (n) throw new Refusal("inUse", `该渠道有 ${n} 条咨询，不能删除，可保持停用`);
    await act.tx.deleteFrom("channel").where("id", "=", row.id).execute();
    await noteChannel(act, row, "删除", `删除渠道 ${row.name}`);
    return null;
  }),

  serve(calls.testChannel, async (act, { params }) => {
    const channel = channelOf(act, await channelSeen(act, params.id));
    const began = performance.now();
    const outcome = await spoken(() => ADAPTERS_BY_NAME[channel.adapter].check(channel, aroundOf(act)));
    const millis = Math.round(performance.now() - began);
    await noteEvent(act, { channelId: channel.id, act: "check", outcome, millis });
    await feel(act, channel, outcome.ok ? 0 : 1, 1, outcome.answer.slice(0, 200));
    return { ok: outcome.ok, answer: outcome.answer.slice(0, 500), millis };
  }),

  serve(calls.rotateChannel, async (act, { params, body }) => {
    const row = await channelSeen(act, params.id, { lock: true });
    await changeChannel(act, row, body.version, newSecret(act), "轮换密钥");
    return { id: row.id };
  }),
  exportList(exportEvents),
  serveList(events),
  serveList(enquiryList),
];
