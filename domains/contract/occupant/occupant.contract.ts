import { z } from "zod";
import { contactMobile, personName } from "../../../platform/kernel/texts/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { CERT_TYPES, GENDERS } from "../../customer/renter/words.rules.ts";
import { GENDERS as ROOM_GENDERS } from "../../listing/room/words.rules.ts";
import { MOST_LISTED } from "./list.rules.ts";

const occupants = callsAt("/contract/api/v3/occupant", "company");

export const occupantRow = z.object({
  id: f.id,
  contractId: f.id,
  roomId: f.id,
  name: f.person("姓名"),
  phone: f.phone("手机号"),
  certNo: f.certificateNo("证件号"),
  gender: f.status("性别", GENDERS).nullable(),
  relation: f.text("岗位或关系"),
  lockAccess: f.flag("门锁权限"),
  fromDate: f.day("入住"),
  toDate: f.day("离开").nullable(),
});

export const roomRow = z.object({
  contractId: f.id,
  contractNo: f.link("合同号"),
  villageName: f.text("门店"),
  roomId: f.id,
  roomName: f.room("房间"),
  gender: f.status("限制", ROOM_GENDERS),
  capacity: f.number("可住", { unit: "人" }),
  living: f.number("已住", { unit: "人" }),
  from: f.day("起"),
  to: f.day("止").nullable(),
  people: z.array(occupantRow),
});

export const companyRooms = occupants.get("", "企业房间与入住人", ["11.get", "113.get"], {
  query: z.object({ companyId: z.coerce.number().pipe(f.id) }),
  reply: z.array(roomRow),
});

/** The contract follows from the room and the day. */
const place = { roomId: f.pick("房间") };
const companyId = f.id;
const most = { msg: "一次最多处理50人", n: 50 };

export const newOccupant = z.object({
  ...place,
  name: f.checked("姓名", personName, { keepSpaces: true, max: 30 }),
  phone: f.checked("手机号", contactMobile, { kind: "phone", max: 11 }),
  certType: f.choice("证件类型", CERT_TYPES).default("idCard"),
  certNo: f.secret(f.input("证件号", 6, 18, "请输入完整证件号"), "certificate"),
  gender: f.choice("性别", GENDERS).nullish(),
  relation: f.remark("岗位或关系", 20).default(""),
  lockAccess: z.boolean().default(true).meta({ title: "门锁权限", kind: "flag" }),
});

/** Asked for when somebody who comes is on the black list. */
const blackListReason = f.reason("黑名单入住说明").optional();

export const addOccupants = occupants.post("", "新增入住人", "11.edit", {
  body: z.object({
    companyId,
    day: f.dayInput("入住日"),
    people: z.array(newOccupant).min(1, "请填写入住人").max(most.n, most.msg),
    blackListReason,
  }),
  reply: z.object({ made: z.number().int() }),
});

/** Each to their room, all on one day: two that change places are a swap. The contract and its bills stay as they are. */
export const moveOccupants = occupants.put("/move", "入住人换房", "11.edit", {
  body: z.object({
    companyId,
    day: f.dayInput("换房日"),
    moves: z
      .array(z.object({ id: f.id, ...place }))
      .min(1, "请选择入住人")
      .max(most.n, most.msg),
  }),
  reply: z.object({ moved: z.number().int() }),
});

export const leaveOccupants = occupants.put("/leave", "入住人搬离", "11.edit", {
  body: z.object({
    companyId,
    ids: f.ids().min(1, "请选择入住人").max(most.n, most.msg),
    lastDay: f.dayInput("最后一天"),
    reason: f.remark("原因", 100).default(""),
  }),
  reply: z.object({ left: z.number().int() }),
});

const contracts = callsAt("/contract/api/v3/contract", "contract");
/** Somebody who comes to live with a tenant whose contract is in force; its bills stay as they are. */
export const addHousemate = contracts.post("/:id/occupants", "登记同住人", "9.edit", {
  body: newOccupant.omit({ roomId: true }).extend({
    day: f.dayInput("入住日"),
    relation: f.remark("关系", 20).default(""),
    blackListReason,
  }),
  reply: z.object({ made: z.number().int() }),
});
export const leaveHousemate = contracts.put("/:id/occupants/leave", "同住人搬离", "9.edit", {
  body: z.object({
    occupantId: f.id,
    lastDay: f.dayInput("最后一天"),
    reason: f.remark("原因", 100).default(""),
  }),
  reply: z.object({ left: z.number().int() }),
});

const cell = f.worded("draft", z.string().max(100, "内容过长")).default("");
const listed = z.object({
  companyId,
  day: f.dayInput("生效日"),
  rows: z
    .array(z.object({ name: cell, phone: cell, certNo: f.secret(cell, "certificate"), room: cell }))
    .min(1, "请粘贴名单")
    .max(MOST_LISTED, `一次最多${MOST_LISTED}行`),
});

/** What a row of a list comes to. */
export const LISTED = {
  come: ["入住", "grey"],
  move: ["换房", "grey"],
  leave: ["搬离", "grey"],
  same: ["不变", "grey"],
} as const satisfies f.Words;

/** A dry run: what each row would do, or what is wrong with it, cell by cell. */
export const checkOccupantList = occupants.post("/list/check", "检查入住人名单", "11.import", {
  effect: "read",
  body: listed,
  reply: z.object({
    rows: z.array(
      z.object({
        row: f.number("行"),
        name: f.person("姓名"),
        becomes: f.status("结果", LISTED),
        before: f.text("原房间"),
        after: f.text("新房间"),
      }),
    ),
    errors: wrongCells,
  }),
});

export const applyOccupantList = occupants.post("/list", "按名单安排入住人", "11.import", {
  body: listed,
  reply: z.object({ changed: z.number().int() }),
});
