import { yuan } from "../../../platform/kernel/fen.ts";
import { type Body, FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { AccountSelect } from "../account/account.form.tsx";
import { PaidAtInput, PapersInput } from "../flow-list/payment.form.tsx";
import {
  type RefundRow,
  confirmRefund,
  rerouteRefund,
  applyForRefund,
  refundRoutes,
  refundSources,
  splitText,
} from "./refund.contract.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useEffect } from "react";
import { type InputProps, MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { payerSource } from "../payer/payer.panel.tsx";
import { type Channel, CHANNELS } from "../account/channel.rules.ts";
import { REFUND_SOURCE, ROUTES, freeOf } from "./refund.rules.ts";

type Props = { of: RefundRow; onClose: () => void };
const left = (r: RefundRow) => r.amount - r.paid;

/** 确认已付: the money has left the account; the slip goes along. */
export const ConfirmForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={confirmRefund}
    title={`确认已付 ${of.refundNo}`}
    ok={`确认已付 ${yuan(left(of))}`}
    done="已确认退款"
    params={{ id: of.id }}
    initial={{ version: of.version }}
    width={560}
    onClose={onClose}
    note={() =>
      `付给 ${of.payeeName}${of.route === "bank" ? ` ${of.payeeBank} ${of.payeeTail}` : "（现金）"}`
    }
    fields={[
      {
        key: "merchantAccountId",
        input: (p) => (
          <AccountSelect
            {...p}
            villageId={of.villageId}
            channel={of.route === "cash" ? "cash" : "bankTransfer"}
            direction="out"
          />
        ),
      },
      { key: "paidAt", input: (p) => <PaidAtInput {...p} /> },
      { key: "channelTradeNo", when: () => of.route === "bank" },
      { key: "fileIds", must: of.route === "bank", input: (p) => <PapersInput {...p} /> },
      "remark",
    ]}
  />
);

const byHand = (now: Partial<Body<typeof rerouteRefund>>) => now.route !== "channel";
const byBank = (now: Partial<Body<typeof rerouteRefund>>) => now.route === "bank";

/** 更换方式: another way, or the account that was missing. */
export const RerouteForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={rerouteRefund}
    title={`更换退款方式 ${of.refundNo}`}
    ok="更换"
    onDone={({ waiting }) => toast(waiting ? `已提交审批 ${waiting}` : "已更换退款方式")}
    params={{ id: of.id }}
    initial={{
      version: of.version,
      route: of.route === "channel" ? "bank" : of.route,
      payeeName: of.payeeName,
      payeeBank: of.payeeBank,
      payeeAccount: "",
    }}
    width={560}
    onClose={onClose}
    note={() => `未付 ${yuan(left(of))} 元`}
    fields={[
      "route",
      { key: "payeeName", when: byHand },
      { key: "payeeBank", must: true, when: byBank },
      {
        key: "payeeAccount",
        must: true,
        when: byBank,
        placeholder: of.payeeTail && `原账号 ${of.payeeTail}`,
      },
      { key: "relation", placeholder: "收款人不是客户本人时填写", when: byHand },
      { key: "fileIds", title: "证明", when: byHand, input: (p) => <PapersInput {...p} /> },
    ]}
  />
);

type Asked = Body<typeof applyForRefund>;
type Setting = (path: string, value: unknown) => void;

/** 申请退款: whose money, which of it, how much, and by which way it goes back. */
export const ApplyForm = ({ onClose, partyId }: { onClose: () => void; partyId?: number | undefined }) => (
  <FormDrawer
    call={applyForRefund}
    title="申请退款"
    ok="提交申请"
    onClose={onClose}
    done="已申请退款"
    width={640}
    {...(partyId && { initial: { partyId } })}
    note={({ amount }) => (amount ? `退款 ${yuan(amount)} 元` : "")}
    fields={(set) => [
      { section: "退款款项" },
      {
        key: "partyId",
        input: (p) => <RecordSelect {...p} source={payerSource()} placeholder="客户姓名、手机号或房间" />,
      },
      {
        key: "sourceId",
        title: "款项",
        input: (p, now) => (
          <SourceInput
            {...p}
            now={now}
            set={set}
            onChange={(value) => {
              p.onChange(value);
              set("parts", undefined);
            }}
          />
        ),
      },
      "amount",
      {
        key: "parts",
        wide: true,
        when: isNamed,
        input: (p, now) => <Plan {...p} now={now} set={set} />,
      },
      "reason",
      { section: "收款信息" },
      { key: "route", input: (p, now) => <RouteInput {...p} now={now} /> },
      { key: "payeeName", placeholder: "不填为客户本人", when: byHandApply },
      { key: "payeeBank", must: true, when: byBankApply },
      { key: "payeeAccount", must: true, when: byBankApply },
      { key: "relation", placeholder: "收款人不是客户本人时填写", when: byHandApply },
      { key: "fileIds", title: "证明", when: byHandApply, input: (p) => <PapersInput {...p} /> },
    ]}
  />
);

const isNamed = (now: Partial<Asked>) => now.sourceId !== undefined && Boolean(now.amount);
const byHandApply = (now: Partial<Asked>) => now.route !== undefined && now.route !== "channel";
const byBankApply = (now: Partial<Asked>) => now.route === "bank";

type Chosen = Partial<Pick<Asked, "partyId" | "source" | "villageId">>;
/** Everything of a customer that is held; choosing one brings its amount. */
export function SourceInput({
  value,
  onChange,
  id,
  disabled,
  now,
  set,
}: InputProps<number> & { now: Chosen; set: Setting }) {
  const { data, isFetching } = useQuery({
    ...ask(refundSources, { query: { partyId: now.partyId ?? 0 } }),
    enabled: now.partyId !== undefined,
  });
  const rows = data ?? [];
  const at = rows.findIndex(
    (s) => s.sourceId === value && s.source === now.source && s.villageId === now.villageId,
  );
  return (
    <Select
      id={id ?? ""}
      value={at < 0 ? null : at}
      loading={isFetching}
      disabled={disabled || now.partyId === undefined}
      placeholder={now.partyId === undefined ? "请先选择客户" : "请选择款项"}
      notFoundContent="该客户没有可退的预存款、押金或定金"
      options={rows.map((s, i) => ({
        value: i,
        label: `${s.label} · ${s.villageName} · 可退 ${yuan(s.available)}`,
        disabled: s.available === 0,
      }))}
      onChange={(i: number) => {
        const picked = rows[i]!;
        onChange(picked.sourceId);
        set("source", picked.source);
        set("villageId", picked.villageId);
        set("amount", picked.available);
      }}
    />
  );
}

const usePlan = ({ source, sourceId, villageId, amount, parts }: Partial<Asked>) => {
  const known =
    source !== undefined &&
    sourceId !== undefined &&
    villageId !== undefined &&
    [{ amount }, ...(parts ?? [])].every((part) => Number.isSafeInteger(part.amount) && part.amount! > 0);
  return useQuery({
    ...ask(refundRoutes, {
      query: {
        source: source ?? "prepaid",
        sourceId: sourceId ?? 0,
        villageId: villageId ?? 0,
        amount: amount ?? 0,
        ...(parts?.length && { parts: splitText(parts) }),
      },
    }),
    placeholderData: (before) => before,
    enabled: known,
    staleTime: 0,
  });
};

type Parts = NonNullable<Asked["parts"]>;
type Share = Reply<typeof refundRoutes>["shares"][number];
const nameOf = (share: Share) =>
  share.flowNo ? `${CHANNELS[share.channel as Channel][0]}流水 ${share.flowNo}` : "期初余额";

/** What the amount is taken from, each flow with an amount of its own, and the way that is proposed. */
function Plan({
  value: split,
  onChange,
  now,
  set,
}: InputProps<Parts> & { now: Partial<Asked>; set: Setting }) {
  const { data } = usePlan(now);
  const [hash, route] = [data?.hash, data?.route];
  useEffect(() => {
    if (hash !== undefined) set("previewHash", hash);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hash]);
  useEffect(() => {
    if (route !== undefined) set("route", route);
    // the proposal stands until somebody chooses otherwise
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [route]);
  if (!data) return null;
  const { shares } = data;
  const given = (share: Share) =>
    split ? (split.find((part) => part.flowId === share.flowId)?.amount ?? 0) : share.amount;
  const give = (to: Share, amount = 0) =>
    onChange(
      shares
        .map((share) => ({ flowId: share.flowId, amount: share === to ? amount : given(share) }))
        .filter((part) => part.amount !== 0),
    );
  return (
    <div className="refund__plan">
      <p>
        {REFUND_SOURCE[now.source ?? "prepaid"][0]}在管 <b>{yuan(data.held)}</b>，可退余额{" "}
        <b>{yuan(data.available)}</b>
        {now.amount !== undefined && now.amount > data.available && (
          <span className="bad"> 退款金额超过可退余额</span>
        )}
      </p>
      <ul className="stack gap-2">
        {shares.map((share) => (
          <li key={share.flowId} className="row wrap gap-4">
            <span className="grow">
              {nameOf(share)}，{share.paidOn && `${share.paidOn}，`}可退 {yuan(freeOf(share))}
            </span>
            {shares.length > 1 ? (
              <label className="row gap-2">
                退<span className="sr">{nameOf(share)}</span>
                <MoneyInput value={given(share)} onChange={(amount) => give(share, amount)} />
              </label>
            ) : (
              <span>退 {yuan(share.amount)}</span>
            )}
          </li>
        ))}
      </ul>
      {data.splitWhy && (
        <p className="bad" role="alert">
          {data.splitWhy}
        </p>
      )}
      {split && (
        <Button look="text" run={() => onChange(undefined)}>
          恢复默认（最近收款先退）
        </Button>
      )}
      {data.why && <p className="dim">{data.why}，建议银行打款</p>}
    </div>
  );
}

/** The ways, and why some cannot be taken. */
function RouteInput({
  value,
  onChange,
  id,
  disabled,
  now,
}: InputProps<Asked["route"]> & { now: Partial<Asked> }) {
  const { data } = usePlan(now);
  return (
    <Select
      id={id ?? ""}
      value={value ?? null}
      disabled={disabled ?? false}
      placeholder="请选择方式"
      options={(data?.routes ?? []).map((r) => ({
        value: r.route,
        label: r.why ? `${ROUTES[r.route][0]}（${r.why}）` : ROUTES[r.route][0],
        disabled: r.why !== "",
      }))}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
