import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import { last4, linked, token } from "../esign/open.contract.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";

/** A link goes to the tenant by text message; it leads to his lease and to what he may ask for himself. */
export const sendSelfLink = callsAt("/contract/api/v3/selfLink", "contract").post(
  "",
  "发送自助链接",
  ofAnyKind("edit"),
  {
    body: z.object({ contractId: f.pick("合同") }),
    reply: z.object({
      id: f.id,
      phone: f.phone("手机号"),
      expiresAt: f.instant("有效至"),
      /** Shown once: the tenant may scan it at the desk. */
      path: f.secret(z.string()),
    }),
  },
);

const waiting = f.number("待受理");
/** How many requests wait on each page, in scope; nothing of a page that one may not open. */
export const countWaiting = callsAt("/contract/api/v3/act").get(
  "/count",
  "待受理申请数量",
  ["72.query", "73.query", "96.query", "236.query"],
  { reply: z.object({ settle: waiting, renew: waiting, change: waiting, application: waiting }) },
);

// ---- what a tenant sends, without a login -------------------------------------------------------
const open = callsAt("/contract/api/v3/esign/m", "contract");
const code = { params: token };
const known = z.object({ last4 });

/** What anybody with the link may know. */
export const selfPage = open.get("/:token", "打开自助链接", "public", {
  ...code,
  perMinute: 60,
  reply: linked.omit({ lockedMinutes: true }).extend({
    /** Masked. */
    name: z.string(),
  }),
});

/** What may be asked for: the days that can be chosen, or why it cannot be. */
const choice = z.object({ why: z.string().nullable() });
const day = f.day("日期");
export const selfOpen = open.post("/:token/open", "查看我的合同", "public", {
  ...code,
  perMinute: 30,
  body: known,
  reply: z.object({
    contractNo: z.string(),
    roomNames: z.string(),
    start: day,
    end: day,
    rent: f.money("月租金"),
    held: f.money("在管押金"),
    nextOn: day.nullable(),
    nextFen: f.money("下次应付").nullable(),
    owed: f.money("待付合计"),
    bills: z.array(
      z.object({
        id: f.id,
        title: z.string(),
        from: day.nullable(),
        to: day.nullable(),
        dueOn: day,
        open: f.money("待付"),
        late: z.boolean(),
      }),
    ),
    /** What is under way, and what was refused last. */
    request: z
      .object({
        actNo: z.string(),
        title: z.string(),
        state: f.status("状态", ACT_STATES),
        effectiveOn: day,
        reason: z.string(),
        /** Nobody has taken it up yet: he may take it back. */
        waits: z.boolean(),
      })
      .nullable(),
    refused: z.object({ actNo: z.string(), title: z.string(), reason: z.string() }).nullable(),
    leave: choice.extend({ first: day, last: day.nullable() }),
    renew: choice.extend({ start: day }),
    move: choice.extend({ first: day, last: day }),
  }),
});

const asked = z.object({ actNo: z.string() });
const asking = { ...code, perMinute: 20 };
export const selfLeave = open.post("/:token/leave", "租客申请退房", "public", {
  ...asking,
  body: known.extend({ effectiveOn: f.dayInput("退房日"), reason: f.reason("退房原因") }),
  reply: asked,
});
export const selfRenew = open.post("/:token/renew", "租客申请续租", "public", {
  ...asking,
  body: known.extend({
    months: f.whole("租期", 1, 60, { unit: "个月" }),
    note: f.remark("说明", 100).default(""),
  }),
  reply: asked,
});
export const selfMove = open.post("/:token/move", "租客申请换房", "public", {
  ...asking,
  body: known.extend({ effectiveOn: f.dayInput("希望入住日"), reason: f.reason("换房要求") }),
  reply: asked,
});
export const selfTakeBack = open.post("/:token/takeBack", "租客撤回申请", "public", {
  ...asking,
  body: known,
  reply: asked,
});
