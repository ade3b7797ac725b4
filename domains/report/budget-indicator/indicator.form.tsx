import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { MonthInput } from "../../../platform/console/inputs/days.tsx";
import { ManySelect } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { addToMonth, monthOf } from "../../../platform/kernel/day.ts";
import { subjectOptions } from "../../finance/subject/subject.contract.ts";
import {
  type Drill,
  INDICATORS,
  type IndicatorRow,
  addIndicator,
  editIndicator,
  indicatorBody,
  orderIndicators,
  tryIndicator,
} from "./budget-indicator.contract.ts";
import { DrillRows } from "./drill.panel.tsx";
import { AGGS, MEASURES, UNITS_OF } from "./source.rules.ts";

type Values = Record<string, unknown>;

/** Fee subjects of the account that a line reads. */
function Subjects(p: {
  value: number[] | undefined;
  onChange: (ids: number[] | undefined) => void;
  id?: string | undefined;
}) {
  const { data } = useQuery(ask(subjectOptions, { query: { pageSize: 200 } }));
  return (
    <ManySelect
      {...p}
      placeholder="全部费用"
      clear
      options={data?.map((s) => ({ value: s.id, label: s.name }))}
    />
  );
}

const BLANK = { sign: "plus", account: "6001", subjectIds: [], except: false } as const;

/** A new indicator, or one as it stands; what it would have come to is tried before it is saved. */
export function IndicatorForm({
  record,
  onClose,
}: {
  record?: IndicatorRow | undefined;
  onClose: () => void;
}) {
  const [trying, setTrying] = useState<object>();
  const shared = {
    width: 720,
    cols: 2,
    onClose,
    note: (values: object) => (
      <Button run={() => setTrying({ ...(record && { code: record.code }), ...values })}>试算</Button>
    ),
  };
  const fields = (set: (path: string, value: unknown) => void, form: FormState<never>) => [
    { section: "指标" },
    ...(record ? [] : [{ key: "code" as const, help: "公式中可以引用，保存后不能修改" }]),
    "name" as const,
    {
      key: "parentId" as const,
      input: (p: never) => (
        <RecordSelect {...(p as object as Parameters<typeof RecordSelect>[0])} source={INDICATORS} />
      ),
    },
    "kind" as const,
    "unit" as const,
    "agg" as const,
    "better" as const,
    "must" as const,
    { section: "取数" },
    "by" as const,
    "basis" as const,
    {
      show: () => (
        <Lines
          form={form}
          name={"parts" as never}
          heads={["加减", "科目", "费用", "除外"]}
          fields={
            [
              { key: "sign", width: 110 },
              { key: "account", width: 170 },
              {
                key: "subjectIds",
                input: (p: never) => <Subjects {...(p as object as Parameters<typeof Subjects>[0])} />,
              },
              { key: "except", width: 110 },
            ] as never
          }
          blank={
            { ...BLANK, account: (form.values as Values)["basis"] === "accrual" ? "6001" : "1122" } as never
          }
          add="添加科目"
          most={20}
        />
      ),
      when: (v: object) => (v as Values)["by"] === "money",
    },
    {
      key: "measure" as const,
      when: (v: object) => (v as Values)["by"] === "measure",
      help: (v: object) => MEASURES[(v as { measure: keyof typeof MEASURES }).measure]?.text,
    },
    {
      key: "formula" as const,
      wide: true,
      when: (v: object) => (v as Values)["by"] === "formula",
      help: "用指标的名称或编码和 + − × ÷ ( ) 组成，如 收入 − 营业成本",
    },
  ];
  const start = {
    kind: "income",
    unit: UNITS_OF.income[0],
    basis: "accrual",
    by: "money",
    parts: [BLANK],
    agg: Object.keys(AGGS)[0],
    better: "up",
    must: false,
  };
  return (
    <>
      {record ? (
        <FormDrawer
          {...shared}
          call={editIndicator}
          title={`编辑预算指标 ${record.name}`}
          params={{ id: record.id }}
          initial={record as never}
          fields={fields as never}
          done="预算指标已保存"
        />
      ) : (
        <FormDrawer
          {...shared}
          call={addIndicator}
          title="新增预算指标"
          initial={start as never}
          fields={fields as never}
          done="预算指标已新增"
        />
      )}
      {trying && <TryDialog indicator={trying} onClose={() => setTrying(undefined)} />}
    </>
  );
}

/** 试算: a store and a month, and what the indicator says of them. */
export function TryDialog({ indicator, onClose }: { indicator: object; onClose: () => void }) {
  const [villageId, setVillageId] = useState<number>();
  const [month, setMonth] = useState<string | undefined>(addToMonth(monthOf(today()), -1));
  const [drill, setDrill] = useState<Drill>();
  const why = villageId ? (month ? undefined : "请选择月份") : "请选择门店";
  const run = async () => {
    try {
      const body = indicatorBody.safeParse(indicator);
      // what is missing is said by the server in the words of the form
      const given = (body.success ? body.data : indicator) as never;
      setDrill(
        await send(tryIndicator, { body: { indicator: given, villageId: villageId!, month: month! } }),
      );
    } catch (failure) {
      showFailure(failure);
    }
  };
  return (
    <Dialog
      title="指标试算"
      width={760}
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" why={why} run={run}>
            试算
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-5">
        <div className="row wrap">
          <div style={{ width: 240 }}>
            <VillageSelect value={villageId} onChange={setVillageId} />
          </div>
          <MonthInput value={month} onChange={setMonth} />
        </div>
        {drill ? (
          <DrillRows drill={drill} />
        ) : (
          <p className="dim">选择门店和月份，查看实际数和它的明细；试算不保存指标</p>
        )}
      </div>
    </Dialog>
  );
}

/** The order of those with the same parent, dragged or moved with the arrows. */
export function OrderDialog({
  indicators,
  onClose,
}: {
  indicators: readonly IndicatorRow[];
  onClose: () => void;
}) {
  const act = useAct();
  const groups = [...Map.groupBy(indicators, (i) => i.parentId)].filter(([, of]) => of.length > 1);
  const [orders, setOrders] = useState(() => new Map(groups.map(([id, of]) => [id, of.map((i) => i.id)])));
  const nameOf = new Map(indicators.map((i) => [i.id, i.name]));
  const changed = groups.filter(([id, of]) => of.some((i, at) => orders.get(id)![at] !== i.id));
  const save = async () => {
    for (const [id] of changed) await act(orderIndicators, { body: { ids: orders.get(id)! } });
    onClose();
  };
  return (
    <Dialog
      title="指标排序"
      width={460}
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" why={changed.length ? undefined : "顺序没有变化"} run={save}>
            保存
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-6">
        {groups.map(([id]) => (
          <section key={id ?? 0} className="stack gap-3">
            <h3 className="form__section">{id === null ? "一级指标" : `${nameOf.get(id)} 的下级`}</h3>
            <Ordered
              label={id === null ? "一级指标" : `${nameOf.get(id)} 的下级`}
              items={orders.get(id)!.map((key) => ({ key, title: nameOf.get(key) ?? "" }))}
              onChange={(keys) => setOrders(new Map(orders).set(id, keys))}
            />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
