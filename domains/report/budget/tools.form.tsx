import { useState } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput, MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { UNITS } from "../budget-indicator/source.rules.ts";
import { MONTHS, isMoney, typeableValue } from "../budget-indicator/value.rules.ts";
import { type GridRow, spreadYear } from "./budget.contract.ts";
import { SPREAD, type Spread, raised } from "./budget.rules.ts";
import type { Typed } from "./edits.panel.tsx";

type Lay = (typed: readonly Typed[]) => void;
const laid = (row: GridRow, values: readonly (number | null)[]): Typed[] =>
  MONTHS.flatMap((month, i) => {
    const value = values[i] ?? null;
    return value === null
      ? []
      : [{ indicatorId: row.id, unit: row.unit, month, typed: typeableValue(row.unit, value, true) }];
  });

/** 全年分摊: a year's sum over the months, equally or as they were a year ago. */
export function SpreadForm({
  versionId,
  row,
  onLay,
  onClose,
}: {
  versionId: number;
  row: GridRow;
  onLay: Lay;
  onClose: () => void;
}) {
  const [whole, setWhole] = useState<number>();
  const [how, setHow] = useState<Spread>("even");
  const why = whole === undefined || Number.isNaN(whole) ? "请输入全年合计" : undefined;
  const run = async () => {
    try {
      const body = { indicatorId: row.id, whole: whole!, how };
      const { values } = await send(spreadYear, { params: { id: versionId }, body });
      onLay(laid(row, values));
      onClose();
    } catch (failure) {
      showFailure(failure);
    }
  };
  return (
    <Dialog
      title={`${row.name}：全年分摊`}
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" why={why} run={run}>
            填入
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-5">
        <label className="fi">
          <span className="fi__label">全年合计</span>
          <div className="fi__in">
            {isMoney(row.unit) ? (
              <MoneyInput value={whole} onChange={setWhole} />
            ) : (
              <NumberInput value={whole} onChange={setWhole} unit={UNITS[row.unit][0]} />
            )}
          </div>
        </label>
        <div className="fi">
          <span className="fi__label">方式</span>
          <div className="fi__in">
            <ChoiceInput value={how} onChange={(next) => setHow((next as Spread) ?? "even")} words={SPREAD} />
          </div>
        </div>
        <p className="dim fs-13">各月合计与全年合计一致，填入后可以撤销</p>
      </div>
    </Dialog>
  );
}

/** 整行上浮: every month of a row that is filled, some percent up or down. */
export function RaiseForm({
  row,
  values,
  onLay,
  onClose,
}: {
  row: GridRow;
  values: readonly (number | null)[];
  onLay: Lay;
  onClose: () => void;
}) {
  const [percent, setPercent] = useState<number>();
  const filled = values.some((v) => v !== null);
  const why = !filled
    ? "该行还没有填写"
    : percent === undefined || Number.isNaN(percent) || percent < -100 || percent > 1000
      ? "请输入-100到1000之间的百分比"
      : undefined;
  return (
    <Dialog
      title={`${row.name}：整行上浮`}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          ok="填入"
          why={why}
          run={() => {
            onLay(
              laid(
                row,
                values.map((v) => (v === null ? null : raised(v, Math.round(percent! * 100)))),
              ),
            );
            onClose();
          }}
        />
      }
    >
      <label className="fi">
        <span className="fi__label">上浮</span>
        <div className="fi__in">
          <NumberInput value={percent} onChange={setPercent} unit="%" />
          <div className="fi__help fs-12 dim">负数为下调；按分四舍五入，填入后可以撤销</div>
        </div>
      </label>
    </Dialog>
  );
}
