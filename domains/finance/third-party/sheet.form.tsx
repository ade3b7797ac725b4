import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { today } from "../../../platform/console/session/operator.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { addToMonth, monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { channelInput, PaidAtInput, PapersInput } from "../flow-list/payment.form.tsx";
import {
  addSheet,
  editSheet,
  previewSheet,
  settleLines,
  settleSheet,
  type SheetRow,
} from "./income.contract.ts";
import { PARTNERS } from "./third-party.contract.ts";

type Typed = Partial<Body<typeof addSheet>>;

/** What the sheet comes to by the terms of its month, or as it is set. */
function Shared({ of }: { of: Typed }) {
  const { villageId, month, thirdPartyId, gross, share } = of;
  const whole = villageId && month && thirdPartyId && Number.isSafeInteger(gross);
  const { data, error } = useQuery({
    ...ask(previewSheet, {
      query: {
        villageId: villageId ?? 0,
        month: month ?? "",
        thirdPartyId: thirdPartyId ?? 0,
        gross: gross ?? 0,
        ...(Number.isSafeInteger(share) && { share: share! }),
      },
    }),
    enabled: Boolean(whole),
    retry: false,
  });
  if (!whole) return <p className="dim">选好合作方和月份并填写总额后，这里显示我方分成</p>;
  if (error) return <p className="bad">{sentence(error)}</p>;
  if (!data) return null;
  return (
    <p role="status">
      我方分成 <b>{yuan(data.share)}</b>，其中税额 {yuan(data.tax)}
      <br />
      <span className="sub">{data.formula}</span>
    </p>
  );
}

const partnersOf = (villageId: number | undefined): Source => ({
  ...PARTNERS,
  query: { ...PARTNERS.query, state: "enabled", ...(villageId && { villageIds: villageId }) },
});

const fieldsOf = (files: string) =>
  [
    {
      key: "villageId" as const,
      input: (p: Parameters<typeof VillageSelect>[0]) => <VillageSelect {...p} />,
    },
    "month" as const,
    {
      key: "thirdPartyId" as const,
      input: (p: Omit<Parameters<typeof RecordSelect>[0], "source">, v: Typed) => (
        <RecordSelect {...p} source={partnersOf(v.villageId)} placeholder="合作方名称" />
      ),
    },
    "gross" as const,
    { key: "share" as const, placeholder: "不填按条款计算" },
    {
      key: "overrideReason" as const,
      must: true,
      when: (v: Typed) => typeof v.share === "number",
    },
    { show: (v: Typed) => <Shared of={v} /> },
    {
      key: "fileIds" as const,
      title: files,
      input: (p: Parameters<typeof PapersInput>[0]) => <PapersInput {...p} />,
    },
  ] as const;

/** 新增, or a draft as it stands. */
export const SheetForm = ({ of, onClose }: { of?: SheetRow; onClose: () => void }) =>
  of ? (
    <FormDrawer
      call={editSheet}
      title={`修改 ${of.sheetNo}`}
      done="已保存"
      params={{ id: of.id }}
      initial={{
        ...of,
        share: of.formula.includes("；") ? of.share : undefined,
        fileIds: [],
      }}
      onClose={onClose}
      fields={fieldsOf("补充附件")}
    />
  ) : (
    <FormDrawer
      call={addSheet}
      title="新增第三方收入"
      done="已新增草稿，确认后入账"
      initial={{ month: addToMonth(monthOf(today()), -1) }}
      onClose={onClose}
      fields={fieldsOf("附件")}
    />
  );

type Line = { id: number; accountName: string; day: string; counterName: string; free: number };
const linesOf = (id: number): Source => ({
  call: settleLines,
  query: { incomeId: id },
  option: ((line: Line) => ({
    value: line.id,
    label: `${line.day} ${line.counterName} 未认领 ${yuan(line.free)}`,
    note: line.accountName,
  })) as Source["option"],
});

type Settle = Partial<Body<typeof settleSheet>>;
const byReceipt = (v: Settle) => v.by === "receipt";

/** 结算: a transfer that nobody has claimed, or money that was taken at the counter. */
export const SettleForm = ({ of, onClose }: { of: SheetRow; onClose: () => void }) => (
  <FormDrawer
    call={settleSheet}
    title={`结算 ${of.sheetNo}`}
    ok="结算"
    params={{ id: of.id }}
    initial={{ version: of.version, by: "line", amount: of.outstanding }}
    onDone={({ settlementId, paidBy }) =>
      toast(settlementId === null ? `已登记 ${paidBy}，待第二人确认后结算` : `已结算，${paidBy}`)
    }
    onClose={onClose}
    note={() => `${of.partnerName} ${of.month} 未结算 ${yuan(of.outstanding)}`}
    fields={[
      "by",
      "amount",
      {
        key: "lineId",
        must: true,
        when: (v: Settle) => v.by === "line",
        help: "公司账户中无人认领的到账",
        input: (p) => (
          <RecordSelect
            {...p}
            value={p.value ?? undefined}
            source={linesOf(of.id)}
            placeholder="日期、对方户名"
          />
        ),
      },
      {
        key: "channel",
        must: true,
        when: byReceipt,
        input: (p) => channelInput({ ...p, value: p.value ?? undefined }),
      },
      {
        key: "merchantAccountId",
        must: true,
        when: byReceipt,
        input: (p, v) => (
          <AccountSelect
            {...p}
            value={p.value ?? undefined}
            villageId={of.villageId}
            channel={v.channel ?? undefined}
          />
        ),
      },
      { key: "paidAt", when: byReceipt, input: (p) => <PaidAtInput {...p} /> },
      { key: "channelTradeNo", when: byReceipt },
      { key: "payerName", when: byReceipt, placeholder: of.partnerName },
      { key: "fileIds", when: byReceipt, input: (p) => <PapersInput {...p} /> },
      { key: "remark", when: byReceipt },
    ]}
  />
);
