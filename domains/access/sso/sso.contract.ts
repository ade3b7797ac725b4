import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { secret, token, worded } from "../../../platform/kernel/field.ts";
import { login } from "../session/session.contract.ts";

const logins = callsAt("/system/api/v4/login", "session");

/** Where the issuer asks who somebody is; the answer comes back to /portal/login. */
export const startSso = logins.post("/sso", "发起单点登录", "public", {
  perMinute: 60,
  reply: z.object({ url: z.string() }),
});

/**
 * Signs in with what the issuer said: a code and the state that it was asked with, or a ticket that it signed for this
 * brand not more than five minutes ago. Either opens the door once.
 */
export const ssoLogin = logins.post("/ssoLogin", "单点登录", "public", {
  perMinute: 60,
  target: "operator",
  body: z.union([
    z.object({ ticket: secret(z.string().min(1).max(8000)), source: token(50).optional() }),
    z.object({
      code: secret(z.string().min(1).max(4000)),
      state: secret(z.string().min(1).max(200)),
      iss: worded("program", z.string().max(500)).optional(),
    }),
  ]),
  reply: login.reply!,
});
