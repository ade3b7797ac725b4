import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { HOME } from "../../../platform/console/session/guard.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { enter } from "../../../platform/console/session/session.ts";
import { Front } from "../session/front.panel.tsx";
import { LoginForm } from "../session/login.page.tsx";

type Entered = { token: string; superType: string | null; phone: string | null };

/** Two runs of the effect, or a reload while the answer is under way, must not use the ticket up twice. */
let under: { key: string; answer: Promise<Entered> } | undefined;
const signIn = (key: string, body: object): Promise<Entered> => {
  if (under?.key !== key) {
    const wire = { method: "POST", path: "/system/api/v4/login/ssoLogin", cookies: true } as const;
    under = { key, answer: sendWire(wire, { body }) };
  }
  return under.answer;
};

/** 门户登录: who comes with a ticket or from the issuer is signed in; everybody else finds the log-in. */
export default function PortalPage() {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const [ticket, code, state] = [search.get("ticket"), search.get("code"), search.get("state")];
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const body = ticket
      ? { ticket, source: search.get("source") ?? "portal" }
      : code && state && { code, state, ...(search.get("iss") && { iss: search.get("iss") }) };
    if (!body) return;
    signIn(ticket ?? code!, body).then(
      (entered) => {
        enter(entered.token, entered.superType ?? "", entered.phone ?? "");
        void navigate(HOME, { replace: true });
      },
      (error: unknown) => {
        setSaid(sentence(error));
        // what was used up has no place in the address or in the history
        setSearch({}, { replace: true });
      },
    );
  }, [ticket, code, state, search, setSearch, navigate]);
  if (ticket || code)
    return (
      <Front>
        <form aria-busy>
          <h1>正在登录</h1>
          <p role="status">正在核对登录凭证，请稍候。</p>
        </form>
      </Front>
    );
  return (
    <Front>
      <LoginForm key={said} said={said} />
    </Front>
  );
}
