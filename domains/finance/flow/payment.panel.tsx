import { useQuery } from "@tanstack/react-query";
import { DatePicker, Select } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import type { Reply } from "../../../platform/kernel/call.ts";
import { RecordSelect } from "../../../platform/console/selects.tsx";
import type { InputProps } from "../../../platform/console/inputs.tsx";
import { ask } from "../../../platform/console/request.ts";
import type { Source } from "../../../platform/console/source.ts";
import { FileUpload, type FileRef } from "../../../platform/console/upload.tsx";
import { uploadFile } from "../../system/file/file.contract.ts";
import { allAccounts } from "../account/account.contract.ts";
import { PARTY_KIND } from "../bill/bills.contract.ts";
import { accountKindOf, type CounterChannel } from "./flow.rules.ts";
import { payers } from "./payer.contract.ts";

const SHANGHAI = "+08:00";

/** A moment to the second, as ISO text in the business's time zone. */
export const InstantInput = ({ value, onChange, onBlur, id, disabled }: InputProps<string>) => (
  <DatePicker
    showTime
    id={id}
    value={value ? dayjs(value) : null}
    disabled={disabled}
    placeholder="请选择支付时间"
    maxDate={dayjs()}
    onChange={(at: Dayjs | null) => onChange(at ? at.format(`YYYY-MM-DDTHH:mm:ss${SHANGHAI}`) : undefined)}
    onBlur={onBlur}
  />
);

/** Now, to the minute, so that a preview and its confirmation speak of the same moment. */
export const nowText = (): string =>
  dayjs().second(0).millisecond(0).format(`YYYY-MM-DDTHH:mm:ss${SHANGHAI}`);

type AccountProps = InputProps<number> & {
  villageId: number | undefined;
  channel: CounterChannel | undefined;
  /** Money leaves: transfers into claimed accounts are no matter then. */
  out?: boolean;
};

/** The accounts through which a store may take or give money by a channel. */
export function AccountSelect({
  villageId,
  channel,
  out = false,
  value,
  onChange,
  onBlur,
  id,
  disabled,
}: AccountProps) {
  const { data = [], isFetching } = useQuery({
    ...ask(allAccounts, { query: villageId ? { villageId } : {} }),
    enabled: villageId !== undefined,
  });
  const fitting = data.filter((a) => channel && a.kind === accountKindOf(channel));
  const none = !villageId
    ? "请先选择门店"
    : !channel
      ? "请先选择渠道"
      : data.length
        ? "该门店没有此渠道的账户"
        : "该门店未配置收款账户";
  return (
    <Select
      id={id ?? ""}
      value={value ?? null}
      loading={isFetching}
      disabled={disabled ?? false}
      placeholder="请选择账户"
      notFoundContent={none}
      options={fitting.map((a) => ({
        value: a.id,
        label: a.name,
        disabled: !a.enabled || (a.claimed && !out),
        title: a.claimed && !out ? "该账户为对公入账账户，请到对公流水认领登记" : "",
      }))}
      onChange={(next) => onChange(next ?? undefined)}
      {...(onBlur && { onBlur })}
    />
  );
}

type Payer = Reply<typeof payers>[number];
const PAYERS: Source = {
  call: payers,
  option: ((p: Payer) => ({
    value: p.id,
    label: `${p.name}${p.phone ? ` ${p.phone}` : ""}`,
    note: [PARTY_KIND[p.kind][0], p.rooms].filter(Boolean).join(" · "),
  })) as never,
};

/** A customer by name, phone or room, in the stores one may see. */
export const PayerSelect = ({
  villageId,
  ...props
}: InputProps<number> & { villageId?: number | undefined }) => (
  <RecordSelect
    {...props}
    placeholder="输入姓名、手机号或房间"
    source={{
      ...PAYERS,
      query: { kinds: "renter,company,merchant", ...(villageId && { villageIds: villageId }) },
    }}
  />
);

/** Papers of a payment: pictures or PDF. */
export const PapersInput = ({ value, onChange, ...props }: InputProps<FileRef[]>) => (
  <FileUpload
    {...props}
    value={value}
    onChange={onChange}
    call={uploadFile}
    purpose="paper10M"
    accept=".jpg,.jpeg,.png,.pdf"
    maxBytes={10_485_760}
    maxFiles={9}
  />
);
