import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { VILLAGE_STATES } from "../../listing/village/village.rules.ts";
import { PAY_CHANNEL, misplaced, PURPOSE, TERMINAL } from "./channel.rules.ts";
import { ACCOUNT_KIND } from "./account.contract.ts";
import { ACCOUNT_STATE } from "./account.rules.ts";

const path = "/billing/api/v3/merchantAccount";
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

export const villageBindings = call({
  method: "GET",
  path: `${path}/village`,
  summary: "门店的收款账户",
  needs: ["252.query", "6.get"],
  query: z.object({ villageId }),
  reply: z.array(binding),
});

export const allBindings = call({
  method: "GET",
  path: `${path}/village/list`,
  summary: "各门店的收款账户",
  needs: "252.query",
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

export const addBinding = call({
  method: "POST",
  path: `${path}/village`,
  summary: "配置门店收款账户",
  needs: "252.add",
  target: "villageAccount",
  body: z.object({ ...place, merchantAccountId: f.pick("账户") }).superRefine((at, ctx) => {
    const why = misplaced(at.terminal, at.payType);
    if (why) ctx.addIssue({ code: "custom", path: ["payType"], message: why });
  }),
  reply: z.object({ id: f.id }),
});

export const changeBinding = call({
  method: "PUT",
  path: `${path}/village`,
  summary: "更换门店收款账户",
  needs: "252.edit",
  target: "villageAccount",
  body: z.object({ id: f.id, merchantAccountId: f.pick("账户"), version: f.version }),
  reply: z.object({ id: f.id }),
});

export const removeBinding = call({
  method: "DELETE",
  path: `${path}/village`,
  summary: "移除门店收款账户",
  needs: "252.delete",
  target: "villageAccount",
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

export const previewCopy = call({
  method: "POST",
  path: `${path}/village/copy/preview`,
  summary: "预览复制门店收款配置",
  needs: "252.edit",
  effect: "read",
  body: copying,
  reply: copied,
});

/** Also needs 252.add where something is new for a village. */
export const copyBindings = call({
  method: "POST",
  path: `${path}/village/copy`,
  summary: "复制门店收款配置到其他门店",
  needs: "252.edit",
  target: "villageAccount",
  body: copying,
  reply: copied,
});

export const terminalPayTypes = call({
  method: "GET",
  path: `${path}/terminal/payType/platform`,
  summary: "各终端的支付方式",
  needs: "login",
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
