import { ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { applyBatch, previewBatch } from "../invoice/acts.contract.ts";

/** 批量开票: one application for each customer of a store; who cannot be invoiced is left out, with why. */
export const BatchForm = ({ lineIds, onClose }: { lineIds: readonly number[]; onClose: () => void }) => (
  <ConfirmDrawer
    title={`批量开票 ${lineIds.length} 项费用`}
    ok="提交申请"
    onClose={onClose}
    changed="可开票金额已变化，请核对后重新确认"
    of={{
      queryKey: [previewBatch.path, lineIds],
      queryFn: ({ signal }) => send(previewBatch, { body: { lineIds: [...lineIds] } }, { signal }),
      retry: false,
    }}
    take={async (preview, idempotencyKey) => {
      const { ids, waiting } = await send(
        applyBatch,
        { body: { lineIds: [...lineIds], previewHash: preview.hash } },
        { idempotencyKey },
      );
      return waiting
        ? `已申请 ${ids.length} 张发票，${waiting} 位客户的已提交审批`
        : `已申请 ${ids.length} 张发票，等待审核`;
    }}
    why={(preview) => (preview.count ? undefined : "所选费用均不能开票")}
    note={(preview) => `${preview.count} 张，价税合计 ${yuan(preview.amount)}`}
  >
    {(preview) => (
      <RowTable
        schema={previewBatch.reply!.shape.rows}
        rows={preview.rows}
        columns={[
          "partyName",
          "villageName",
          "title",
          "taxNo",
          "kind",
          "count",
          {
            key: "amount",
            show: (row) =>
              row.refusal ? <span className="bad">{row.refusal}</span> : <Money fen={row.amount} />,
          },
          "tax",
        ]}
        sums={{ amount: preview.amount }}
      />
    )}
  </ConfirmDrawer>
);
