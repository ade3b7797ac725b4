import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useEffect } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { allAccounts } from "../../finance/account/account.contract.ts";
import { accountKindOf, type CounterChannel } from "../../finance/account/channel.rules.ts";

type Props = InputProps<number> & {
  villageId: number;
  channel: CounterChannel | undefined;
  direction: "in" | "out";
};

/** The accounts of a store that fit a channel; where there is one, it is taken. */
export function AccountInput({ villageId, channel, direction, value, onChange, ...p }: Props) {
  const { data } = useQuery(ask(allAccounts, { query: { villageId } }));
  const fitting = (data ?? []).filter(
    (a) =>
      channel !== undefined &&
      a.kind === accountKindOf(channel) &&
      a.enabled &&
      !(a.claimed && direction === "in"),
  );
  const wanted = fitting.some((a) => a.id === value)
    ? value
    : fitting.length === 1
      ? fitting[0]!.id
      : undefined;
  const settled = data !== undefined;
  useEffect(() => {
    if (settled && wanted !== value) onChange(wanted);
  });
  return (
    <Select
      {...p}
      id={p.id ?? ""}
      disabled={p.disabled ?? false}
      value={value ?? null}
      placeholder={
        !channel ? "请先选择渠道" : settled && !fitting.length ? "该门店没有此渠道的账户" : "请选择账户"
      }
      notFoundContent="该门店没有此渠道的账户"
      options={fitting.map((a) => ({ value: a.id, label: a.name }))}
      onChange={(next: number | null) => onChange(next ?? undefined)}
      onBlur={() => p.onBlur?.()}
    />
  );
}
