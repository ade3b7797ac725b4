import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { Batches } from "./batches.panel.tsx";
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
