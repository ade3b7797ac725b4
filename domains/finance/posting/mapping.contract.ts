import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";

const mappings = callsAt("/billing/api/v3/posting/mapping", "posting");
const account = f.input("科目", 4, 4, "请选择科目");

export const mappingRow = z.object({
  /** Below nothing: no row yet, an account that the books have used without one. */
  id: f.id,
  account: f.text("科目"),
  accountName: f.text("科目名称"),
  feeSubjectId: f.id.nullable(),
  subjectName: f.text("费用").nullable(),
  merchantAccountId: f.id.nullable(),
  merchantName: f.text("账户").nullable(),
  villageId: f.id.nullable(),
  villageName: f.text("门店").nullable(),
  glCode: f.text("总账科目"),
  auxiliary: f.text("辅助核算"),
  version: f.version,
});
export type MappingRow = z.output<typeof mappingRow>;

export const listMappings = mappings.get("", "科目映射", "200.query", {
  query: pageQuery("account").extend({ keyword: filter.keyword("科目、总账科目") }),
  reply: pageReply(mappingRow),
});

export const exportMappings = exportOf({
  type: "glMapping",
  title: "科目映射",
  needs: "200.export",
  list: listMappings,
});

export const getMapping = mappings.get("/:id", "映射详情", "200.query", {
  params: oneRecord,
  reply: mappingRow,
});

/** What the books have used and no code of the general ledger stands for. */
export const unmapped = mappings.get("/unmapped", "未映射科目", "200.query", {
  reply: z.array(
    z.object({
      account: z.string(),
      accountName: z.string(),
      feeSubjectId: f.id.nullable(),
      subjectName: z.string().nullable(),
      merchantAccountId: f.id.nullable(),
      merchantName: z.string().nullable(),
    }),
  ),
});
export type Unmapped = z.output<typeof unmapped.reply>[number];

/** The chart of accounts. */
export const ledgerAccounts = mappings.get("/accounts", "科目表", "200.query", {
  reply: z.array(z.object({ code: z.string(), name: z.string() })),
});

const fields = {
  account,
  feeSubjectId: f.pick("费用").nullish(),
  merchantAccountId: f.pick("账户").nullish(),
  villageId: f.pick("门店").nullish(),
  glCode: f.input("总账科目", 1, 30),
  auxiliary: f.remark("辅助核算", 60).default(""),
};
export const addMapping = mappings.post("", "新增映射", "200.edit", {
  body: z.object(fields),
  reply: z.object({ id: f.id }),
});
export const editMapping = mappings.put("/:id", "修改映射", "200.edit", {
  body: z.object({ glCode: fields.glCode, auxiliary: fields.auxiliary, version: f.version }),
  reply: z.object({ id: f.id }),
});
export const removeMapping = mappings.delete("/:id", "删除映射", "200.edit", {
  params: oneRecord,
  query: z.object({ version: f.versionInQuery }),
  reply: z.null(),
});

/** The codes of the national chart for every account that has none. */
export const usualMappings = mappings.post("/usual", "填入常用映射", "200.edit", {
  reply: z.object({ made: z.number().int() }),
});
