import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useBrand } from "../brand/brand.ts";
import { HOME, LOGIN } from "../session/guard.ts";

export const LOST_TITLE = "页面不存在";

/**
 * Where unknown and not permitted paths end. `state.from` is the path that was asked for; `children` say what is known
 * of it.
 */
export function Lost({ signedIn, children }: { signedIn: boolean; children?: ReactNode }) {
  const { state } = useLocation() as { state?: { from?: string } | null };
  const { helpPhone } = useBrand();
  return (
    <section className="lost">
      <svg viewBox="0 0 200 120" aria-hidden="true">
        <path d="M20 110h160M52 110V26h56v84M108 110V50h40v60" className="lost__wall" />
        <path d="M62 38h12v10H62zM86 38h12v10H86zM62 60h12v10H62zM62 82h12v10H62zM120 62h16v10h-16zM120 84h16v10h-16z" />
        <path d="M86 60h12v10H86z" className="lost__dark" />
      </svg>
      <h1>抱歉，您访问的页面不存在或没有权限</h1>
      {state?.from && <p className="lost__path">{state.from}</p>}
      {children}
      {!signedIn && <p>请登录后再试</p>}
      {helpPhone && <p>服务电话 {helpPhone}</p>}
      <Link className="btn btn--main" to={signedIn ? HOME : LOGIN}>
        {signedIn ? "返回工作台" : "返回登录"}
      </Link>
    </section>
  );
}
