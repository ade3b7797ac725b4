import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { OpenFailed, OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { SAID, totalOf } from "./checkout.rules.ts";
import "../pay-order/till.css";

// only a wide page draws a code
const Code = lazy(async () => ({ default: (await import("@rc-component/qrcode")).QRCodeSVG }));

const PATH = "/billing/api/v3/payLink/:token";
const READ: Wire = { method: "GET", path: PATH, asNobody: true };
const PAY: Wire = { method: "POST", path: `${PATH}/pay`, asNobody: true };
const EVERY_MS = 3_000;

type Bill = {
  id: number;
  title: string;
  room: string;
  dueDate: string;
  owed: number;
  asked: boolean;
  lines: { subject: string; period: string; owed: number }[];
};
type Order = { orderNo: string; amount: number; state: "created" | "paid"; paidAt: string; kept: boolean };
type Page = {
  enterprise: string;
  store: string;
  payer: string;
  why: string;
  bills: Bill[];
  others: number;
  orders: Order[];
};
type Opened = {
  orderNo: string;
  amount: number;
  channel: "wechat" | "till";
  code: string | null;
  token: string;
};

/** 账单付款: what is asked for, line by line, on the customer's phone. The token stands behind the #: it is sent to nobody. */
export default function PayPage() {
  const token = useLocation().hash.slice(1);
  const [all, setAll] = useState(false);
  const [page, setPage] = useState<Page>();
  const [failure, setFailure] = useState<unknown>();
  const load = useCallback(() => {
    if (!token) return;
    sendWire<Page>(READ, { params: { token }, query: all ? { all: "1" } : {} }).then((answer) => {
      setFailure(undefined);
      setPage(answer);
    }, setFailure);
  }, [token, all]);
  useEffect(load, [load]);
  const waits = page?.orders.some((o) => o.state === "created");
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => document.hidden || load(), EVERY_MS);
    return () => clearInterval(timer);
  }, [waits, load]);
  const gone = !token || (failure instanceof Failure && [404, 410].includes(failure.status));
  return (
    <OpenPage>
      {gone ? (
        <OpenSaid icon="info" title={SAID.gone} />
      ) : failure && !page ? (
        <OpenFailed error={failure} retry={load} />
      ) : !page ? (
        <OpenWaiting />
      ) : (
        <div className="stack gap-8">
          <Paid orders={page.orders} />
          {page.bills.length > 0 ? (
            <Owed page={page} token={token} reload={load} />
          ) : (
            <OpenSaid icon="check" look="good" title="账单已付款">
              <p>
                {page.enterprise} · {page.store}
              </p>
            </OpenSaid>
          )}
          {page.others > 0 && !all && (
            <button type="button" className="btn btn--lg cashier__pay" onClick={() => setAll(true)}>
              查看其他待付账单 {page.others} 笔
            </button>
          )}
        </div>
      )}
    </OpenPage>
  );
}

/** What was paid on this page, as a receipt. */
function Paid({ orders }: { orders: readonly Order[] }) {
  const paid = orders.filter((o) => o.state === "paid");
  if (!paid.length) return null;
  return (
    <section className="open__card stack gap-4" aria-label="付款记录" role="status">
      {paid.map((o) => (
        <div key={o.orderNo} className="stack gap-2">
          <div className="row between">
            <b>已付款</b>
            <b className="num">¥{yuan(o.amount)}</b>
          </div>
          <p className="fs-12 dim">
            {o.paidAt} · 收款单 {o.orderNo}
          </p>
          {o.kept && (
            <p className="cashier__note">账单已变化，多付的金额已存为您的预存款，可抵扣以后的账单。</p>
          )}
        </div>
      ))}
    </section>
  );
}

/** A narrow page goes on in the channel's own; a wide one shows a code for the phone. */
const byPhone = () => matchMedia("(max-width: 767px)").matches;

function Owed({ page, token, reload }: { page: Page; token: string; reload: () => void }) {
  const go = useNavigate();
  // what is asked for is chosen until somebody says otherwise
  const [ticked, setTicked] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [busy, setBusy] = useState(false);
  const [code, setCode] = useState<Opened>();
  const isChosen = (b: Bill) => ticked.get(b.id) ?? b.asked;
  const chosen = page.bills.filter(isChosen);
  const total = totalOf(chosen.map((b) => ({ amount: b.owed })));
  const waiting = page.orders.find((o) => o.state === "created");
  const shown =
    code && page.orders.some((o) => o.orderNo === code.orderNo && o.state === "created") ? code : undefined;
  const pay = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const by = byPhone() ? "page" : "scan";
      const body = { billIds: chosen.map((b) => b.id), total, by };
      const [first] = await sendWire<Opened[]>(PAY, { params: { token }, body });
      if (first!.channel === "till") {
        await go(`/cashier?back#${first!.token}`);
        return;
      }
      if (by === "page")
        return location.assign(`${first!.code}&redirect_url=${encodeURIComponent(location.href)}`);
      setCode(first);
      reload();
    } catch (error) {
      toast(sentence(error), "error");
      reload();
    } finally {
      setBusy(false);
    }
  };
  return (
    <article className="stack gap-8">
      <section className="open__card cashier stack gap-6">
        <h1 className="cashier__title">账单付款</h1>
        <p className="cashier__sum">
          <small>¥</small>
          {yuan(total)}
        </p>
        <p className="cashier__to">付给 {page.enterprise}</p>
        <p className="sub">
          {page.store} · 付款人 {page.payer}
        </p>
      </section>
      {page.bills.map((b) => (
        <section key={b.id} className="open__card stack gap-4" aria-label={b.title}>
          <div className="row between">
            <Tick
              checked={isChosen(b)}
              onChange={(on) => setTicked((before) => new Map(before).set(b.id, on))}
            >
              <b>{b.title}</b>
            </Tick>
            <b className="num">¥{yuan(b.owed)}</b>
          </div>
          <p className="fs-12 dim">{[b.room, `应收日 ${b.dueDate}`].filter(Boolean).join(" · ")}</p>
          <dl className="stack gap-3">
            {b.lines.map((l, i) => (
              <div key={i} className="row gap-6 between baseline">
                <dt className="sub">
                  {l.subject}
                  {l.period && <div className="fs-12 dim">{l.period}</div>}
                </dt>
                <dd className="num">{yuan(l.owed)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {page.why && (
        <p className="cashier__note" role="alert">
          暂时不能在线付款：{page.why}。请联系管家。
        </p>
      )}
      {shown?.code && (
        <section className="open__card cashier stack gap-4">
          <Suspense>
            <Code value={shown.code} size={192} level="M" marginSize={2} title="付款码" />
          </Suspense>
          <p>请用微信扫码支付 ¥{yuan(shown.amount)}</p>
        </section>
      )}
      {waiting && (
        <p className="sub" role="status">
          收款单 {waiting.orderNo} 等待付款结果，付款后一分钟内更新。
        </p>
      )}
      <button
        type="button"
        className="btn btn--main btn--lg cashier__pay"
        aria-busy={busy}
        disabled={!total || Boolean(page.why)}
        onClick={pay}
      >
        {busy ? "正在付款…" : total ? `去付款 ¥${yuan(total)}` : "请选择要付的账单"}
      </button>
    </article>
  );
}
