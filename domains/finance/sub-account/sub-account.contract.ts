import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { idList, pageQuery } from "../../../platform/kernel/paging.ts";
import { recordCalls } from "../../../platform/kernel/records.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { bareBatch, importFamily, listedBatch, made } from "../../system/import/import.contract.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { NUMBER } from "./sub-account.rules.ts";

const path = "/billing/api/v3/subAccount";
const family = recordCalls({ path, code: 97, title: "虚拟子账户", target: "subAccount" });

/** Accounts into which transfers are claimed. */
export const CLAIMED: filter.Source = { ...ACCOUNTS, query: { claimed: "1" } };

export const subAccountRow = z.object({
  id: f.id,
  number: f.link("子账号"),
  name: f.text("户名"),
  merchantAccountId: f.id,
  accountName: f.text("对公账户"),
  villageId: f.id,
  villageName: f.text("门店"),
  partyId: f.id,
  partyKind: z.string(),
  partyName: f.person("客户"),
  remark: f.text("备注"),
  state: f.status("状态", SWITCHED),
  updatedName: f.person("更新人"),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});
export type SubAccountRow = z.output<typeof subAccountRow>;

export const listSubAccounts = family.list(
  pageQuery("number", "updatedAt").extend({
    villageIds: filter.villages(),
    merchantAccountId: filter.record("对公账户", CLAIMED),
    state: filter.choice("状态", SWITCHED),
    keyword: filter.keyword("子账号、户名、客户"),
  }),
  subAccountRow,
);
export const exportSubAccounts = family.export(listSubAccounts);
export const getSubAccount = family.get(subAccountRow);

const body = z.object({
  merchantAccountId: f.pick("对公账户"),
  number: f.checked("子账号", (text) => (NUMBER.test(text) ? undefined : "子账号为6-30位数字"), { max: 30 }),
  name: f.input("户名", 2, 60),
  villageId: f.pick("门店"),
  partyId: f.pick("客户"),
  remark: f.remark().default(""),
});
export type SubAccountBody = z.output<typeof body>;

export const addSubAccount = family.add(body);
export const editSubAccount = family.edit(body);
export const deleteSubAccount = family.delete();
export const enableSubAccount = family.enable({ needs: "97.edit" });
export const disableSubAccount = family.disable({ needs: "97.edit" });

const imports = importFamily({
  base: `${path}/import`,
  title: "虚拟子账户",
  needs: "97.import",
  target: "subAccountImport",
});
export const subAccountImport = {
  template: imports.template(),
  check: imports.check(),
  list: imports.list(listedBatch, { villageIds: idList }),
  get: imports.get(bareBatch.extend({ errors: wrongCells })),
  errorFile: imports.errorFile(),
  columns: imports.columns(),
  commit: imports.commit(made),
  undo: imports.undo(z.object({ id: f.id, removed: z.number().int() })),
};
