import { useQuery } from "@tanstack/react-query";
import { QRCodeSVG } from "@rc-component/qrcode";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { usePage } from "../../../platform/console/screens/page.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { copy, toast } from "../../../platform/console/parts/toast.ts";
import {
  askPayOrder,
  closePayOrder,
  type Coded,
  getPayOrder,
  payWays,
  type shownOrder,
} from "./pay-order.contract.ts";
import { CODE_CHANNEL, leftText, TILL_NOTE, type CodeChannel } from "./pay-order.rules.ts";
import type { z } from "zod";
import "./till.css";

const EVERY_MS = 2_000;
type Shown = z.output<typeof shownOrder>;

/** What the picture says: the channel's own address, or the till of this house. */
const linkOf = (order: Shown) => order.code ?? `${location.origin}/sams/cashier#${order.token}`;

type Props = Omit<Coded, "what"> & { what: ReactNode; onClose: () => void };

/** 收款码: the customer pays by phone, and what came stands here by itself. */
export function CodeDialog({
  title,
  villageId,
  purpose,
  amount,
  what,
  show,
  said,
  onCounter,
  onClose,
}: Props) {
  const { active } = usePage();
  const refresh = useRefresh();
  const { data: ways } = useQuery(ask(payWays, { query: { villageId, purpose } }));
  const [channel, setChannel] = useState<CodeChannel>();
  const [orders, setOrders] = useState<readonly Shown[]>([]);
  const [at, setAt] = useState(0);
  const [kept, setKept] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const key = useRef(freshKey());
  const making = useRef(show);
  const order = orders[at];
  const { data } = useQuery({
    ...ask(getPayOrder, { params: { id: order?.id ?? 0 } }),
    enabled: active && order !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.state !== "created" ? false : EVERY_MS),
  });
  const now: Reply<typeof getPayOrder> | undefined = data?.id === order?.id ? data : undefined;
  const state = now?.state ?? order?.state;
  const last = at === orders.length - 1;

  useEffect(() => {
    let over = false;
    setFailure(undefined);
    making.current(channel, key.current).then(
      (made) => !over && setOrders(made),
      (error: unknown) => !over && setFailure(error),
    );
    return () => void (over = true);
  }, [channel]);

  const told = useRef(new Set<number>());
  useEffect(() => {
    if (state !== "paid" || !order || told.current.has(order.id)) return;
    told.current.add(order.id);
    const rest = kept || now?.outcome === "kept";
    setKept(rest);
    toast(last ? said(rest).toast : `已收款 ${yuan(order.amount)} 元，请继续出示下一个收款码`);
    if (!last) setAt(at + 1);
    void refresh();
  }, [state, now?.outcome, order, at, last, kept, said, refresh]);

  const again = (next: CodeChannel | undefined) => {
    key.current = freshKey();
    setOrders([]);
    setAt(0);
    setChannel(next);
  };
  const close = async () => {
    for (const open of state === "created" ? orders.slice(at) : [])
      await send(closePayOrder, { params: { id: open.id } }).catch(() => {});
    await refresh();
    onClose();
  };
  const usable = (ways ?? []).filter((w) => !w.why);
  const paid = state === "paid" && last;
  return (
    <Dialog
      title={title}
      width={560}
      onClose={() => void close()}
      footer={
        paid ? (
          <Button look="main" run={close}>
            完成
          </Button>
        ) : (
          <>
            {order && state === "created" && (
              <Button
                run={async () => {
                  const asked = await send(askPayOrder, { params: { id: order.id } });
                  if (asked.state === "created") toast("客户尚未付款", "info");
                  await refresh();
                }}
              >
                查询付款结果
              </Button>
            )}
            {onCounter && <Button run={onCounter}>现场收款</Button>}
            <Button run={close}>关闭收款码</Button>
          </>
        )
      }
    >
      <div className="code">
        <div className="code__box">
          {paid ? (
            <div className="code__none code__paid stack gap-4" role="status">
              <Icon name="check" size={20} />
              <strong>已收款</strong>
            </div>
          ) : failure ? (
            <div className="code__none stack gap-4" role="alert">
              {sentence(failure)}
            </div>
          ) : !order ? (
            <div className="code__none stack gap-4" aria-busy="true">
              <span className="btn__spin" />
            </div>
          ) : state === "closed" ? (
            <div className="code__none stack gap-4">收款码已失效</div>
          ) : (
            <QRCodeSVG value={linkOf(order)} size={192} level="M" marginSize={2} title="收款码" />
          )}
        </div>
        <div className="code__say stack gap-4">
          <p className="code__sum">¥ {yuan(order?.amount ?? amount)}</p>
          {orders.length > 1 && (
            <p>
              第 {at + 1} 个收款码，共 {orders.length} 个：押金与租金进入不同账户
            </p>
          )}
          <p>{what}</p>
          {order && (
            <p className="dim">
              收款账户 {order.accountName} · 收款单 {order.orderNo}
            </p>
          )}
          {usable.length > 1 && at === 0 && state !== "paid" && (
            <div className="code__ways" role="group" aria-label="收款方式">
              {usable.map((w) => (
                <Button
                  key={w.channel}
                  size="sm"
                  look={order?.channel === w.channel ? "main" : "plain"}
                  run={() => again(w.channel)}
                >
                  {CODE_CHANNEL[w.channel][0]}
                </Button>
              ))}
            </div>
          )}
          {order?.channel === "till" && <p className="notice s-orange">{TILL_NOTE}</p>}
          {now?.problem && (
            <p className="notice s-red" role="alert">
              {now.problem}，{state === "paid" ? "已转入预存款" : "未入账"}
            </p>
          )}
          {paid ? (
            <p>{said(kept).text}</p>
          ) : (
            order &&
            state === "created" && (
              <>
                <p className="dim" role="timer">
                  <Left until={order.expiresAt} />
                </p>
                {order.channel === "till" && (
                  <Button look="text" size="sm" icon="copy" run={() => copy(linkOf(order))}>
                    复制付款链接
                  </Button>
                )}
              </>
            )
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The time that is left, without asking anybody. */
function Left({ until }: { until: string }) {
  const seconds = () => (Date.parse(until) - Date.now()) / 1000;
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(seconds()), 5_000);
    return () => clearInterval(timer);
  });
  return <>等待客户付款，{leftText(left)}内有效</>;
}
