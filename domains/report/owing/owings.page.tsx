import { useState } from "react";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { Locks } from "../lock/lock.panel.tsx";
import { FollowForm } from "./follow.form.tsx";
import { cardOf, columnsOf, type Row } from "./columns.panel.tsx";
import { OwingDrawer } from "./owing.panel.tsx";
import { OwingPicture } from "./picture.panel.tsx";
import { addFollow, exportOwing, owingReport } from "./owing.contract.ts";
import { MODES, type Mode } from "./owing.rules.ts";

const TABS = (Object.keys(MODES) as Mode[]).map((key) => ({ key, title: MODES[key][0] }));
const UNITS: Record<Mode, string> = {
  party: "户",
  room: "间",
  bill: "笔",
  subject: "个科目",
  village: "个门店",
};

export default function OwingsPage() {
  const [address] = useAddress();
  const go = useGo();
  const [following, setFollowing] = useState<Row>();
  const mode = TABS.find((m) => m.key === address.get("mode"))?.key ?? "party";
  const day = address.get("day") ?? dayInZone(new Date());
  const drill = (row: Row, age?: string) => {
    const of = {
      party: "partyId",
      room: "roomId",
      bill: "keyword",
      subject: "subjectIds",
      village: "villageIds",
    };
    const kept = Object.fromEntries(
      [...address].filter(([k]) => !["id", "part", "pageNo", "sort", "order"].includes(k)),
    );
    return `?${new URLSearchParams({ ...kept, mode: "bill", [of[mode]]: String(row.id), ...(age && { ages: age }) })}`;
  };
  return (
    <div className="report">
      <Locks villageIds={address.get("villageIds")} from={day} to={day} />
      <ListPage
        key={mode}
        call={owingReport}
        unit={UNITS[mode]}
        tabs={{ key: "mode", items: TABS }}
        filters={[
          "villageIds",
          "day",
          "ages",
          "keyword",
          "partyKind",
          "contractState",
          "subjectIds",
          "amountFrom",
          "disputed",
          "partyId",
          "roomId",
        ]}
        columns={columnsOf(mode, { day, today: !address.get("day"), drill })}
        card={cardOf(mode)}
        {...(mode === "party" && {
          rowActions: (row: Row) => [
            { label: "登记跟进", does: addFollow, run: () => setFollowing(row) },
            receive(row) !== undefined && { label: "收款", need: "102.add", run: () => go(receive(row)!) },
          ],
          drawer: (id: number) => <OwingDrawer id={id} day={day} onFollow={setFollowing} />,
        })}
        exportCall={exportOwing}
        picture={(query, filter) => <OwingPicture query={query} filter={filter} />}
        emptyText="截至这一天没有欠费"
      />
      {following && <FollowForm party={following} onClose={() => setFollowing(undefined)} />}
    </div>
  );
}

const receive = (row: Row) => reach("/accountManage/addBillFlow", { partyId: row.partyId });
