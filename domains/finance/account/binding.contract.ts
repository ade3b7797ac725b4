import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { VILLAGE_STATES } from "../../listing/village/village.rules.ts";
import { PAY_CHANNEL, misplaced, PURPOSE, TERMINAL } from "./channel.rules.ts";
import { ACCOUNT_KIND } from "./account.contract.ts";
import { ACCOUNT_STATE } from "./account.rules.ts";

const accounts = callsAt("/billing/api/v3/merchantAccount", "villageAccount");
const villageId = z.coerce.number().pipe(f.id);

/** Through which account a village receives at one place for one purpose. */
const binding = z.object({
  id: f.id,
  terminal: f.status("终端", TERMINAL),
  payType: f.status("支付方式", PAY_CHANNEL),
  purpose: f.status("用途", PURPOSE),
  merchantAccountId: f.id,
  accountName: f.text("账户"),
  kind: f.status("类型", ACCOUNT_KIND),
  holderName: f.text("持有方"),
  state: f.status("账户状态", ACCOUNT_STATE),
  version: f.version,
});
export type Binding = z.output<typeof binding>;

export const villageBindings = accounts.get("/village", "门店的收款账户", ["252.query", "6.get"], {
  query: z.object({ villageId }),
  reply: z.array(binding),
});

export const allBindings = accounts.get("/village/list", "各门店的收款账户", "252.query", {
  query: z.object({ villageIds: idList, keyword: z.string().trim().max(50).optional() }),
  reply: z.array(
    z.object({
      villageId: f.id,
      villageName: f.text("门店"),
      state: f.status("状态", VILLAGE_STATES),
      bindings: z.array(binding),
    }),
  ),
});

const place = {
  villageId: f.pick("门店"),
  terminal: f.choice("终端", TERMINAL),
  payType: f.choice("支付方式", PAY_CHANNEL),
  purpose: f.choice("用途", PURPOSE).default("all"),
};

export const addBinding = accounts.post("/village", "配置门店收款账户", "252.add", {
  body: z.object({ ...place, merchantAccountId: f.pick("账户") }).superRefine((at, ctx) => {
    const why = misplaced(at.terminal, at.payType);
    if (why) ctx.addIssue({ code: "custom", path: ["payType"], message: why });
  }),
  reply: z.object({ id: f.id }),
});

export const changeBinding = accounts.put("/village", "更换门店收款账户", "252.edit", {
  body: z.object({ id: f.id, merchantAccountId: f.pick("账户"), version: f.version }),
  reply: z.object({ id: f.id }),
});

export const removeBinding = accounts.delete("/village", "移除门店收款账户", "252.delete", {
  query: z.object({ id: z.coerce.number().pipe(f.id), version: f.versionInQuery }),
  reply: z.null(),
});

const copying = z.object({
  villageId: f.pick("来源门店"),
  villageIds: z.array(f.id).min(1, "请选择门店").max(500),
  /** What the others have already is replaced; else only what they lack is filled. */
  replace: z.boolean().default(false),
});
const copied = z.array(
  z.object({
    villageId: f.id,
    villageName: f.text("门店"),
    changes: z.array(z.object({ place: z.string(), from: z.string().nullable(), to: z.string() })),
  }),
);

export const previewCopy = accounts.post("/village/copy/preview", "预览复制门店收款配置", "252.edit", {
  effect: "read",
  body: copying,
  reply: copied,
});

/** Also needs 252.add where something is new for a village. */
export const copyBindings = accounts.post("/village/copy", "复制门店收款配置到其他门店", "252.edit", {
  body: copying,
  reply: copied,
});

export const terminalPayTypes = accounts.get("/terminal/payType/platform", "各终端的支付方式", "login", {
  reply: z.array(
    z.object({
      terminal: f.status("终端", TERMINAL),
      title: z.string(),
      payTypes: z.array(
        z.object({
          payType: f.status("支付方式", PAY_CHANNEL),
          title: z.string(),
          kinds: z.array(f.status("账户类型", ACCOUNT_KIND)),
        }),
      ),
    }),
  ),
});
