import { useState } from "react";
import { roomLabel } from "../../../platform/kernel/names.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { Locks } from "../lock/lock.panel.tsx";
import { FollowForm } from "./follow.form.tsx";
import { cardOf, columnsOf, type Row } from "./columns.panel.tsx";
import { OwingDrawer } from "./owing.panel.tsx";
import { OwingPicture } from "./picture.panel.tsx";
import { exportOwing, owingReport } from "./owing.contract.ts";
import { owingParties, owingSubjects } from "./options.contract.ts";
import { AGE_WORDS, CONTRACT_STATES, MODES, PARTY_KINDS, type Mode } from "./owing.rules.ts";
import { addFollow } from "./follow.contract.ts";

type Named = { id: number; name: string; note: string | null };
const named = (row: Named) => ({ value: row.id, label: row.name, note: row.note ?? undefined });
const PARTIES: Source = { call: owingParties, option: named as Source["option"] };
const SUBJECTS: Source = { call: owingSubjects, option: named as Source["option"] };
const ROOMS: Source = {
  call: roomOptions,
  option: ((row: { id: number; fullName: string }) => ({
    value: row.id,
    label: roomLabel(row.fullName),
  })) as Source["option"],
};

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
          { kind: "village", key: "villageIds" },
          { kind: "day", key: "day", title: "截至日", usual: [dayInZone(new Date())] },
          { kind: "choice", key: "ages", title: "账龄", words: AGE_WORDS, many: true },
          { kind: "keyword", key: "keyword", title: "客户、手机号、房间、合同号" },
          { kind: "choice", key: "partyKind", title: "客户类型", words: PARTY_KINDS },
          { kind: "choice", key: "contractState", title: "合同状态", words: CONTRACT_STATES },
          { kind: "record", key: "subjectIds", title: "费用科目", source: SUBJECTS },
          { kind: "money", from: "amountFrom", to: "amountTo", title: "欠费金额" },
          { kind: "flag", key: "disputed", title: "含争议" },
          { kind: "record", key: "partyId", title: "客户", source: PARTIES },
          { kind: "record", key: "roomId", title: "房间", source: ROOMS },
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
