import { ListPage } from "../../../platform/console/list/list.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { exportPostings, listPostings } from "./posting.contract.ts";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { useBatchActs } from "./acts.form.tsx";
import { BatchDrawer } from "./batch.panel.tsx";
import { Mappings } from "./mapping.panel.tsx";
import { MonthDrawer } from "./month.panel.tsx";
import { COST_PAGE, INCOME_PAGE, OFFICE_KEY, type PostedSide } from "./posting.rules.ts";
import { Costs } from "./spread.panel.tsx";
import { Year } from "./year.panel.tsx";

const LISTS = [
  { key: "year", title: "过账年历" },
  { key: "list", title: "过账单" },
  { key: "mapping", title: "科目映射" },
];

/** The page of a side; ?list= says which look, ?at= and ?place= which month is open beside it. */
export function Postings({ side }: { side: PostedSide }) {
  const [address, set] = useAddress();
  const go = useGo();
  const page = side === "income" ? INCOME_PAGE : COST_PAGE;
  const lists = side === "cost" ? [...LISTS, { key: "costs", title: "成本分摊" }] : LISTS;
  const on = lists.find(({ key }) => key === address.get("list"))?.key ?? "year";
  const at = address.get("at");
  const place = address.get("place");
  const villageId = place && place !== OFFICE_KEY ? Number(place) : null;
  const open = (id: number | null, month: string) =>
    set({ place: id === null ? OFFICE_KEY : String(id), at: month }, { push: true });
  return (
    <>
      <TabPage
        label={side === "income" ? "收入过账" : "成本过账"}
        items={lists}
        on={on}
        onChange={(list) => go(page, { list })}
      >
        {on === "year" && <Year side={side} open={open} />}
        {on === "list" && <Batches side={side} />}
        {on === "mapping" && <Mappings />}
        {on === "costs" && <Costs />}
      </TabPage>
      {at && place && (
        <MonthDrawer
          side={side}
          month={at}
          villageId={villageId}
          onClose={() => set({ at: undefined, place: undefined })}
        />
      )}
    </>
  );
}

/** The vouchers that were made, month by month. */
function Batches({ side }: { side: PostedSide }) {
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
