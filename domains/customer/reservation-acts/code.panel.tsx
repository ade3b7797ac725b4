import { useQuery } from "@tanstack/react-query";
import { QRCodeSVG } from "@rc-component/qrcode";
import { useEffect, useRef, useState } from "react";
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
  getPayOrder,
  payWays,
} from "../../finance/pay-order/pay-order.contract.ts";
import {
  CODE_CHANNEL,
  leftText,
  TILL_NOTE,
  type CodeChannel,
} from "../../finance/pay-order/pay-order.rules.ts";
import { showReservationCode } from "./acts.contract.ts";
import type { Acted } from "./acts.form.tsx";
import "../lead/lead.css";

const EVERY_MS = 2_000;
type Shown = Reply<typeof showReservationCode>;

/** What the picture says: the channel's own address, or the till of this house. */
const linkOf = (order: Shown) => order.code ?? `${location.origin}/sams/cashier#${order.token}`;

type Props = { of: Acted; onCounter: () => void; onClose: () => void };

/** 收款码: the customer pays by phone, and what came stands here by itself. */
export default function ReservationCode({ of, onCounter, onClose }: Props) {
  const { active } = usePage();
  const refresh = useRefresh();
  const { data: ways } = useQuery(ask(payWays, { query: { villageId: of.villageId } }));
  const [channel, setChannel] = useState<CodeChannel>();
  const [order, setOrder] = useState<Shown>();
  const [failure, setFailure] = useState<unknown>();
  const key = useRef(freshKey());
  const { data } = useQuery({
    ...ask(getPayOrder, { params: { id: order?.id ?? 0 } }),
    enabled: active && order !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.state !== "created" ? false : EVERY_MS),
  });
  const now = data?.id === order?.id ? data : undefined;
  const state = now?.state ?? order?.state;

  useEffect(() => {
    let over = false;
    setFailure(undefined);
    send(
      showReservationCode,
      { params: { id: of.id }, body: channel ? { channel } : {} },
      { idempotencyKey: key.current },
    ).then(
      (made) => !over && setOrder(made),
      (error: unknown) => !over && setFailure(error),
    );
    return () => void (over = true);
  }, [of.id, channel]);

  const told = useRef(false);
  useEffect(() => {
    if (state !== "paid" || told.current) return;
    told.current = true;
    toast(now?.outcome === "kept" ? "已收款，款项转为预存款" : "已收款，预订成功");
    void refresh();
  }, [state, now?.outcome, refresh]);

  const again = (next: CodeChannel | undefined) => {
    key.current = freshKey();
    setOrder(undefined);
    setChannel(next);
  };
  const close = async () => {
    if (order && state === "created") await send(closePayOrder, { params: { id: order.id } }).catch(() => {});
    await refresh();
    onClose();
  };
  const usable = (ways ?? []).filter((w) => !w.why);
  return (
    <Dialog
      title={`收款码 ${of.partyName}`}
      width={560}
      onClose={() => void close()}
      footer={
        state === "paid" ? (
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
            <Button run={onCounter}>现场收款</Button>
            <Button run={close}>关闭收款码</Button>
          </>
        )
      }
    >
      <div className="code">
        <div className="code__box">
          {state === "paid" ? (
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
          <p className="code__sum">¥ {yuan(order?.amount ?? of.earnest)}</p>
          <p>
            {of.earnestKind} {of.number} · {of.roomName}
          </p>
          {order && (
            <p className="dim">
              收款账户 {order.accountName} · 收款单 {order.orderNo}
            </p>
          )}
          {usable.length > 1 && state !== "paid" && (
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
              {now.problem}，未入账
            </p>
          )}
          {state === "paid" ? (
            <p>{now?.outcome === "kept" ? "预订已过期，款项转为客户预存款" : `${of.roomName} 已保留`}</p>
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
