import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import type { AccountKind } from "./channel.rules.ts";

export const ACCOUNT_KIND: Words<AccountKind> = {
  wechat: ["微信", "grey"],
  alipay: ["支付宝", "grey"],
  unionpay: ["银联", "grey"],
  pos: ["POS", "grey"],
  bank: ["银行", "grey"],
  cash: ["现金", "grey"],
  till: ["内置收银", "grey"],
};

export const allAccounts = call({
  method: "GET",
  path: "/billing/api/v3/merchantAccount/getAll",
  summary: "收款账户选项",
  needs: "login",
  query: z.object({
    /** Only accounts through which this village may take or give money. */
    villageId: z.coerce.number().pipe(f.id).optional(),
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      name: f.text("账户"),
      kind: f.status("类型", ACCOUNT_KIND),
      enabled: f.flag("启用"),
      /** Transfers into it are claimed, not booked at the counter. */
      claimed: f.flag("对公入账"),
    }),
  ),
});

/** Receiving accounts in scope, for a filter. */
export const ACCOUNTS: Source = {
  call: allAccounts,
  option: (a: { id: number; name: string; kind: keyof typeof ACCOUNT_KIND }) => ({
    value: a.id,
    label: a.name,
    note: ACCOUNT_KIND[a.kind][0],
  }),
};
