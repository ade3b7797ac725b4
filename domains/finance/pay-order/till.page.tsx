import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { OpenFailed, OpenPage, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { leftText, TILL_NOTE } from "./pay-order.rules.ts";
import "./till.css";

const PATH = "/billing/api/v3/till/:token";
const READ: Wire = { method: "GET", path: PATH, asNobody: true };
const PAY: Wire = { method: "POST", path: `${PATH}/pay`, asNobody: true };

type Order = {
  orderNo: string;
  title: string;
  payee: string;
  store: string;
  payer: string;
  amount: number;
  state: "created" | "paid" | "closed";
  secondsLeft: number;
  tradeNo: string;
};

/** 收银台: what is paid and to whom, on the payer's phone. The token stands behind the #, so that it is sent to nobody. */
export default function TillPage() {
  const token = useLocation().hash.slice(1);
  const [order, setOrder] = useState<Order>();
  const [failure, setFailure] = useState<unknown>();
  const load = useCallback(() => {
    if (!token) return;
    setFailure(undefined);
    sendWire<Order>(READ, { params: { token } }).then(setOrder, setFailure);
  }, [token]);
  useEffect(load, [load]);
  return (
    <OpenPage>
      {!token || (failure instanceof Failure && failure.status === 404) ? (
        <OpenSaid icon="info" title="收款码不存在或已失效">
          <p>请联系工作人员重新出示收款码。</p>
        </OpenSaid>
      ) : failure ? (
        <OpenFailed error={failure} retry={load} />
      ) : !order ? (
        <OpenWaiting />
      ) : (
        <Till order={order} token={token} onChange={setOrder} reload={load} />
      )}
    </OpenPage>
  );
}

type Props = { order: Order; token: string; onChange: (order: Order) => void; reload: () => void };

function Till({ order, token, onChange, reload }: Props) {
  const [busy, setBusy] = useState(false);
  const go = useNavigate();
  // the payment page of bills leads here, and there may be more to pay on it
  const back = useLocation().search === "?back";
  const left = useSecondsLeft(order, reload);
  if (order.state === "paid")
    return (
      <OpenSaid icon="check" look="good" title="付款成功">
        <p>
          已向{order.payee}支付 {yuan(order.amount)} 元
        </p>
        <Facts order={order} />
        <p className="cashier__note">{TILL_NOTE}。</p>
        {back && (
          <button type="button" className="btn btn--lg" onClick={() => go(-1)}>
            返回账单
          </button>
        )}
      </OpenSaid>
    );
  if (order.state === "closed" || left <= 0)
    return (
      <OpenSaid icon="clock" title="收款码已失效">
        <p>请联系工作人员重新出示收款码。</p>
      </OpenSaid>
    );
  const pay = async () => {
    if (busy) return;
    setBusy(true);
    try {
      onChange(await sendWire<Order>(PAY, { params: { token } }));
    } catch (error) {
      toast(sentence(error), "error");
      reload();
    } finally {
      setBusy(false);
    }
  };
  return (
    <article className="open__card cashier stack gap-8">
      <h1 className="cashier__title">收银台</h1>
      <p className="cashier__sum">
        <small>¥</small>
        {yuan(order.amount)}
      </p>
      <p className="cashier__to">付给 {order.payee}</p>
      <Facts order={order} />
      <p className="cashier__note" role="note">
        {TILL_NOTE}。
      </p>
      <button type="button" className="btn btn--main btn--lg cashier__pay" aria-busy={busy} onClick={pay}>
        {busy ? "正在付款…" : `确认付款 ¥${yuan(order.amount)}`}
      </button>
      <p className="fs-12 dim" role="timer">
        {leftText(left)}内有效
      </p>
    </article>
  );
}

const Facts = ({ order }: { order: Order }) => (
  <dl className="cashier__facts grid gap-4">
    {(
      [
        ["款项", order.title],
        ["门店", order.store],
        ["付款人", order.payer],
        ["收款单号", order.orderNo],
        ["交易号", order.tradeNo],
      ] as const
    )
      .filter(([, value]) => value)
      .map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Counts down from what the server said; at the end it is asked again. */
function useSecondsLeft({ state, secondsLeft, orderNo }: Order, over: () => void): number {
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    if (state !== "created") return;
    const end = performance.now() + secondsLeft * 1000;
    const timer = setInterval(() => {
      const now = Math.max(0, Math.round((end - performance.now()) / 1000));
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      over();
    }, 1000);
    return () => clearInterval(timer);
  }, [state, secondsLeft, orderNo, over]);
  return left;
}
