import { Link } from "react-router";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { CONTRACT_PAGE } from "../../finance/bill/bill.rules.ts";
import { PRICE_UNITS } from "../../listing/room/words.rules.ts";
import { CHOICE_PAGE, CHOICES } from "../choice/choice.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import type { ReservationActs } from "./reservation-acts.panel.tsx";
import { getReservation } from "../reservation/reservation.contract.ts";
import { EARNEST_KINDS, RESERVATION_STATES } from "../reservation/reservation.rules.ts";

const To = ({ to, text }: { to: string | undefined; text: string | null }) =>
  text ? to ? <Link to={to}>{text}</Link> : <>{text}</> : NONE;

/** One reservation: for whom, which room, what was agreed, what became of the money. */
export const ReservationDrawer = ({ id, acts }: { id: number; acts: ReservationActs }) => (
  <Detail
    call={getReservation}
    sent={{ params: { id } }}
    title={(r) => `${r.partyName} ${r.number}`}
    tags={(r) => (
      <>
        <WordTag words={RESERVATION_STATES} code={r.state} />
        <WordTag words={EARNEST_KINDS} code={r.earnestKind} dot={false} />
        {r.partyKind !== "renter" && <WordTag words={CHOICES} code={r.partyKind} dot={false} />}
        {r.frozen && <span className="tag s-blue">审批中</span>}
        {r.signing && <span className="tag s-blue">签约中</span>}
      </>
    )}
    strip={(r) => [
      { title: r.unit === "month" ? "租金" : `租金（${PRICE_UNITS[r.unit][0]}）`, fen: r.rent },
      { title: r.earnestKind, fen: r.earnest },
      { title: "已收", fen: r.received },
      { title: "在管", fen: r.held },
    ]}
    facts={[
      {
        key: "partyName",
        show: (r) => <To to={reach(CHOICE_PAGE[r.partyKind], { id: r.partyId })} text={r.partyName} />,
      },
      "phone",
      "villageName",
      {
        key: "roomName",
        show: (r) => <To to={reach("/configuration/apartment", { room: r.roomId })} text={r.roomName} />,
      },
      "moveInDay",
      "plannedEndDay",
      "holdUntil",
      "payPlan",
      "ownerName",
      {
        key: "leadNumber",
        show: (r) => (
          <To
            to={
              r.leadId ? reach("/configuration/BookingManagement", { id: r.leadId, tab: "all" }) : undefined
            }
            text={r.leadNumber}
          />
        ),
      },
      {
        key: "billNo",
        show: (r) => (
          <To
            to={r.billId ? reach("/accountManage/BillListManage", { id: r.billId }) : undefined}
            text={r.billNo}
          />
        ),
      },
      {
        key: "contractNo",
        show: (r) => (
          <To
            to={r.contractId ? reach(CONTRACT_PAGE[r.partyKind], { id: r.contractId }) : undefined}
            text={r.contractNo}
          />
        ),
      },
      "refundNo",
      "payUntil",
      "heldAt",
      "endedAt",
      { key: "endReason", show: (r) => r.endReason || NONE },
      { key: "agentName", show: (r) => r.agentName || NONE },
      { key: "remark", wide: true },
    ]}
    actions={(r) => {
      const first = firstOf(acts, r);
      return acts.of(r).map((a) => a && { ...a, main: a.label === first });
    }}
    tabs={[{ key: "log", title: "日志", view: (r) => <RecordLog kind="reservation" id={r.id} /> }]}
    slot="reservation.tabs"
  >
    {(r) => r.warning && <p className="notice s-orange">{r.warning}</p>}
  </Detail>
);

/** The first sensible thing to do stands out. */
const firstOf = (acts: ReservationActs, r: Parameters<ReservationActs["of"]>[0]): string | undefined => {
  const first = acts.of(r).find((a) => a && !a.why && !a.danger && a.label !== "打印预订单");
  return first ? first.label : undefined;
};
