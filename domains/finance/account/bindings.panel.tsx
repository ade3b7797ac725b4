import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { RowActions } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { type Binding, changeBinding, removeBinding, villageBindings } from "./binding.contract.ts";
import { type At, BindingForm, ChangeForm } from "./binding.form.tsx";
import { PAY_CHANNEL, PURPOSE, PURPOSES, TERMINAL, placeText } from "./channel.rules.ts";
import "./account.css";

/** What a village receives through, all of it or at one place, and what may be done about it. */
export function Bindings({ village, at }: { village: { id: number; name: string }; at?: At }) {
  const act = useAct();
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Binding>();
  const { data, error, refetch } = useQuery(ask(villageBindings, { query: { villageId: village.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const rows = at ? data.filter((b) => b.terminal === at.terminal && b.payType === at.payType) : data;
  const free = PURPOSES.find((purpose) => !rows.some((b) => b.purpose === purpose));
  const actsOf = (b: Binding) => (
    <RowActions
      actions={[
        { label: "更换", does: changeBinding, run: () => setChanging(b) },
        {
          label: "移除",
          does: removeBinding,
          run: () =>
            act(
              removeBinding,
              { query: { id: b.id, version: b.version } },
              {
                done: "已移除",
                ask: {
                  title: "移除收款账户",
                  body: `移除后，${village.name}的“${placeText(b)}”不再收入“${b.accountName}”，历史流水不变。`,
                  ok: "移除",
                },
              },
            ),
        },
      ]}
    />
  );
  const acting = may("252.edit") || may("252.delete");
  return (
    <>
      {may("252.add") && (!at || free) && (
        <p className="acts">
          <Button icon="plus" run={() => setAdding(true)}>
            {at ? "增加用途" : "配置账户"}
          </Button>
          <span className="dim">更换账户后，新账单将收入新账户，历史流水不变</span>
        </p>
      )}
      <RowTable
        schema={villageBindings.reply}
        rows={rows}
        columns={[
          ...(at ? [] : (["terminal", "payType"] as const).map((key) => plain(key))),
          plain("purpose"),
          {
            key: "accountName",
            show: (b) => (
              <>
                {b.accountName} {b.state === "disabled" && <StatusTag tone="orange">已停用</StatusTag>}
              </>
            ),
          },
          "holderName",
          ...(acting ? [{ own: "acts", title: "操作", show: actsOf }] : []),
        ]}
        flat
        emptyText="还没有配置收款账户；配置后门店才能开业和收款"
      />
      {adding && (
        <BindingForm
          village={village}
          at={at}
          purpose={at ? free! : "all"}
          onClose={() => setAdding(false)}
        />
      )}
      {changing && <ChangeForm village={village} binding={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

const WORDS = { terminal: TERMINAL, payType: PAY_CHANNEL, purpose: PURPOSE };
/** Words without the look of a state: they only say where. */
const plain = (key: keyof typeof WORDS) => ({
  key,
  show: (b: Binding) => (WORDS[key] as Words)[b[key]]![0],
});

/** 收款账户 of one village, in its drawer. */
export default function VillageAccounts({ id }: PanelProps) {
  const { data } = useVillages();
  return <Bindings village={{ id, name: data?.find((v) => v.value === id)?.label ?? "门店" }} />;
}
