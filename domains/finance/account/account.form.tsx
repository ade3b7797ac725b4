import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useEffect } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { accountKindOf, type CounterChannel } from "./channel.rules.ts";
import { allAccounts } from "./account.contract.ts";

type Props = InputProps<number> & {
  villageId: number | undefined;
  channel: CounterChannel | undefined;
  direction?: "in" | "out";
};

/** The accounts of a village that fit a channel; where there is one, it is taken. */
export function AccountSelect({
  villageId,
  channel,
  direction = "in",
  value,
  onChange,
  onBlur,
  id,
  disabled,
}: Props) {
  const { data, isFetching } = useQuery({
    ...ask(allAccounts, { query: { villageId: villageId ?? 0 } }),
    enabled: villageId !== undefined,
  });
  const fitting = channel ? (data ?? []).filter((a) => a.kind === accountKindOf(channel)) : [];
  const whyNot = (a: (typeof fitting)[number]) =>
    !a.enabled ? "已停用" : a.claimed && direction === "in" ? "对公入账，请到对公流水认领登记" : undefined;
  const usable = fitting.filter((a) => !whyNot(a));
  const wanted = usable.some((a) => a.id === value) ? value : usable.length === 1 ? usable[0]!.id : undefined;
  const settled = data !== undefined;
  useEffect(() => {
    if (settled && wanted !== value) onChange(wanted);
  });
  const none = !villageId
    ? "请先选择门店"
    : !channel
      ? "请先选择渠道"
      : data?.length
        ? "该门店没有此渠道的账户"
        : "该门店未配置收款账户";
  return (
    <AccountChoice
      {...{ id, disabled, value, onChange, onBlur }}
      loading={isFetching}
      of={fitting}
      why={whyNot}
      none={none}
      asks={settled && Boolean(channel)}
    />
  );
}

type ChoiceProps<A> = Omit<InputProps<number>, "onBlur"> & {
  onBlur?: (() => void) | undefined;
  of: readonly A[];
  /** Why one cannot be taken: it stands greyed with its reason. */
  why: (account: A) => string | undefined;
  /** What is said where there is none, once that is known. */
  none: string;
  asks: boolean;
  loading: boolean;
  search?: boolean;
};

/** One of some accounts. */
export function AccountChoice<A extends { id: number; name: string }>(p: ChoiceProps<A>) {
  return (
    <Select
      id={p.id ?? ""}
      value={p.value ?? null}
      loading={p.loading}
      disabled={p.disabled ?? false}
      placeholder={p.asks && !p.of.length ? p.none : "请选择账户"}
      notFoundContent={p.none}
      {...(p.search && { showSearch: { optionFilterProp: "label" } })}
      options={p.of.map((a) => ({ value: a.id, label: a.name, disabled: Boolean(p.why(a)), why: p.why(a) }))}
      optionRender={({ data: a }) => (
        <span className="row">
          <span className="grow cut">{a.label}</span>
          {a.why && <small className="dim">{a.why}</small>}
        </span>
      )}
      onChange={(next: number | null) => p.onChange(next ?? undefined)}
      {...(p.onBlur && { onBlur: p.onBlur })}
    />
  );
}
