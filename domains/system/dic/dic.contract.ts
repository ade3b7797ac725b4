import { z } from "zod";
import type { Permit } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { checked } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { noSpecialCharacters } from "../../../platform/kernel/texts/names.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import {
  all,
  lengthBetween,
  optional,
  plainSerialNumber,
  required,
} from "../../../platform/kernel/validators.ts";
import { wholeImportCalls } from "../import/import.contract.ts";
import { DIC_COLOURS, DIC_STATE, type DicKind, FACILITY_ICONS, groupsOf } from "./dic.rules.ts";

// without defaults: an edit that leaves a field out, such as a switch, leaves it as it is
const fields = {
  name: checked(
    "名称",
    all(required("请输入名称"), lengthBetween(1, 20, "名称长度为1到20个字"), noSpecialCharacters),
    { max: 20 },
  ),
  colour: f.choice("颜色", DIC_COLOURS),
  hint: f.remark("提示", 50),
  photo: z.boolean().meta({ title: "须拍照", kind: "flag" }),
  villageIds: z.array(f.id).max(500).meta({ title: "限门店", kind: "text" }),
  icon: f
    .choice("图标", FACILITY_ICONS)
    .or(z.literal(""))
    .meta({ title: "图标", kind: "status", words: FACILITY_ICONS }),
};
/** Left empty it is given; fixed once a record uses the word. */
const wordCode = checked("编码", optional(all(lengthBetween(1, 20, "编码最多20位"), plainSerialNumber)), {
  max: 20,
});
const fresh = {
  ...fields,
  code: wordCode.default(""),
  colour: fields.colour.default("grey"),
  hint: fields.hint.default(""),
  photo: fields.photo.default(false),
  villageIds: fields.villageIds.default([]),
  icon: fields.icon.default(""),
};

export const dicItem = z.object({
  id: f.id,
  group: z.string(),
  name: f.text("名称"),
  code: f.text("编码"),
  colour: f.status("颜色", DIC_COLOURS),
  hint: f.text("提示"),
  photo: f.flag("须拍照"),
  villageIds: z.array(f.id).meta({ title: "限门店", kind: "text" }),
  icon: f.text("图标"),
  /** In how many records it stands; counted for lists that ask for it. */
  uses: f.number("使用次数").nullable(),
  /** The same by the table of the records. */
  usedIn: z.record(z.string(), z.number()),
  /** Channels that call it otherwise outside; null where none can. */
  mapped: f.number("渠道映射", { help: "为这一项设置了对外名称的发布渠道" }).nullable(),
  sort: f.number("排序"),
  state: f.status("状态", DIC_STATE),
  builtIn: f.flag("系统内置"),
  updaterName: f.person("更新人"),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});

/** The calls of one dictionary; `code` is the page whose actions change it. Who is signed in may read the words. */
export function dicCalls<K extends DicKind>(kind: K, code: number, title: string) {
  const base = `/system/api/v3/dic/${kind}`;
  const entries = callsAt(base, "dicItem");
  const group = z.enum(Object.keys(groupsOf(kind)) as [string, ...string[]], { error: "请选择分组" });
  const may = (action: "add" | "edit" | "delete" | "export"): Permit => `${code}.${action}`;
  const query = pageQuery("sort", "name", "updatedAt").extend({
    group: filter.by(group.optional(), {
      kind: "choice",
      title: "分组",
      words: f.plainWords(
        Object.fromEntries(Object.entries(groupsOf(kind)).map(([key, { title: said }]) => [key, said])),
      ),
    }),
    state: filter.choice("状态", DIC_STATE),
    keyword: filter.keyword("名称、编码"),
    uses: z.literal("1").optional(),
  });
  const list = entries.get("/list", title, "login", { query, reply: pageReply(dicItem) });
  return {
    kind,
    code,
    list,
    counts: entries.get("/counts", `${title}各组数量`, "login", {
      query: query.pick({ state: true, keyword: true }),
      reply: z.record(z.string(), z.number()),
    }),
    add: entries.post("/add", `新增${title}项`, may("add"), {
      beyondVillages: true,
      body: z.object({ group, ...fresh }),
      reply: z.object({ id: f.id }),
    }),
    edit: entries.put(
      "/:id",
      `修改${title}项`,
      [`${code}.edit`, `${code}.enable`, `${code}.disable`] as const,
      {
        beyondVillages: true,
        body: z
          .object({ ...fields, code: wordCode, enabled: z.boolean().optional(), version: f.version })
          .partial()
          .required({ version: true }),
        reply: z.null(),
      },
    ),
    remove: entries.delete("/:id", `删除${title}项`, may("delete"), { reply: z.null() }),
    /** The whole order of a group, as it was seen; stale when somebody else has changed it meanwhile. */
    order: entries.put("/order", `${title}排序`, may("edit"), {
      body: z.object({ group, was: z.array(f.id).max(1000), ids: z.array(f.id).max(1000) }),
      reply: z.null(),
    }),
    /** Moves every use to another word of the group and removes this one. */
    merge: entries.post("/:id/merge", `合并${title}项`, may("edit"), {
      body: z.object({ into: f.pick("合并到"), version: f.version }),
      reply: z.object({ moved: z.number() }),
    }),
    exported: exportOf({ type: `dic.${kind}`, title, needs: may("export"), list }),
  };
}
export type DicCalls = ReturnType<typeof dicCalls>;
export type DicItem = z.output<typeof dicItem>;

/** 房源字典 (58): the words of listing forms, imports, publishing and the board. */
export const houseDic = dicCalls("house", 58, "房源字典");
/** 设施字典 (124), a tab of 配置中心. */
export const facilityDic = dicCalls("facility", 124, "设施字典");
/** 客户字典 (111), a tab of 配置中心: the words of leads, customers, complaints and repairs. */
export const customerDic = dicCalls("customer", 111, "客户字典");

export const houseDicImport = wholeImportCalls({
  base: "/system/api/v3/dic/house/import",
  title: "房源字典",
  needs: "58.import",
  target: "dicImport",
});
