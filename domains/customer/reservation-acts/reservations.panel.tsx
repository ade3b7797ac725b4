import { useEffect, useRef, useState } from "react";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { CONTRACT_PAGE } from "../../finance/bill/bill.rules.ts";
import { PRICE_UNITS } from "../../listing/room/words.rules.ts";
import { CHOICE_PAGE } from "../choice/choice.rules.ts";
import { filterWords, useLeadWords } from "../lead/funnel.panel.tsx";
import { useReservationActs, type ActKey } from "./reservation-acts.panel.tsx";
import { ReservationDrawer } from "./reservation.panel.tsx";
import {
  addReservation,
  countReservations,
  exportReservations,
  getReservation,
  listReservations,
} from "../reservation/reservation.contract.ts";
import { type Known, RentShown, ReservationForm } from "../reservation/reservation.form.tsx";
import { RESERVATION_STATES } from "../reservation/reservation.rules.ts";

/** What another screen knows when it opens the form: ?reserve=1&roomId=… */
function knownOf(address: URLSearchParams): Known | undefined {
  if (address.get("reserve") !== "1" || !may(addReservation.needs)) return undefined;
  const number = (key: string) => Number(address.get(key)) || undefined;
  const [villageId, roomId, leadId] = [number("villageId"), number("roomId"), number("leadId")];
  const moveInDay = address.get("moveInDay") ?? undefined;
  const plannedEndDay = address.get("plannedEndDay") ?? undefined;
  return {
    ...(villageId && { villageId }),
    ...(roomId && { roomId }),
    ...(leadId && { leadId }),
    ...(moveInDay && { moveInDay }),
    ...(plannedEndDay && { plannedEndDay }),
  };
}
const UNKNOWN = {
  reserve: undefined,
  roomId: undefined,
  villageId: undefined,
  leadId: undefined,
  moveInDay: undefined,
  plannedEndDay: undefined,
};

/** A form that begins empty. */
const NOBODY: Known = {};

/** Reservations as a table; an act asked for in the address (?act=) is started with the record. */
export function ReservationList() {
  const acts = useReservationActs();
  const words = useLeadWords();
  const [address, set] = useAddress();
  const [adding, setAdding] = useState<Known | undefined>();
  const today = useToday();
  const known = adding ?? knownOf(address);
  const [wanted, id] = [address.get("act"), Number(address.get("id"))];
  const start = useRef(acts.start);
  start.current = acts.start;
  useEffect(() => {
    if (!wanted || !id) return;
    set({ act: undefined });
    send(getReservation, { params: { id } })
      .then((r) => start.current(wanted as ActKey, r))
      .catch(showFailure);
  }, [wanted, id, set]);
  return (
    <>
      <ListPage
        call={listReservations}
        unit="条"
        tabs={{
          key: "state",
          counts: countReservations,
          items: [
            { key: "", title: "全部状态" },
            ...Object.entries(RESERVATION_STATES).map(([key, [title]]) => ({ key, title })),
          ],
        }}
        filters={[
          "villageIds",
          "earnestKind",
          "today",
          "keyword",
          "moveInFrom",
          "holdFrom",
          { key: "ownerId", words: filterWords(words.owners.map((o) => [o.id, o.name])) },
          "partyKind",
          "kept",
        ]}
        columns={[
          "number",
          "state",
          { key: "partyName", width: 128, to: (r) => reach(CHOICE_PAGE[r.partyKind], { id: r.partyId }) },
          { key: "phone", hidden: true },
          { key: "roomName", width: 160, to: (r) => reach("/configuration/apartment", { room: r.roomId }) },
          "moveInDay",
          {
            key: "holdUntil",
            width: 124,
            show: (r) => (
              <Kept until={r.holdUntil} today={today} open={r.state === "held" || r.state === "pending"} />
            ),
          },
          { key: "rent", width: 112, show: (r) => <RentShown of={r} /> },
          { key: "partyKind", hidden: true },
          { key: "earnestKind", hidden: true },
          { key: "earnest", strong: true },
          "received",
          { key: "ownerName", width: 84 },
          {
            key: "contractNo",
            to: (r) => (r.contractId ? pathTo(CONTRACT_PAGE[r.partyKind], { id: r.contractId }) : undefined),
          },
          { key: "unit", show: (r) => PRICE_UNITS[r.unit][0] },
          { key: "villageName", hidden: true },
          { key: "plannedEndDay", hidden: true },
          { key: "createdAt", hidden: true },
        ]}
        card={{
          title: "partyName",
          right: "state",
          lines: [["roomName"], ["moveInDay", "holdUntil"], ["earnest", "received"]],
        }}
        sort={{ sort: "holdUntil", order: "asc" }}
        toolbar={[
          { label: "新增预订", icon: "plus", main: true, does: addReservation, run: () => setAdding(NOBODY) },
        ]}
        rowActions={acts.of}
        drawer={(openId) => <ReservationDrawer id={openId} acts={acts} />}
        exportCall={exportReservations}
        emptyText="客户看中的房间交定金后在这里保留，签约时直接转合同"
      />
      {known && (
        <ReservationForm
          known={known}
          onClose={() => {
            setAdding(undefined);
            set(UNKNOWN);
          }}
          onDone={(made) => set({ ...UNKNOWN, id: made.id })}
        />
      )}
      {acts.layer}
    </>
  );
}

/** The day a room is kept to, with what is left of it. */
function Kept({ until, today, open }: { until: string; today: string; open: boolean }) {
  const left = daysBetween(today, until);
  if (!open) return <>{until}</>;
  return (
    <>
      {until}{" "}
      <span className={left <= 1 ? "bad" : "dim"}>
        {left < 0 ? "已过" : left === 0 ? "今天" : `${left} 天`}
      </span>
    </>
  );
}
