import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { exportSummary, summary } from "./income.contract.ts";
import { PARTNER_KINDS, SHEETS } from "./third-party.rules.ts";

/** Our share by store and kind of partner. A figure opens the sheets behind it. */
export function Summary() {
  const [address] = useAddress();
  const month = address.get("month") ?? undefined;
  const to =
    (kind?: string) =>
    ({ id }: { id: number }) =>
      pathTo(SHEETS, {
        list: "sheets",
        villageIds: id,
        state: "confirmed,partSettled,settled",
        ...(month && { month }),
        ...(kind && { kind }),
      });
  return (
    <ListPage
      call={summary}
      unit="个门店"
      filters={["villageIds", "month"]}
      columns={[
        { key: "villageName", to: to() },
        ...PARTNER_KINDS.map((kind) => ({ key: kind, to: to(kind) })),
        { key: "share", strong: true },
        "tax",
        "settled",
        "outstanding",
      ]}
      card={{
        title: "villageName",
        lines: [
          ["share", "outstanding"],
          ["parking", "vending"],
        ],
      }}
      exportCall={exportSummary}
      emptyText="确认第三方收入后，这里按门店和合作方类型汇总我方分成"
    />
  );
}
