import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import {
  type SettleRow,
  TABS,
  countSettlements,
  exportSettlements,
  listSettlements,
  settlementActs,
} from "../settlement/settlement.contract.ts";
import { askMany, assignHandler, confirmMany, leavingBatches } from "../leaving/leaving.contract.ts";
import { AskManyForm, AssignForm, BatchesDrawer, ConfirmManyForm } from "./batch.form.tsx";
import { LeaveCalendar } from "./pictures.panel.tsx";
import { Expired } from "./expired.panel.tsx";
import { AskForm } from "./settlement.form.tsx";
import { resultText } from "./result.rules.ts";
import { SettleDrawer, contractPath, partyPath, roomPath, useSettleActs } from "./settlement.panel.tsx";

const PAGE = "/contract/SettleRoomApplicationPage";
const LISTS = [
  { key: "settlements", title: "退房申请" },
  { key: "expired", title: "到期未结账" },
];

/** 退房申请: what is being settled, and what nobody settles yet; ?list= says which. */
export default function SettlementsPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "settlements";
  return (
    <TabPage label="退房申请" items={LISTS} on={on} onChange={(list) => go(PAGE, { list })}>
      {on === "expired" ? <Expired /> : <Settlements />}
    </TabPage>
  );
}

/** Nothing was settled yet: a day of leaving that has passed stands out. */
const UNSETTLED: ReadonlySet<SettleRow["state"]> = new Set([
  "requested",
  "inspecting",
  "settling",
  "approving",
  "confirming",
]);

/** Leavings, from the notice to the last fen. */
function Settlements() {
  const acts = useSettleActs();
  const today = useToday();
  const [many, setMany] = useState<{
    what: "ask" | "assign" | "confirm" | "earlier";
    of: readonly SettleRow[];
  }>();
  const close = () => setMany(undefined);
  const [address] = useAddress();
  return (
    <>
      <ListPage
        call={listSettlements}
        unit="笔"
        tabs={{
          key: "tab",
          counts: countSettlements,
          items: [
            { key: "", title: "全部" },
            ...Object.entries(TABS).map(([key, title]) => ({ key, title })),
          ],
        }}
        filters={[
          "villageIds",
          "endReason",
          "kind",
          "result",
          "handlerId",
          "keyword",
          "leaveFrom",
          "unsettled",
          "requestedFrom",
        ]}
        columns={[
          "actNo",
          { key: "contractNo", to: contractPath },
          {
            key: "roomNames",
            width: 150,
            to: roomPath,
            show: (r) => <Rooms names={r.roomNames} beside={r.villageName} />,
          },
          { key: "partyName", to: partyPath },
          { key: "villageName", hidden: true },
          {
            key: "start",
            title: "租期",
            width: 184,
            wide: true,
            holds: ["end"],
            show: (r) => `${r.start} ~ ${r.end}`,
          },
          {
            key: "effectiveOn",
            width: 104,
            show: (r) => (
              <span className={UNSETTLED.has(r.state) && r.effectiveOn < today ? "neg" : ""} data-whole>
                {r.effectiveOn}
              </span>
            ),
          },
          { key: "endReason", width: 96, wide: true },
          { key: "depositHeld", wide: true },
          {
            key: "net",
            strong: true,
            show: (r) =>
              r.net === null ? (
                ""
              ) : (
                <span className={r.net < 0 ? "bad" : r.net > 0 ? "good" : ""}>{resultText(r.net)}</span>
              ),
          },
          { key: "state", width: 104 },
          { key: "steps", width: 136 },
          {
            key: "refundState",
            to: (r) => (r.refundId ? reach("/accountManage/RefundManage", { id: r.refundId }) : undefined),
            width: 96,
          },
          { key: "handlerName", width: 88 },
          { key: "source", width: 72 },
          "requestedOn",
          { key: "payeeText", hidden: true },
          { key: "end", hidden: true },
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "partyName",
          right: "state",
          lines: [["roomNames", "net"], ["effectiveOn", "endReason"], ["actNo"]],
        }}
        adds={{
          does: settlementActs.ask,
          form: (close) => (
            <AskForm contractId={Number(address.get("leaving")) || undefined} onClose={close} />
          ),
        }}
        rowActions={acts.of}
        drawer={(id) => <SettleDrawer id={id} acts={acts} />}
        picture={(query, filter) => <LeaveCalendar query={query} filter={filter} />}
        toolbar={[
          { label: "批量退房", does: askMany, run: () => setMany({ what: "ask", of: [] }) },
          { label: "批量办理记录", does: leavingBatches, run: () => setMany({ what: "earlier", of: [] }) },
        ]}
        batch={[
          { label: "指派处理人", does: assignHandler, run: (of) => setMany({ what: "assign", of }) },
          {
            label: "确认结算",
            does: confirmMany,
            why: (rows) =>
              rows.some((r) => r.state === "confirming") ? undefined : "没有选中待租客确认的退房",
            run: (of) => setMany({ what: "confirm", of: of.filter((r) => r.state === "confirming") }),
          },
        ]}
        exportCall={exportSettlements}
        emptyText="租客提出退房后在这里登记，验房、抄表、结算，再退款或收款"
      />
      {acts.layer}
      {many?.what === "ask" && <AskManyForm onClose={close} />}
      {many?.what === "earlier" && <BatchesDrawer onClose={close} />}
      {many?.what === "assign" && <AssignForm of={many.of} onClose={close} />}
      {many?.what === "confirm" && <ConfirmManyForm of={many.of} onClose={close} />}
    </>
  );
}
