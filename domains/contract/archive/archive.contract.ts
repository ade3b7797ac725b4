import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { CONTRACT_KINDS } from "../terms/kind.rules.ts";
import {
  ARCHIVE_STATES,
  CONDITIONS,
  DOC_KINDS,
  HASH_STATES,
  LONGEST_EXTENSION,
  MEDIA,
  TAB_WORDS,
  TABS,
  USUAL_YEARS,
} from "./archive.rules.ts";

const ARCHIVE = "/contract/api/v3/archive";
const archives = callsAt(ARCHIVE, "archive");

/** Signed contracts of the stores in scope, to be archived by hand. */
export const archiveContracts = archives.get("/contracts", "可归档的合同", ["226.query", "226.add"], {
  query: z.object({ keyword: z.string().trim().max(50).optional(), ids: idList }),
  reply: z.array(
    z.object({
      id: f.id,
      contractNo: f.text("合同号"),
      partyName: f.text("客户"),
      roomNames: f.room("房间"),
    }),
  ),
});

/** Signed contracts, to filter by and to choose from. */
export const SIGNED_CONTRACTS: filter.Source = {
  call: archiveContracts,
  option: (c: { id: number; contractNo: string; partyName: string; roomNames: string }) => ({
    value: c.id,
    label: `${c.contractNo} ${c.partyName}`,
    note: roomLabel(c.roomNames),
  }),
};

const row = z.object({
  id: f.id,
  archiveNo: f.link("档案号"),
  contractId: f.id,
  contractNo: f.link("合同号"),
  contractKind: z.enum(CONTRACT_KINDS),
  villageId: f.id,
  villageName: f.text("门店"),
  docKind: f.status("文件", DOC_KINDS),
  partyName: f.text("客户"),
  roomNames: f.room("房间"),
  medium: f.status("介质", MEDIA),
  copies: f.number("份数", { unit: "份" }),
  warehouse: f.text("仓库"),
  cabinet: f.text("柜"),
  shelf: f.text("层"),
  box: f.text("盒"),
  place: f.text("库位"),
  archivedOn: f.day("归档日").nullable(),
  archivedBy: f.person("归档人"),
  borrowerName: f.person("借阅人"),
  lentOn: f.day("借出日").nullable(),
  dueOn: f.day("应还日").nullable(),
  hashState: f.status("验签", HASH_STATES),
  retentionUntil: f.day("保管至").nullable(),
  state: f.status("状态", ARCHIVE_STATES),
  hasFile: z.boolean(),
  extended: z.boolean(),
  /** A loan waits for its approval. */
  frozen: z.boolean(),
  today: z.string(),
  version: f.version,
});

const filed = { kind: "days", title: "归档日", from: "from", to: "to" } as const;
const due = { kind: "days", title: "应还日", from: "dueFrom", to: "dueTo" } as const;
const archiveFilter = z.object({
  villageIds: filter.villages(),
  tab: filter.tab(z.enum(TABS).optional(), TAB_WORDS),
  keyword: filter.keyword("档案号、合同号、客户、房间"),
  medium: filter.choice("介质", MEDIA),
  docKind: filter.choices("文件类型", DOC_KINDS),
  from: filter.by(f.dayInput("归档日起").optional(), filed),
  to: filter.by(f.dayInput("归档日止").optional(), filed),
  /** By its beginning: A-03 is every shelf of cabinet 03 in A. */
  place: filter.by(z.string().trim().max(83).optional(), { kind: "text", title: "库位" }),
  borrowerId: filter.record("借阅人", PEOPLE),
  dueFrom: filter.by(f.dayInput("应还日起").optional(), due),
  dueTo: filter.by(f.dayInput("应还日止").optional(), due),
  contractId: filter.record("合同", SIGNED_CONTRACTS),
});

export const listArchives = call({
  method: "GET",
  path: ARCHIVE,
  summary: "归档列表",
  needs: "226.query",
  query: pageQuery("archiveNo", "archivedOn", "retentionUntil").extend(archiveFilter.shape),
  reply: pageReply(
    row,
    z.object({ copies: f.number("份数"), lent: f.number("借出"), overdue: f.number("逾期") }),
  ),
});

export const countArchives = call({
  method: "GET",
  path: `${ARCHIVE}/counts`,
  summary: "归档各分类数量",
  needs: "226.query",
  query: archiveFilter.omit({ tab: true }),
  reply: z.record(z.string(), z.number()),
});

export const exportArchives = exportOf({
  type: "archive",
  title: "归档",
  needs: "226.export",
  list: listArchives,
});

/** How full each shelf is, of those that hold something. */
export const shelfGrid = call({
  method: "GET",
  path: `${ARCHIVE}/shelf`,
  summary: "库位分布",
  needs: "226.query",
  query: z.object({ villageIds: idList }),
  reply: z.array(
    z.object({
      warehouse: f.text("仓库"),
      cabinet: f.text("柜"),
      shelf: f.text("层"),
      place: f.text("库位"),
      count: f.number("件数"),
      lent: f.number("借出"),
    }),
  ),
});

const loan = z.object({
  id: f.id,
  borrowerName: f.person("借阅人"),
  purpose: f.text("用途"),
  lentOn: f.day("借出日"),
  dueOn: f.day("应还日"),
  returnedOn: f.day("归还日").nullable(),
  condition: f.status("品相", { ...CONDITIONS, lost: ["遗失", "red"] }).nullable(),
  note: f.text("说明"),
  lentBy: f.person("经办人"),
});

export const getArchive = archives.get("/:id", "归档详情", "226.get", {
  reply: row.extend({
    reason: f.text("遗失/销毁原因"),
    hashCheckedAt: f.instant("验签时间").nullable(),
    fileName: f.text("文件名").nullable(),
    fileHash: f.text("签署时 SHA-256").nullable(),
    loans: z.array(loan).max(50),
  }),
});

const part = (title: string) => f.remark(title, 20).default("");
const location = {
  warehouse: f.input("仓库", 1, 20, "请输入仓库"),
  cabinet: part("柜"),
  shelf: part("层"),
  box: part("盒"),
};
const kept = {
  copies: f.whole("份数", 1, 9, { unit: "份" }).default(1),
  ...location,
  keepYears: f.whole("保管年限", 1, 30, { unit: "年" }).default(USUAL_YEARS),
};
const scan = f.id.nullish().meta({ title: "扫描件", kind: "file" });

/** An original that no signing brought, such as that of a contract taken over; it is on its shelf at once. */
export const addArchive = archives.post("", "新增归档", "226.add", {
  body: z.object({
    contractId: f.pick("合同"),
    docKind: f.choice("文件类型", DOC_KINDS),
    medium: f.choice("介质", MEDIA).default("paper"),
    copies: kept.copies,
    warehouse: f.remark("仓库", 20).default(""),
    cabinet: location.cabinet,
    shelf: location.shelf,
    box: location.box,
    keepYears: kept.keepYears,
    fileId: scan,
  }),
  reply: z.object({ id: f.id, archiveNo: z.string() }),
});

/** Puts originals that wait for it onto one shelf: all of them or none. */
export const storeArchives = archives.post("/store", "归档", "226.add", {
  body: z.object({
    ids: f.ids().min(1, "请选择档案").max(200, "一次最多处理200件"),
    ...kept,
    fileId: scan,
  }),
  reply: z.object({ done: z.number().int() }),
});

const seen = z.object({ version: f.version });
const reply = z.null();

export const moveArchive = archives.put("/:id", "改库位", "226.edit", { body: seen.extend(location), reply });

export const lendArchive = archives.post("/:id/lend", "借出归档件", "#22601", {
  body: seen.extend({
    borrowerId: f.pick("借阅人"),
    purpose: f.input("用途", 2, 200, "用途长度为2到200个字"),
    lentOn: f.dayInput("借出日"),
    dueOn: f.dayInput("应还日"),
  }),
  reply: z.object({ waiting: z.string().nullable() }),
});
export const returnArchive = archives.post("/:id/return", "归还归档件", "#22602", {
  body: seen
    .extend({
      returnedOn: f.dayInput("归还日"),
      condition: f.choice("品相", CONDITIONS),
      note: f.remark("说明").default(""),
    })
    .superRefine(({ condition, note }, ctx) => {
      if (condition !== "good" && !note)
        ctx.addIssue({ code: "custom", path: ["note"], message: "请填写破损情况" });
    }),
  reply,
});
export const extendLoan = archives.post("/:id/extend", "续借归档件", "#22601", {
  body: seen.extend({
    dueOn: f
      .dayInput("应还日")
      .meta({ help: `只能续借一次，最多${LONGEST_EXTENSION}天`, title: "应还日", kind: "day" }),
  }),
  reply,
});
export const loseArchive = archives.post("/:id/lost", "登记归档件遗失", "226.edit", {
  body: seen.extend({ reason: f.reason() }),
  reply,
});
export const destroyArchive = archives.post("/:id/destroy", "销毁归档件", "#22603", {
  body: seen.extend({ reason: f.reason() }),
  reply,
});

/** Reads the kept bytes and computes their hash anew. */
export const verifyArchive = archives.post("/:id/verify", "验签", "226.get", {
  reply: z.object({
    same: f.flag("未改动"),
    said: f.text("结果"),
    kept: f.text("签署时 SHA-256"),
    found: f.text("当前 SHA-256"),
  }),
});

/** The file with its reader's name across it. Every look is written down. */
export const archiveFile = archives.get("/:id/file", "查看归档文件", "226.get", {
  effect: "write",
  target: "archive",
  timeout: 300_000,
  perMinute: 60,
});

export const lendSlip = archives.get("/:id/slip", "打印借条", "226.get", { timeout: 120_000, perMinute: 60 });

/** Labels to be stuck onto originals; each code opens its record. */
export const archiveLabels = call({
  method: "POST",
  path: `${ARCHIVE}/labels`,
  summary: "打印档案标签",
  needs: "226.query",
  effect: "read",
  timeout: 120_000,
  perMinute: 30,
  body: z.object({
    ids: f.ids().min(1, "请选择档案").max(200, "一次最多处理200件"),
    origin: z
      .string()
      .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]{1,200}$/, "访问地址格式不正确")
      .optional(),
  }),
});
