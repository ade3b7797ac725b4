import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/names.ts";
import { ACCOUNT_KIND } from "./account.contract.ts";
import {
  APP_TERMINALS,
  isRate,
  RULED_FIELDS,
  STATEMENT_MODE,
  wrongOf,
  type AppId,
  type KindGiven,
} from "./kind.rules.ts";

const text = (title: string, max: number) => f.remark(title, max).default("");

/** What the form of an account carries. Which of the texts are needed, and how they read, is the kind's. */
const fields = z.object({
  name: f.checked("账户名称", nameOf("账户名称"), { max: 30 }),
  kind: f.choice("类型", ACCOUNT_KIND),
  /** 0 = head office (公司本部). */
  holderVillageId: z
    .number({ error: "请选择持有方" })
    .int()
    .min(0, "请选择持有方")
    .meta({ title: "持有方", kind: "link" }),
  /** Only who acts for the whole platform may name another enterprise than the own one. */
  enterpriseId: f.pick("企业").optional(),
  mchId: text("商户号", 32),
  subMchId: text("子商户号", 32),
  terminalNo: text("终端号", 20),
  bankName: text("开户行", 50),
  accountName: text("户名", 50),
  bankAccountNo: f.secret(text("账号", 30), "bank"),
  appIds: z
    .array(
      z.object({
        terminal: z.enum(Object.keys(APP_TERMINALS) as AppId["terminal"][]),
        appId: f.token(32, "AppID格式不正确").trim(),
      }),
    )
    .max(3)
    .default([])
    .meta({ title: "AppID", kind: "text" }),
  certExpiresOn: f.lifeDayInput("证书到期").nullish(),
  statementMode: f.choice("对账方式", STATEMENT_MODE).optional(),
  feeRate: z
    .number({ error: "费率为0到5%，最多四位小数" })
    .refine(isRate, "费率为0到5%，最多四位小数")
    .default(0)
    .meta({ title: "费率", kind: "percent" }),
  feeCap: f.amount("封顶").nullish(),
  settleDays: f.whole("到账天数", 0, 30, { unit: "天" }).default(0),
  settleToAccountId: f.pick("结算账户").nullish(),
  handover: f.flag("缴款方式").default(false),
  supervised: f.flag("监管账户").default(false),
});

/** What is wrong in itself has been said already: here it counts as nothing. */
const wrongIn = (given: unknown, field: string): string | undefined => {
  const { kind, appIds, statementMode, ...rest } = given as Record<string, unknown>;
  const texts = Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === "string"));
  const ids = fields.shape.appIds.safeParse(appIds).data ?? [];
  const known = { ...texts, kind, statementMode, appIds: ids } as KindGiven;
  return wrongOf(known).find((w) => w.field === field)?.msg;
};
const kindKnown = (given: unknown): boolean =>
  fields.shape.kind.safeParse((given as KindGiven | null)?.kind).success;

/** The same, judged by its kind too: all wrong fields at once, also while others are wrong in themselves. */
export const accountBody = RULED_FIELDS.reduce(
  (body, field) =>
    body.refine((given) => !kindKnown(given) || !wrongIn(given, field), {
      path: [field],
      error: ({ input }) => wrongIn(input, field)!,
      when: ({ value }) => kindKnown(value),
    }),
  fields,
);

export type AccountInput = z.output<typeof accountBody>;
