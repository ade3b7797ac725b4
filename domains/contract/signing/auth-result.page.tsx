import { useCallback, useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { Submitted } from "./result.panel.tsx";

const READ: Wire = { method: "GET", path: "/contract/api/v3/esign/authResult", asNobody: true };
type Result = {
  id: number | null;
  maskedName: string;
  state: "done" | "verifying" | "failed" | "ended" | null;
  reason: string;
  from: string | null;
  to: string | null;
  at: string | null;
};
const TITLE = "认证结果已提交";
const TITLES = { done: "认证成功", verifying: "认证中", failed: "认证失败", ended: "授权已失效" } as const;
const EVERY_MS = 3_000;
/** For a minute, within what one address may ask. */
const TIMES = 19;

/** The return page of an authorisation: what was reached, to a key of half an hour; without one, only that it was handed in. */
export default function AuthResultPage() {
  const key = new URLSearchParams(useLocation().search).get("key");
  const [result, setResult] = useState<Result>();
  const [asked, setAsked] = useState(key ? 0 : 1);
  const waits = result?.state === "verifying" && asked <= TIMES;
  const load = useCallback(() => {
    if (!key) return;
    void sendWire<Result>(READ, { query: { key } })
      .then(setResult, () => undefined)
      .finally(() => setAsked((n) => n + 1));
  }, [key]);
  useEffect(load, [load]);
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => document.hidden || load(), EVERY_MS);
    return () => clearInterval(timer);
  }, [waits, load]);
  if (!asked)
    return (
      <OpenPage>
        <OpenWaiting />
      </OpenPage>
    );
  if (!result?.id || !result.state || !result.at) return <Submitted title={TITLE} />;
  const { id, maskedName, state, reason, from, to, at } = result;
  const good = state === "done";
  return (
    <OpenPage>
      <OpenSaid
        icon={good ? "check" : state === "verifying" ? "clock" : "info"}
        look={good ? "good" : "plain"}
        title={TITLES[state]}
      >
        <p>{maskedName}</p>
        {state === "verifying" && <p>企业资料正在认证，通过后本页自动更新。</p>}
        {state === "failed" && reason && <p>原因：{reason}</p>}
        {state === "ended" ? (
          <p>授权书已签署，但授权已撤销或到期，请联系企业经办人。</p>
        ) : (
          <p>
            签署授权自 {from} 至 {to}
          </p>
        )}
        <p className="dim">签署时间 {timeInZone(at).slice(0, 16)}</p>
        <Link className="btn btn--lg" to={`/system/EnterpriseAuth?id=${id}`}>
          返回系统
        </Link>
        <p className="dim">在手机上签署的，请返回电脑端继续操作。</p>
      </OpenSaid>
    </OpenPage>
  );
}
