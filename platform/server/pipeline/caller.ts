import { allows, type Call } from "../../kernel/call.ts";
import { forbidden, Refusal, signedOut } from "../../kernel/refusal.ts";
import { nobody, type Who } from "./act.ts";
import type { Database } from "../database/database.ts";
import { findSession } from "./session.ts";
import type { Settings } from "../process/settings.ts";

type Caller = {
  token: string | undefined;
  /** Hears whether a session goes with the token. */
  session?:
    | { signedIn: (token: string, enterpriseId: number) => void; signedOut: (token: string) => void }
    | undefined;
  /** False for what the console asks by itself while nobody sits before it. */
  attended: boolean;
};

/** Who sends a call: nobody for a public one, unless the call `knows` a signed-in caller. */
export async function whoCalls(
  house: { database: Database; settings: Settings },
  call: Call,
  { token, session, attended }: Caller,
): Promise<Who> {
  if (call.needs === "public" && !call.knows) return nobody;
  const how = { idleMinutes: house.settings.SESSION_IDLE_MINUTES, attended };
  const who = token ? await findSession(house.database.pool, token, how) : undefined;
  if (token && who) session?.signedIn(token, who.enterpriseId);
  else if (token) session?.signedOut(token);
  if (call.needs === "public") return who ?? nobody;
  if (!who) throw signedOut();
  return who;
}

/** Refuses what somebody may not call: before a given password is replaced or a second factor that is demanded is on, beyond their permits, or while looking on. */
export function mayCall(who: Who, call: Call): void {
  if (who.mustChangePassword && call.needs !== "public" && !call.beforeOwnPassword)
    throw new Refusal("mustChangePassword", "当前密码由管理员设置，请先修改密码再继续操作", 403);
  if (who.mustEnrol && !who.mustChangePassword && call.needs !== "public" && !call.beforeSecondFactor)
    throw new Refusal("mustEnrol", "企业要求登录时使用动态验证码，请先开启两步验证再继续操作", 403);
  if (!allows(who.permits, call.needs)) throw forbidden();
  if (who.viewer && call.effect === "write" && !call.whileViewing)
    throw new Refusal("viewing", `正在以${who.name}的身份查看，只能浏览，不能修改数据`, 403);
}
