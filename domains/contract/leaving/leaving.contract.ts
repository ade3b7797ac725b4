import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { event } from "../../../platform/kernel/event.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { CONTRACT_KINDS, PARTY_WORDS } from "../terms/kind.rules.ts";
import { previewHash } from "../act/act.contract.ts";
import { settleDraft } from "../settlement/settlement.contract.ts";

const settlements = callsAt("/contract/api/v3/settlement", "settlement");

const expiredRow = z.object({
  /** Of the contract. */
  id: f.id,
  contractNo: f.link("合同号"),
  contractKind: z.enum(CONTRACT_KINDS),
  villageName: f.text("门店"),
  roomId: f.id,
  roomNames: f.room("房间"),
  partyId: f.id,
  partyName: f.person("租客"),
  start: f.day("起租日"),
  end: f.day("到期日"),
  daysOver: f.number("已超", { unit: "天" }),
  depositHeld: f.money("押金在管"),
  overdue: f.money("欠费"),
  keeperName: f.person("管家"),
});
export type ExpiredRow = z.output<typeof expiredRow>;

/** 到期未结账: the term is over, and nobody settles, renews or changes the contract. */
export const listExpired = settlements.get("/expired", "到期未结账列表", "72.query", {
  query: pageQuery("end", "overdue").extend({
    villageIds: filter.villages(),
    kind: filter.choice("合同类型", PARTY_WORDS),
    ...filter.between("endFrom", "endTo", f.dayInput("到期日").optional(), { kind: "days", title: "到期日" }),
    keyword: filter.keyword("合同号、租客、手机号、房间"),
  }),
  reply: pageReply(expiredRow, z.object({ depositHeld: f.money("押金在管"), overdue: f.money("欠费") })),
});

/** So many at once. */
export const MOST = 300;
const few = <S extends z.ZodType>(each: S) =>
  z.array(each).min(1, "请选择").max(MOST, `一次最多办理${MOST}份`);

/** Contracts of a store that could be left, for a batch. */
export const leavable = settlements.get("/leavable", "可批量退房的合同", "72.add", {
  query: z.object({
    villageId: z.coerce.number().pipe(f.pick("门店")),
    buildingId: z.coerce.number().pipe(f.id).optional(),
    endBefore: f.dayInput("到期日不晚于").optional(),
  }),
  reply: z.object({
    total: z.number().int(),
    list: z.array(
      z.object({
        id: f.id,
        contractNo: f.text("合同号"),
        roomNames: f.room("房间"),
        partyName: f.person("租客"),
        start: f.day("起租日"),
        end: f.day("到期日"),
      }),
    ),
  }),
});

const batch = callsAt("/contract/api/v3/settlementBatch", "settlementBatch");
const started = z.object({ id: f.id });

/** One day and one reason for all; each is asked for by itself. */
export const askMany = batch.post("", "批量新增退房申请", "72.add", {
  body: z.object({
    contractIds: few(f.id),
    ...settleDraft.pick({ effectiveOn: true, endReason: true, noticeOn: true, reason: true }).shape,
  }),
  reply: started,
});
export type AskMany = z.output<typeof askMany.body>;

/** What many settlements come to now, each with what stands in the way of its confirmation. */
export const previewMany = batch.post("/preview", "批量试算退房", "#7202", {
  effect: "read",
  timeout: 120_000,
  body: z.object({ ids: few(f.id) }),
  reply: z.array(
    z.object({
      id: f.id,
      version: f.version,
      actNo: f.text("申请单号"),
      contractNo: f.text("合同号"),
      partyName: f.person("租客"),
      net: f.money("结算结果"),
      previewHash: z.string(),
      /** What should be known before: what the sheet found and nobody is charged, for one. */
      warnings: f.text("提醒"),
      why: f.text("不能确认的原因"),
    }),
  ),
});

export const confirmMany = batch.post("/confirm", "批量确认退房结算", "#7202", {
  money: true,
  body: z.object({ rows: few(z.object({ id: f.id, version: f.version, previewHash })) }),
  reply: started,
});

export const BATCH_STATES = {
  running: ["办理中", "blue"],
  done: ["已完成", "green"],
} as const satisfies f.Words;
export const ROW_STATES = {
  waiting: ["等待", "grey"],
  done: ["已办理", "green"],
  refused: ["未办理", "red"],
} as const satisfies f.Words;

export const BATCH_KINDS = {
  ask: ["批量退房", "grey"],
  confirm: ["批量确认", "grey"],
} as const satisfies f.Words;

/** The last batches of whoever asks, the newest first. */
export const leavingBatches = batch.get("", "批量退房记录", ["72.add", "#7202"], {
  reply: z.array(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      kind: f.status("类型", BATCH_KINDS),
      state: f.status("状态", BATCH_STATES),
      total: f.number("份数"),
      done: f.number("已办理"),
      refused: f.number("未办理"),
    }),
  ),
});

/** How far a batch is, and what became of each; for whoever started it. */
export const leavingBatch = batch.get("/:id", "批量退房结果", ["72.add", "#7202"], {
  reply: z.object({
    id: f.id,
    state: f.status("状态", BATCH_STATES),
    percent: f.progress("进度"),
    rows: z.array(
      z.object({
        contractNo: f.text("合同号"),
        roomNames: f.room("房间"),
        partyName: f.person("租客"),
        actId: f.id.nullable(),
        actNo: f.text("申请单号"),
        state: f.status("结果", ROW_STATES),
        said: f.text("说明"),
      }),
    ),
  }),
});

/** 指派处理人, of one or many. */
export const assignHandler = settlements.put("/handler", "指派处理人", "72.edit", {
  body: z.object({ ids: few(f.id), handlerId: f.pick("处理人") }),
  reply: z.object({ changed: z.number().int() }),
});

export const leavingsStarted = event("contract.leavingsStarted", z.object({ id: f.id }));
