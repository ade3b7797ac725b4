import { useEffect } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { addToMonth, monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useBatchActs } from "./acts.panel.tsx";
import { BatchDrawer } from "./batch.panel.tsx";
import { exportPostings, listPostings } from "./posting.contract.ts";
import type { PostedSide } from "./posting.rules.ts";

/** The vouchers that were made: those of the month that is being closed, until somebody asks for others. */
export function Batches({ side }: { side: PostedSide }) {
  const [address, set] = useAddress();
  useEffect(() => {
    if (!["month", "villageIds", "state", "id"].some((key) => address.get(key)))
      set({ month: addToMonth(monthOf(today()), -1) });
    // only on entering the list: who clears the month wants to see every one
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
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
