import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { smsDriver } from "../../../platform/server/outside/sms.ts";
import { usesCaptcha } from "../session/captcha.service.ts";
import { listOutbox, resend, sendVerification, outboxFilled } from "./sms.contract.ts";
import { TEXTS, textOf, type OUTBOX_STATES } from "./sms.rules.ts";
import { notTooOften, sendCode } from "./sms.service.ts";

const STUCK_MS = 10 * 60_000;
const CAPTCHA = "图形验证码错误或已失效";
type Row = {
  id: number;
  recipient: string;
  template: string;
  params: Record<string, string>;
  state: (typeof OUTBOX_STATES)[number];
  attempts: number;
  carrier: string;
  error: string;
  createdAt: string;
  sentAt: string | null;
};

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
    const known = await act.tx
      .selectFrom("operator")
      .select("id")
      .where("phone", "=", phone)
      .executeTakeFirst();
    // a lost password: an unknown number hears nothing, and whoever asked cannot tell
    await sendCode(act, phone, type, type !== 2 || known !== undefined);
    return null;
  }),

  serveRead(listOutbox, async (read, { query }) => {
    const { pageNo, pageSize, state, keyword, from, to, order } = query;
    const zone = read.settings.TIME_ZONE;
    const where = sql`where true
      ${state?.length ? sql`and state = any(${state as string[]})` : sql``}
      ${keyword ? sql`and recipient like ${`%${keyword.replace(/\D/g, "") || "?"}`}` : sql``}
      ${from ? sql`and created_at >= ${from}::timestamp at time zone ${zone}` : sql``}
      ${to ? sql`and created_at < (${to}::timestamp + interval '1 day') at time zone ${zone}` : sql``}`;
    const { rows } = await sql<Row>`
      select id, recipient, template, params, state, attempts, carrier, error, created_at "createdAt", sent_at "sentAt"
      from outbox ${where} order by created_at ${order === "asc" ? sql`asc` : sql`desc`}, id desc
      limit ${pageSize} offset ${(pageNo - 1) * pageSize}`.execute(read.tx);
    const counted = await sql<{ total: number }>`select count(*) total from outbox ${where}`.execute(read.tx);
    const { keeps } = smsDriver(read.settings);
    return {
      total: counted.rows[0]!.total,
      list: rows.map(({ recipient, params, ...row }) => ({
        ...row,
        phone: maskPhone(recipient),
        template: TEXTS[row.template as "code"] ?? row.template,
        text: textOf(row.template, params, keeps),
      })),
    };
  }),

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
      const there = await act.tx.selectFrom("outbox").select("id").where("id", "=", id).executeTakeFirst();
      if (!there) throw notFound();
      throw new Refusal("notFailed", "只能重发发送失败的短信", 409);
    }
    await act.emit(outboxFilled, { id });
    return null;
  }),
];
