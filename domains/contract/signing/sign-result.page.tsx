import { useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { addressOf, sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { OpenFailed, OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { Submitted } from "./result.panel.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";

const RESULT: Wire = { method: "GET", path: "/contract/api/v3/esign/result", asNobody: true };
const PAY: Wire = { method: "POST", path: "/contract/api/v3/esign/result/pay", asNobody: true };
const FILE: Wire = { method: "GET", path: "/contract/api/v3/esign/file", asNobody: true };
const EVERY_MS = 3_000;

type Result = {
  kind: "none" | "signing" | "sealing" | "done" | "refused" | "ended";
  title: string;
  /** 合同 or 协议. */
  noun: string;
  contractNo: string;
  room: string;
  term: string;
  signedAt: string;
  reason: string;
  signers: { role: string; name: string; state: string }[];
  due: { title: string; dueOn: string; amount: number }[];
  dueTotal: number;
  online: boolean;
  payTo: string[];
  fileHash: string;
  fileState: "none" | "ready" | "fetched";
};

/** The return page of a signing: what is done, who still has to sign, what is to be paid, and the file, once. */
export default function SignResultPage() {
  const key = new URLSearchParams(useLocation().search).get("key") ?? "";
  const [result, setResult] = useState<Result>();
  const [failure, setFailure] = useState<unknown>();
  const load = useCallback(() => {
    if (!key) return;
    sendWire<Result>(RESULT, { query: { key } }).then(
      (answer) => {
        setFailure(undefined);
        setResult(answer);
      },
      (error: unknown) => setFailure(error),
    );
  }, [key]);
  useEffect(load, [load]);
  const waits = result?.kind === "signing" || result?.kind === "sealing";
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => document.hidden || load(), EVERY_MS);
    return () => clearInterval(timer);
  }, [waits, load]);

  if (!key || result?.kind === "none") return <Submitted title="签署结果已提交" />;
  if (!result)
    return <OpenPage>{failure ? <OpenFailed error={failure} retry={load} /> : <OpenWaiting />}</OpenPage>;
  return (
    <OpenPage>
      <Outcome result={result} />
      <div className="stack gap-8">
        <Facts result={result} />
        {result.due.length > 0 && <Due result={result} resultKey={key} />}
        {result.fileState !== "none" && <SignedFile result={result} fileKey={key} fetched={load} />}
      </div>
    </OpenPage>
  );
}

const TITLES = {
  signing: "签署成功，待其他方签署",
  sealing: "签署成功，待企业盖章",
  done: "签署已完成",
  refused: "已拒签",
  ended: "签署未完成",
  none: "",
} as const;

function Outcome({ result: { kind, title, noun, reason } }: { result: Result }) {
  const good = kind !== "refused" && kind !== "ended";
  return (
    <OpenSaid icon={good ? "check" : "info"} look={good ? "good" : "plain"} title={TITLES[kind]}>
      <p>《{title}》</p>
      {kind === "sealing" && <p>企业盖章后本页自动更新，无需刷新。</p>}
      {kind === "refused" && <p>拒签原因：{reason}</p>}
      {kind === "ended" && <p>{noun}没有生效，请联系为您办理签约的管家。</p>}
    </OpenSaid>
  );
}

function Facts({ result }: { result: Result }) {
  const rows = [
    [`${result.noun}号`, `尾号 ${result.contractNo}`],
    ["房间", result.room],
    ["租期", result.term],
    ...(result.signedAt ? [["签署时间", result.signedAt]] : []),
    ...result.signers.map((s) => [s.role, `${s.name}　${s.state}`]),
  ];
  return (
    <section className="open__card" aria-label={result.noun}>
      <dl className="stack gap-4">
        {rows.map(([title, value]) => (
          <div key={title} className="row gap-6 between">
            <dt className="sub">{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const dueTitle = ({ noun }: Result) => (noun === "合同" ? "首期应付" : "签署后应付");

function Due({ result, resultKey }: { result: Result; resultKey: string }) {
  const [busy, setBusy] = useState(false);
  const pay = async () => {
    setBusy(true);
    try {
      const { path } = await sendWire<{ path: string }>(PAY, { body: { key: resultKey } });
      location.assign(path);
    } catch (error) {
      toast(sentence(error), "error");
      setBusy(false);
    }
  };
  return (
    <section className="open__card" aria-label={dueTitle(result)}>
      <table className="signed__due">
        <caption className="sub">{dueTitle(result)}</caption>
        <thead>
          <tr>
            <th scope="col">款项</th>
            <th scope="col">应收日</th>
            <th scope="col" className="num">
              金额（元）
            </th>
          </tr>
        </thead>
        <tbody>
          {result.due.map((d, i) => (
            <tr key={`${i} ${d.title}`}>
              <td>{d.title}</td>
              <td>{d.dueOn}</td>
              <td className="num">{yuan(d.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2}>合计</td>
            <td className="num">
              <b>{yuan(result.dueTotal)}</b>
            </td>
          </tr>
        </tfoot>
      </table>
      {result.online && (
        <button
          type="button"
          className="btn btn--main btn--lg"
          aria-busy={busy}
          disabled={busy}
          onClick={pay}
        >
          去支付 ¥{yuan(result.dueTotal)}
        </button>
      )}
      {result.payTo.map((account) => (
        <p key={account}>收款账户：{account}</p>
      ))}
      {result.payTo.length > 0 && <p className="sub">转账请备注合同号。</p>}
    </section>
  );
}

/** The closed file is fetched once; afterwards the keeper has it. */
function SignedFile({
  result: { fileState, fileHash, noun },
  fileKey,
  fetched,
}: {
  result: Result;
  fileKey: string;
  fetched: () => void;
}) {
  const { productTitle } = useBrand();
  return (
    <section className="open__card stack gap-4" aria-label={`${noun}文件`}>
      {fileState === "ready" ? (
        <a
          className="btn btn--lg btn--main"
          href={addressOf(FILE, {}, { key: fileKey })}
          onClick={() => setTimeout(fetched, 1500)}
        >
          下载{noun}
        </a>
      ) : (
        <p className="sub">{noun}文件已下载，如需再次获取请联系管家。</p>
      )}
      <p className="fs-12 dim">
        文件 SHA-256 前16位：{fileHash}（{productTitle}）
      </p>
    </section>
  );
}
