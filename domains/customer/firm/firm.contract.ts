import { z } from "zod";
import type { Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { freeText, noSpecialCharacters } from "../../../platform/kernel/texts/names.ts";
import { check, optional } from "../../../platform/kernel/validators.ts";
import { BLACK } from "../blacklist/blacklist.rules.ts";
import { tagList } from "../renter/renter.contract.ts";
import { CONTRACT_STATES, FIRM_TITLE, MERGEABLE, type FirmKind } from "./words.rules.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";

export const firmId = oneRecord;
export const words = <K extends string>(w: Record<K, unknown>) => Object.keys(w) as [K, ...K[]];
export const ARREARS_HELP = "应收日已过仍未收的金额，仅含有权限的门店";

/** Several words typed after one another in a filter: any of them. */
export const tagFilter = filter.by(
  z
    .string()
    .max(120)
    .transform((text) => text.split(",").filter(Boolean))
    .optional(),
  { kind: "choice", title: "标签", dic: ["customer", "tag"], many: true },
);

const number = z
  .string({ error: "请输入统一社会信用代码或证件号" })
  .trim()
  .min(6, "请输入完整号码")
  .max(18, "请输入完整号码");

/** Contacts and bank accounts are parts of the record, so they are named by their id. */
export const REVEALABLE = ["phone", "certNo", "contactPhone", "bankNumber"] as const;

/** Short names of people and things: the legal representative, the address. */
export const plainText = (title: string, max: number) =>
  f
    .remark(title, max)
    .superRefine(check(optional(noSpecialCharacters)))
    .default("");

export const firmContract = z.object({
  id: f.id,
  contractNo: f.link("合同编号"),
  state: f.status("状态", CONTRACT_STATES),
  villageName: f.text("门店"),
  roomNames: f.room("房间"),
  rooms: f.number("房间数"),
  startDate: f.day("起租日").nullable(),
  endDate: f.day("到期日").nullable(),
  monthlyRent: f.money("月租金"),
  overdue: f.money("欠费"),
});

/** A room of a firm; those who live in a company's rooms have a grid of their own. */
export const firmRoom = z.object({
  roomId: f.id,
  contractId: f.id,
  roomName: f.room("房间"),
  contractNo: f.text("合同编号"),
  area: f.number("面积", { unit: "㎡" }),
  monthlyRent: f.money("月租金"),
  endDate: f.day("到期日").nullable(),
});

/** What the rows of both lists end with. */
export const firmRow = {
  tags: z.array(z.string()).meta({ title: "标签", kind: "text" }),
  black: f.status("黑名单", BLACK),
  homeVillageName: f.text("登记门店"),
  createdAt: f.instant("登记时间"),
};

/** What is typed of both. */
export const firmTyped = {
  tags: tagList.default([]),
  homeVillageId: f.pick("登记门店"),
  remark: f
    .remark()
    .superRefine(check(optional(freeText)))
    .default(""),
};

/** What is known of both beside the row. */
export const firmDetail = {
  address: f.text("地址"),
  remark: f.text("备注"),
  homeVillageId: f.id,
  prepaid: f.money("预存款"),
  deposit: f.money("押金"),
  villages: z.array(z.object({ id: f.id, name: z.string() })),
  blackReason: f.text("黑名单原因").nullable(),
  mergedFrom: z.array(z.object({ id: f.id, name: z.string() })),
};

/** Calls that companies and merchants have alike; `code` is the page whose permits they need. */
export function firmCalls<K extends FirmKind>(kind: K, code: number) {
  const base = `/customer/api/v3/${kind}`;
  const firms = callsAt(base, kind);
  const title = FIRM_TITLE[kind];
  const may = (action: "add" | "edit" | "delete" | "get" | "query"): Permit => `${code}.${action}`;
  const merging = z.object({ keepId: f.id, goneId: f.id });
  return {
    kind,
    base,
    lookup: firms.post("/lookup", `按号码查找${title}`, [may("add"), may("edit")], {
      effect: "read",
      perMinute: 60,
      body: z.object({ number }),
      reply: z.object({
        found: z.enum(["none", "here", "elsewhere"]),
        id: f.id.nullable(),
        maskedName: z.string().nullable(),
      }),
    }),
    link: firms.post("/:id/link", `关联${title}到门店`, may("add"), {
      body: z.object({ villageId: f.pick("门店"), number }),
      reply: z.object({ id: f.id }),
    }),
    reveal: firms.post("/:id/reveal", `查看${title}完整信息`, `#${code}01` as Permit, {
      body: z.object({
        field: z.enum(REVEALABLE),
        partId: f.id.optional(),
        reason: f.reason("查看原因"),
      }),
      reply: z.object({ value: f.wholeNumber("完整号码") }),
    }),
    remove: firms.delete("/:id", `删除${title}`, may("delete"), {
      query: z.object({ version: f.versionInQuery }),
      reply: z.null(),
    }),
    summary: firms.get("/:id/summary", `${title}概要`, may("get"), {
      target: kind,
      reply: z.object({
        received: f.money("累计实收"),
        overdueBills: f.number("逾期账单"),
        contracts: z.array(firmContract),
        rooms: z.array(firmRoom),
      }),
    }),
    /** What a merge would do: whatever stands in its way, and what comes along. */
    mergePreview: firms.post("/merge/preview", `预览合并${title}`, "#1602", {
      effect: "read",
      body: merging,
      reply: z.object({
        refusal: z.string().nullable(),
        contracts: f.number("合同"),
        bills: f.number("账单"),
        flows: f.number("流水"),
        contacts: f.number("联系人"),
        titles: f.number("发票抬头"),
        accounts: f.number("银行账户"),
        papers: f.number("附件"),
      }),
    }),
    merge: firms.post("/merge", `合并${title}`, "#1602", {
      body: merging.extend({
        keepVersion: f.version,
        goneVersion: f.version,
        /** Fields whose value comes from the record that goes. */
        take: f.some(words(MERGEABLE)).default([]),
        reason: f.reason("合并原因"),
      }),
      reply: z.object({ id: f.id }),
    }),
  };
}
export type FirmCalls = ReturnType<typeof firmCalls>;
