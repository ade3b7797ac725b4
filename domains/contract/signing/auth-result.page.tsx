import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { Submitted } from "./result.panel.tsx";

const READ: Wire = { method: "GET", path: "/contract/api/v3/esign/authResult", asNobody: true };
type Result = {
  id: number | null;
  maskedName: string;
  state: "done" | null;
  from: string | null;
  to: string | null;
  at: string | null;
};
const TITLE = "认证结果已提交";

/** The return page of an authorisation: what was reached, to a key of half an hour; without one, only that it was handed in. */
export default function AuthResultPage() {
  const key = new URLSearchParams(useLocation().search).get("key");
  const [result, setResult] = useState<Result>();
  const [asked, setAsked] = useState(!key);
  useEffect(() => {
    if (!key) return;
    sendWire<Result>(READ, { query: { key } })
      .then(setResult, () => undefined)
      .finally(() => setAsked(true));
  }, [key]);
  if (!asked)
    return (
      <OpenPage>
        <OpenWaiting />
      </OpenPage>
    );
  if (!result?.id || !result.at) return <Submitted title={TITLE} />;
  return (
    <OpenPage>
      <OpenSaid icon="check" look="good" title="认证成功">
        <p>{result.maskedName}</p>
        <p>
          签署授权自 {result.from} 至 {result.to}
        </p>
        <p className="dim">签署时间 {timeInZone(result.at).slice(0, 16)}</p>
        <Link className="btn btn--lg" to={`/system/EnterpriseAuth?id=${result.id}`}>
          返回系统
        </Link>
        <p className="dim">在手机上签署的，请返回电脑端继续操作。</p>
      </OpenSaid>
    </OpenPage>
  );
}
