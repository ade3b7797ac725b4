import { sql } from "kysely";
import { Refusal, forbidden } from "../../../platform/kernel/refusal.ts";
import { allOf, is, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { menuArrangement } from "../function/function.queries.ts";
import { opened } from "../function/function.rules.ts";
import { newCaptcha, usesCaptcha } from "./captcha.service.ts";
import { demandCode, hasFactor } from "./factor.service.ts";
import {
  demandsCaptcha,
  forgetFailuresHere,
  inLine,
  lockedMinutes,
  lockedRefusal,
  recordFailure,
} from "./lock.service.ts";
import { matches, wasteTime } from "./password.service.ts";
import { getImage, listSessions, login, logout, userInfo } from "./session.contract.ts";
import { entered, notIdle } from "./session.service.ts";

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/, "微信"],
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Chrome · Windows" out of what a browser says of itself; its own words where nothing is known. */
function deviceOf(userAgent: string): string {
  const first = (of: typeof BROWSERS) => of.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [first(BROWSERS), first(SYSTEMS)].filter(Boolean).join(" · ") || userAgent.slice(0, 40) || "未知";
}

const refusedLogin = (message: string, needImageCode: boolean) =>
  new Refusal("loginRefused", message, 400, { data: { needImageCode }, keeps: true });

async function demandCaptcha(
  act: Act,
  account: string,
  given: { imageCode?: string; imageCodeKey?: string },
) {
  if (!(await demandsCaptcha(act, account))) return;
  if (!given.imageCode) throw refusedLogin("请输入图形验证码", true);
  if (!(await usesCaptcha(act, given.imageCodeKey, given.imageCode)))
    throw refusedLogin("图形验证码错误或已失效", true);
}

type Row = {
  id: number;
  operatorId: number;
  realName: string;
  account: string;
  createdAt: string;
  ip: string;
  userAgent: string;
  lastSeenAt: string | null;
  expiresAt: string;
  viewer: string;
};

const sessions = listOf(listSessions, {
  id: "s.id",
  from: sql`login_session s join operator o on o.id = s.operator_id`,
  scope: (read, { operatorId }) => {
    const { who, now } = read;
    const all = who.permits.has("46.get");
    if (!all && operatorId && operatorId !== who.operatorId) throw forbidden();
    return allOf([
      sql`s.ended_at is null and s.expires_at > ${now.toISOString()} and o.state = 'active' and ${notIdle(read)}`,
      ...(who.superType === "0" ? [] : [sql`o.enterprise_id = ${who.enterpriseId}`]),
      ...(all ? [] : [sql`o.id = ${who.operatorId} and s.view_by is null`]),
    ]);
  },
  where: { operatorId: is("o.id"), keyword: phrase("o.real_name", "o.account", "s.ip") },
  sort: { createdAt: "s.created_at", lastSeenAt: sql`coalesce(s.last_seen_at, s.created_at)` },
  order: "lastSeenAt",
  columns: sql<Row>`s.id, s.operator_id "operatorId", o.real_name "realName", o.account, s.created_at "createdAt",
    s.ip, s.user_agent "userAgent", s.last_seen_at "lastSeenAt", s.expires_at "expiresAt",
    coalesce(v.real_name, '') viewer`,
  join: sql`join login_session s on s.id = page.id join operator o on o.id = s.operator_id
    left join operator v on v.id = s.view_by`,
  rows: (rows, { who }) =>
    rows.map((s) => ({ ...s, device: deviceOf(s.userAgent), mine: s.id === who.sessionId })),
});

export default [
  serveRead(getImage, async (read) => {
    const { key, image } = await newCaptcha(read);
    // The specification reads the key from this header, after '='.
    return {
      name: key,
      type: "image/png",
      body: image,
      inline: true,
      headers: { "content-disposition": `inline; filename=${key}` },
    };
  }),

  serve(login, async (act, { body }) => {
    const typed = body.account.toLowerCase();
    const find = (lock = false) =>
      act.tx
        .selectFrom("operator")
        .selectAll()
        .where((eb) => eb.or([eb(sql`lower(account)`, "=", typed), eb("phone", "=", typed)]))
        .$if(lock, (q) => q.forNoKeyUpdate())
        .executeTakeFirst();
    // Account and phone are one door. Tries at it stand in a line, so that many at once get no more than five.
    const account = (await find())?.account.toLowerCase() ?? typed;
    await inLine(act, account);
    // Locked: whoever resets the password or disables the account comes wholly before, or ends the session made here.
    const operator = await find(true);
    if (operator) act.concerns(operator);
    await demandCaptcha(act, account, body);
    // Before the password is looked at: a lock must not tell whether a guess was right. A name that nobody has is answered as
    // one that is locked, or five tries would tell who works here.
    const shut = await lockedMinutes(act, account);
    if (shut) throw lockedRefusal("loginRefused", shut);
    const times = (await brandOf(act.settings.BRAND)).passwordHashTimes;
    const right = operator
      ? await matches(operator.passwordHash, body.password, times)
      : await wasteTime(body.password);
    if (!operator || !right) {
      const locked = await recordFailure(act, account);
      if (locked) throw lockedRefusal("loginRefused", locked);
      throw refusedLogin("账号或密码错误", true);
    }
    if (operator.state === "disabled") throw refusedLogin("账号已停用", false);
    if (await hasFactor(act, operator.id)) await demandCode(act, operator, body.dynamicCode);
    await forgetFailuresHere(act, account);
    return entered(act, operator);
  }),

  serve(logout, async (act) => {
    await act.tx
      .updateTable("loginSession")
      .set({ endedAt: act.now.toISOString(), endReason: "logout" })
      .where("id", "=", act.who.sessionId)
      .execute();
    return null;
  }),

  serveRead(userInfo, async (read) => {
    const { who, today } = read;
    const menu = await menuArrangement(read);
    const { menus, pages, actions, authorities } = opened(who.permits);
    return {
      mustChangePassword: who.mustChangePassword,
      mustEnrol: who.mustEnrol,
      operatorId: who.operatorId,
      name: who.name,
      avatar: "",
      phone: who.phone,
      superType: who.superType,
      villageCount: who.villages.length,
      today,
      viewAs: who.viewer ? { by: who.viewer.name, until: who.viewer.until } : null,
      menu: menu.filter((entry) => !entry.href || who.permits.has(String(entry.code))),
      firstFuncList: menus.map((id) => ({ id })),
      secFuncList: pages.map((id) => ({ id })),
      authorities,
      role: {
        permissions: pages.map((permissionId) => ({
          permissionId,
          actionEntitySet: (actions.get(permissionId) ?? []).map((action) => ({ action })),
        })),
      },
    };
  }),
  serveList(sessions),
];
