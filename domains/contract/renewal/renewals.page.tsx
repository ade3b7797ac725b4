import { useEffect, useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { BatchDrawer } from "./batch.panel.tsx";
import { RenewalBoard } from "./board.panel.tsx";
import { useInvite } from "./invite.panel.tsx";
import { riseText } from "./renew.form.tsx";
import {
  type RenewalRow,
  countRenewals,
  exportRenewals,
  handInRenewal,
  inviteRenewals,
  listRenewals,
} from "./renewal.contract.ts";
import { RenewalDrawer, contractPath, useRenewalActs } from "./renewal.panel.tsx";
import { TABS } from "./renewal.rules.ts";
import { yuan } from "../../../platform/kernel/fen.ts";

const MOST = 200;
const tooMany = (rows: readonly unknown[]) => (rows.length > MOST ? `一次最多处理${MOST}份` : undefined);
const noneDue = (rows: readonly RenewalRow[]) =>
  tooMany(rows) ?? (rows.some((r) => r.state === "due") ? undefined : "所选合同都不在待续租中");
const due = (rows: readonly RenewalRow[]) => rows.filter((r) => r.state === "due");

const Left = ({ row }: { row: RenewalRow }) => (
  <span>
    {row.endDate}{" "}
    <span className={row.daysLeft <= 30 ? "soon" : "dim"}>
      {row.daysLeft < 0 ? `已过 ${-row.daysLeft} 天` : row.daysLeft === 0 ? "今天" : `${row.daysLeft} 天后`}
    </span>
  </span>
);

/** 续租申请: who leaves soon, what they were offered, and the renewal until it is signed. */
export default function RenewalsPage() {
  const acts = useRenewalActs();
  const [address, set] = useAddress();
  const [batch, setBatch] = useState<readonly RenewalRow[]>();
  const [invite, invited] = useInvite();
  const board = address.get("view") === "board";
  const asked = Number(address.get("renewing")) || undefined;
  const { renew } = acts;
  useEffect(() => {
    if (!asked) return;
    set({ renewing: undefined });
    renew(asked);
  }, [asked, renew, set]);
  const turn = {
    label: board ? "列表" : "到期看板",
    need: "73.query" as const,
    run: () => set({ view: board ? undefined : "board", id: undefined }),
  };
  return (
    <>
      {board ? (
        <section className="stack gap-6">
          <div className="row">
            <Button run={turn.run}>{turn.label}</Button>
          </div>
          <RenewalBoard acts={acts} />
        </section>
      ) : (
        <ListPage
          call={listRenewals}
          unit="份"
          tabs={{
            key: "tab",
            counts: countRenewals,
            items: Object.entries(TABS).map(([key, title]) => ({ key, title })),
          }}
          filters={["villageIds", "left", "intent", "keyword", "endFrom", "managerId", "owing", "offer"]}
          columns={[
            { key: "contractNo", to: contractPath },
            {
              key: "roomNames",
              width: 150,
              show: (r) => <Rooms names={r.roomNames} beside={r.villageName} />,
            },
            { key: "villageName", hidden: true },
            {
              key: "partyName",
              to: (r) => reach(PARTY_PAGE[r.kind]!, { id: r.partyId }),
            },
            { key: "endDate", width: 156, show: (r) => <Left row={r} /> },
            { key: "rent", strong: true },
            "listPrice",
            { key: "intent", title: "意向", width: 88 },
            { key: "offerState", title: "续租方案", width: 96 },
            {
              key: "followedAt",
              width: 176,
              holds: ["followNote"],
              show: (r) =>
                r.followedAt ? (
                  <span title={r.followNote}>
                    {r.followedAt.slice(0, 10)} <span className="dim">{r.followNote.slice(0, 10)}</span>
                  </span>
                ) : (
                  NONE
                ),
            },
            { key: "nextOn", hidden: true },
            "overdue",
            { key: "depositHeld", hidden: true },
            { key: "actNo", to: (r) => (r.newId ? reach(KINDS[r.kind].path, { id: r.newId }) : undefined) },
            {
              key: "newEnd",
              title: "新租期",
              holds: ["newStart", "wanted"],
              width: 184,
              show: (r) =>
                r.newStart ? `${r.newStart} ~ ${r.newEnd}` : r.wanted ? `申请 ${r.wanted} 个月` : NONE,
            },
            {
              key: "newRent",
              show: (r) =>
                r.newRent === null ? (
                  NONE
                ) : (
                  <span>
                    {yuan(r.newRent)} <span className="dim">{riseText(r.rent, r.newRent)}</span>
                  </span>
                ),
            },
            { key: "rise", hidden: true },
            { key: "state", width: 96 },
            { key: "managerName", width: 88 },
          ]}
          card={{
            title: "partyName",
            right: "state",
            lines: [["roomNames", "rent"], ["endDate", "intent"], ["contractNo"]],
          }}
          toolbar={[turn]}
          rowActions={acts.of}
          batch={[
            {
              label: "批量续租",
              does: handInRenewal,
              why: noneDue,
              run: (rows) => setBatch(due(rows)),
            },
            {
              label: "发送续租邀请",
              does: inviteRenewals,
              why: noneDue,
              run: (rows) => invite(due(rows)),
            },
          ]}
          sumNote={({ ended, renewed, rate, offered, opened, answered }) =>
            [
              typeof rate === "number" &&
                `${address.get("endFrom") || address.get("endTo") ? "" : "本月"}到期 ${Number(ended)} 份，已续 ${Number(renewed)} 份，续租率 ${(rate * 100).toFixed(2)}%`,
              offered &&
                `已发续租方案 ${Number(offered)} 份，打开 ${Number(opened)} 份，答复 ${Number(answered)} 份`,
            ]
              .filter(Boolean)
              .join("；") || "按当前筛选的全部记录"
          }
          drawer={(id) => <RenewalDrawer id={id} acts={acts} />}
          exportCall={exportRenewals}
          emptyText="合同进入可续租期后出现在这里：跟进意向、发送续租方案、办理续租，或登记不续租"
        />
      )}
      {acts.layer}
      {batch && <BatchDrawer of={batch} onClose={() => setBatch(undefined)} />}
      {invited}
    </>
  );
}
