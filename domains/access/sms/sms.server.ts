import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList, listOf } from "../../../platform/server/lists/list.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { usesCaptcha } from "../session/captcha.service.ts";
import { outboxFilled, resend, sendVerification, listOutbox } from "./sms.contract.ts";
import { notTooOften, sendCode } from "./sms.service.ts";
import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { amongWords, fromDay, toDay } from "../../../platform/server/lists/conditions.ts";
import { smsDriver } from "../../../platform/server/outside/sms.ts";
import { TEXTS, textOf, type OUTBOX_WORDS } from "./sms.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

type Row = {
  id: number;
  recipient: string;
  template: string;
  params: Record<string, string>;
  state: keyof typeof OUTBOX_WORDS;
  attempts: number;
  carrier: string;
  error: string;
  createdAt: string;
  sentAt: string | null;
};

const outbox = listOf(listOutbox, {
  id: "m.id",
  from: sql`outbox m`,
  where: {
    state: amongWords("m.state"),
    // a number, or the end of it
    keyword: (text) => sql`m.recipient like ${`%${text.replace(/\D/g, "") || "?"}`}`,
    from: fromDay("m.created_at"),
    to: toDay("m.created_at"),
  },
  sort: { createdAt: "m.created_at" },
  order: "createdAt",
  columns: sql<Row>`m.id, m.recipient, m.template, m.params, m.state, m.attempts, m.carrier, m.error,
    m.created_at "createdAt", m.sent_at "sentAt"`,
  join: sql`join outbox m on m.id = page.id`,
  rows: (rows, { settings }) => {
    const { keeps } = smsDriver(settings);
    return rows.map(({ recipient, params, ...row }) => ({
      ...row,
      phone: maskPhone(recipient),
      template: TEXTS[row.template as "code"] ?? row.template,
      text: textOf(row.template, params, keeps),
    }));
  },
});

const STUCK_MS = 10 * 60_000;
const CAPTCHA = "图形验证码错误或已失效";
export default [
  serve(sendVerification, async (act, { body: { phone, type, imageCode, imageCodeKey } }) => {
    if (!(await usesCaptcha(act, imageCodeKey, imageCode)))
      throw new Refusal("captchaWrong", CAPTCHA, 400, {
        fields: [{ field: "imageCode", msg: CAPTCHA }],
        keeps: true,
      });
    if (type >= 3 && !act.who.operatorId) throw new Refusal("signedOut", "未授权，请重新登录(401)", 401);
    if (type === 5 && phone !== act.who.phone)
      throw new Refusal("otherPhone", "验证码只能发送到本人的手机", 400, { keeps: true });
    if (type === 1 && !(await brandOf(act.settings.BRAND)).allowRegister)
      throw new Refusal("closed", "暂未开放注册", 403, { keeps: true });
    await notTooOften(act, phone);
    const known = await aRow(act, "operator", ["id"], { phone });
    // a lost password: an unknown number hears nothing, and whoever asked cannot tell
    await sendCode(act, phone, type, type !== 2 || known !== undefined);
    return null;
  }),

  serveList(outbox),

  serve(resend, async (act, { params: { id } }) => {
    const row = await act.tx
      .updateTable("outbox")
      .set({ state: "queued", error: "" })
      .where("id", "=", id)
      // what was being sent when a server died is nobody's any more
      .where((eb) =>
        eb.or([
          eb("state", "=", "failed"),
          eb.and([
            eb("state", "=", "sending"),
            eb("triedAt", "<", new Date(act.now.getTime() - STUCK_MS).toISOString()),
          ]),
        ]),
      )
      .returning("id")
      .executeTakeFirst();
    if (!row) {
      await act.tx.selectFrom("outbox").select("id").where("id", "=", id).executeTakeFirstOrThrow(notFound);
      throw new Refusal("notFailed", "只能重发发送失败的短信", 409);
    }
    await act.emit(outboxFilled, { id });
    return null;
  }),
];
