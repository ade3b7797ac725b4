import { useState } from "react";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { usePreviewed } from "../../../platform/console/form/confirm-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { doing } from "../../../platform/console/parts/actions.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { BILLS } from "../bill/bill.rules.ts";
import { SPREAD_BASIS, type SpreadBasis } from "./posting.rules.ts";
import {
  type CostRow,
  exportCosts,
  listCosts,
  previewSpread,
  spreadCost,
  undoSpread,
} from "./spread.contract.ts";

/** The costs that stores were billed for, and over which stores they are spread. */
export function Costs() {
  const [open, setOpen] = useState<CostRow>();
  return (
    <>
      <ListPage
        call={listCosts}
        unit="笔"
        filters={["villageIds", "month", "keyword"]}
        columns={[
          { key: "billNo", to: (r) => reach(BILLS, { id: r.id }) },
          "title",
          "villageName",
          "partyName",
          "issueDate",
          { key: "amount", strong: true },
          "paid",
          "unpaid",
          { key: "basis", show: (r) => (r.basis ? SPREAD_BASIS[r.basis][0] : "未分摊") },
          "stores",
        ]}
        card={{ title: "title", right: "amount", lines: [["villageName", "issueDate"], ["billNo"]] }}
        rowActions={(r) => [
          r.spreadVersion === null && { label: "分摊", does: spreadCost, run: () => setOpen(r) },
          r.spreadVersion !== null && {
            label: "撤销分摊",
            danger: true,
            ...doing(
              undoSpread,
              { params: { id: r.id }, query: { version: r.spreadVersion } },
              "已撤销分摊",
              {
                title: `撤销分摊 ${r.billNo}`,
                body: `${yuan(r.amount)} 重新由 ${r.villageName} 承担，凭证按今天冲回。`,
              },
            ),
          },
        ]}
        exportCall={exportCosts}
        emptyText="在记一笔中登记的成本在这里分摊到受益的门店"
      />
      {open && <SpreadDialog cost={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const HUNDREDTHS = 100;

/** Over which stores and by what; beside it what each would bear. */
function SpreadDialog({ cost, onClose }: { cost: CostRow; onClose: () => void }) {
  const [basis, setBasis] = useState<SpreadBasis>("rooms");
  const [villageIds, setVillageIds] = useState<number[]>([]);
  const [percents, setPercents] = useState<Record<number, number>>({});
  const shares =
    basis === "fixed" ? villageIds.map((id) => Math.round((percents[id] ?? 0) * HUNDREDTHS)) : [];
  const whole = basis !== "fixed" || shares.reduce((sum, share) => sum + share, 0) === 100 * HUNDREDTHS;
  const params = { id: cost.id };
  const body = { basis, villageIds, shares };
  const of = {
    ...ask(previewSpread, { params, body }),
    enabled: villageIds.length > 0 && whole,
    staleTime: 0,
    retry: false,
  };
  const { preview, error, wrong, run } = usePreviewed({
    of,
    take: async (shown, idempotencyKey) => {
      const { stores } = await send(
        spreadCost,
        { params, body: { ...body, previewHash: shown.hash } },
        { idempotencyKey },
      );
      return `已分摊到 ${stores} 个门店`;
    },
    onClose,
  });
  const { data: villages = [] } = useVillages();
  const names = new Map(villages.map(({ value, label }) => [value, label]));
  return (
    <Dialog
      title={`分摊 ${cost.billNo} ${yuan(cost.amount)}`}
      width={640}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          ok="分摊"
          why={
            !villageIds.length
              ? "请选择门店"
              : !whole
                ? "比例合计应为100%"
                : preview
                  ? undefined
                  : (error?.message ?? "试算中")
          }
          run={run}
        />
      }
    >
      <div className="stack gap-6">
        <label className="stack gap-2" htmlFor="spread-basis">
          分摊方式
        </label>
        <ChoiceInput
          id="spread-basis"
          words={SPREAD_BASIS}
          value={basis}
          onChange={(next) => setBasis((next ?? "rooms") as SpreadBasis)}
        />
        <label className="stack gap-2" htmlFor="spread-villages">
          分摊门店
        </label>
        <VillagesInput id="spread-villages" value={villageIds} onChange={(ids) => setVillageIds(ids ?? [])} />
        {basis === "fixed" &&
          villageIds.map((id) => (
            <label key={id} className="row between">
              {names.get(id)}
              <NumberInput
                value={percents[id]}
                unit="%"
                onChange={(next) => setPercents({ ...percents, [id]: next ?? 0 })}
              />
            </label>
          ))}
        {Object.values(wrong).map((said) => (
          <p key={said} className="bad">
            {said}
          </p>
        ))}
        {preview && (
          <RowTable
            schema={previewSpread.reply!.shape.parts}
            rows={preview.parts}
            columns={["villageName", "weight", "amount"]}
            sums={{ amount: preview.amount }}
          />
        )}
      </div>
    </Dialog>
  );
}
