import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";
import { CONDITIONS, METERS, SHEET_KINDS } from "./inspection.rules.ts";

const contract = callsAt("/contract/api/v3/contract/:id", "contract");
/** Whoever looks at the contract, and whoever settles it or moves its tenant. */
const READS = [...ofAnyKind("get"), "72.get", "96.get"] as const;

const reading = (title: string) =>
  f
    .token(12, `请输入${title}`)
    .regex(/^\d{1,8}(\.\d{1,2})?$/, "读数最多两位小数")
    .meta({ title, kind: "text", decimal: true, max: 12, wording: "program" });
const photos = f.ids().max(9, "照片最多9张").default([]).meta({ title: "照片", kind: "file" });

const item = z.object({
  assetId: f.id.nullish().transform((id) => id ?? null),
  name: f.input("物品", 1, 30),
  quantity: f.whole("数量", 1, 1000),
  condition: f.choice("状态", CONDITIONS),
  /** Left out: of the list. */
  price: f.amount("赔偿价", 0).nullish(),
  reason: f.remark("说明", 50).default(""),
  fileIds: photos,
});
const meter = z.object({
  kind: f.choice("类型", METERS),
  meterNo: f.input("表号", 1, 30),
  start: reading("起始读数").nullish(),
  reading: reading("读数"),
  price: f.amount("单价").nullish(),
  fileIds: photos,
});

const typed = z.object({
  doneOn: f.dayInput("日期"),
  items: z
    .array(item)
    .max(100, "物品最多100项")
    .refine(
      f.distinct<{ name: string }>((i) => i.name),
      "物品不能重复",
    )
    .default([]),
  readings: z
    .array(meter)
    .max(10, "读数最多10项")
    .refine(
      f.distinct<{ meterNo: string }>((r) => r.meterNo),
      "表号不能重复",
    )
    .default([]),
  keys: f.whole("钥匙", 0, 99, { unit: "把" }).default(0),
  cards: f.whole("门卡", 0, 99, { unit: "张" }).default(0),
  /** Of moving out: for each that does not come back. */
  keyPrice: f.amount("钥匙赔偿价", 0).nullish(),
  cardPrice: f.amount("门卡赔偿价", 0).nullish(),
  note: f.remark("备注").default(""),
});

/** One sheet of a room, made by its first saving; what is drawn is the party's signature on just this. */
export const saveSheet = contract.put(
  "/sheet",
  "登记交接单",
  [...ofAnyKind("edit"), "72.edit", "96.edit", "#1108"],
  {
    body: typed.extend({
      kind: f.choice("类型", SHEET_KINDS),
      roomId: f.pick("房间"),
      /** A PNG as base64. */
      signature: f
        .worded("program", f.secret(z.string().max(400_000, "签名图片过大，请清除后重写")))
        .optional(),
      scanIds: f.ids().max(9, "最多9个文件").default([]).meta({ title: "签字扫描件", kind: "file" }),
      version: f.versionOrNone,
    }),
    reply: z.object({ id: f.id, version: f.version }),
  },
);

const file = z.object({ id: f.id, name: z.string(), type: z.string() });
const shownItem = z.object({
  assetId: f.id.nullable(),
  name: f.text("物品"),
  quantity: f.number("数量"),
  condition: f.status("状态", CONDITIONS),
  listPrice: f.money("清单价").nullable(),
  price: f.money("赔偿价"),
  reason: f.text("说明"),
  fileIds: z.array(f.id),
});
const shownReading = z.object({
  kind: f.status("类型", METERS),
  meterNo: f.text("表号"),
  start: f.text("起始读数").nullable(),
  reading: f.text("读数"),
  price: f.money("单价").nullable(),
  fileIds: z.array(f.id),
});
const sheet = z.object({
  id: f.id,
  roomId: f.id,
  roomName: f.room("房间"),
  kind: f.status("类型", SHEET_KINDS),
  doneOn: f.day("日期"),
  items: z.array(shownItem),
  readings: z.array(shownReading),
  keys: f.number("钥匙", { unit: "把" }),
  cards: f.number("门卡", { unit: "张" }),
  keyPrice: f.money("钥匙赔偿价").nullable(),
  cardPrice: f.money("门卡赔偿价").nullable(),
  note: f.text("备注"),
  signed: f.flag("租客签字"),
  scans: z.array(file),
  operatorName: f.person("办理人"),
  version: f.version,
});
export type Sheet = z.input<typeof sheet>;

/** The sheets of a contract, moving in before moving out, with the rooms that they may be of. */
export const listSheets = contract.get("/sheets", "交接单", READS, {
  reply: z.object({
    rooms: z.array(z.object({ roomId: f.id, name: f.room("房间") })),
    sheets: z.array(sheet),
  }),
});

/** What the sheet of a room starts from: what was handed over, else what stands in the room, and what its meters read last. */
export const startSheet = contract.get("/sheetStart", "交接单的物品与读数", READS, {
  query: z.object({
    roomId: z.coerce.number().pipe(f.id),
    kind: z.enum(["in", "out"]),
  }),
  reply: z.object({ items: z.array(shownItem), readings: z.array(shownReading) }),
});

/** The sheet as PDF, to be signed and kept. */
export const sheetFile = contract.get("/sheet/:sheetId/file", "打印交接单", READS, {
  params: z.object({ id: z.coerce.number().pipe(f.id), sheetId: z.coerce.number().pipe(f.id) }),
  timeout: 60_000,
  perMinute: 120,
});
