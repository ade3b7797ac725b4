import { ListPage } from "../../../platform/console/list/list.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useBatchActs } from "./acts.panel.tsx";
import { BatchDrawer } from "./batch.panel.tsx";
import { exportPostings, listPostings } from "./posting.contract.ts";
import type { PostedSide } from "./posting.rules.ts";

/** The vouchers that were made, month by month. */
export function Batches({ side }: { side: PostedSide }) {
  const acts = useBatchActs();
  return (
    <>
      <ListPage
        call={listPostings}
        fixed={{ side }}
        unit="张"
        filters={["villageIds", "month", "state"]}
        columns={[
          "batchNo",
          "villageName",
          "month",
          "vouchers",
          { key: "debit", strong: true },
          "credit",
          ...(side === "cost" ? (["paid", "unpaid"] as const) : []),
          "state",
          "fileVersion",
          "glVoucherNo",
          "creator",
          "createdAt",
          "exporter",
          "exportedAt",
          { key: "reason", hidden: true },
        ]}
        card={{
          title: "villageName",
          right: "state",
          lines: [["month", "debit"], ["batchNo"]],
        }}
        sumNote="按当前筛选，已作废的不计入"
        rowActions={acts.of}
        batch={acts.batch}
        pickedNote={(rows) => `借方合计 ${yuan(rows.reduce((sum, r) => sum + r.debit, 0))}`}
        drawer={(id) => <BatchDrawer id={id} acts={acts} />}
        exportCall={exportPostings}
        emptyText="在过账年历中选择门店和月份，检查通过后生成"
      />
      {acts.layer}
    </>
  );
}
