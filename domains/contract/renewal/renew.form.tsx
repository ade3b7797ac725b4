import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { MoneyInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Segments } from "../../../platform/console/parts/segments.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { termText } from "../schedule/months.rules.ts";
import { renewalAsk, renewals } from "../successor/successor.contract.ts";
import { RenewalPreview, type Stepped } from "./preview.panel.tsx";
import { getRenewal, weighRenewals } from "./renewal.contract.ts";
import { endOfTerm, renewedRent, riseOf } from "./renewal.rules.ts";

type Asked = Body<typeof renewals.ask>;
type Form = FormState<Asked>;
type Desk = Reply<typeof getRenewal>;

const QUICK = [3, 6, 12, 24] as const;
/** Of more rooms each rent would only be scrolled over; they are raised together. */
const MOST_ROOMS = 50;

/** +5.00% */
export const riseText = (before: number, after: number): string => {
  const rise = riseOf(before, after);
  return rise === null ? "" : `${rise > 0 ? "+" : ""}${(rise * 100).toFixed(2)}%`;
};

function Quick({ form, desk }: { form: Form; desk: Desk }) {
  const start = addDays(desk.endDate, 1);
  const { end } = form.values;
  return (
    <div className="fi fi--wide">
      <span className="fi__label">租期</span>
      <div>
        <Segments
          label="租期"
          items={QUICK.map((n) => [String(n), `${n} 个月`])}
          on={String(QUICK.find((n) => end === endOfTerm(start, n)) ?? "")}
          onChange={(n) => form.set("end", endOfTerm(start, Number(n)))}
        />
        <p className="dim fs-13">
          从原合同到期次日 {start} 起租{end && end >= start && `，${termText(start, end)}`}
        </p>
      </div>
    </div>
  );
}

/** The rents of the new term room by room, or all of them raised by one share. */
function Rents({ form, desk }: { form: Form; desk: Desk }) {
  const [percent, setPercent] = useState<number>();
  const rents = new Map((form.values.rents ?? []).map((r) => [r.roomId, r.monthlyRent]));
  const setRents = (next: ReadonlyMap<number, number>) =>
    form.set(
      "rents",
      desk.rooms.map(({ roomId, rent }) => ({ roomId, monthlyRent: next.get(roomId) ?? rent })),
    );
  const raise = () => {
    const rise = { way: "percent", value: String(percent ?? 0), rounding: "fen" } as const;
    setRents(new Map(desk.rooms.map((r) => [r.roomId, renewedRent(rise, r.rent, null)!])));
  };
  const sum = desk.rooms.reduce((fen, r) => fen + (rents.get(r.roomId) ?? r.rent), 0);
  const before = desk.rooms.reduce((fen, r) => fen + r.rent, 0);
  return (
    <div className="fi--wide stack gap-4">
      <div className="fi">
        <label className="fi__label" htmlFor="renewal-percent">
          统一调整
        </label>
        <div className="fi__in row">
          <NumberInput id="renewal-percent" value={percent} onChange={setPercent} unit="%" />
          <Button run={raise}>应用到全部房间</Button>
        </div>
      </div>
      {desk.rooms.length <= MOST_ROOMS && (
        <div className="lines">
          <table>
            <thead>
              <tr>
                <th>房间</th>
                <th className="num">现月租</th>
                <th className="num">标价</th>
                <th>新月租</th>
                <th className="num">涨幅</th>
              </tr>
            </thead>
            <tbody>
              {desk.rooms.map((room) => {
                const rent = rents.get(room.roomId) ?? room.rent;
                return (
                  <tr key={room.roomId}>
                    <td>{room.name}</td>
                    <td className="num">{yuan(room.rent)}</td>
                    <td className="num">{room.listPrice === null ? NONE : yuan(room.listPrice)}</td>
                    <td>
                      <label className="sr" htmlFor={`renewal-rent-${room.roomId}`}>
                        {room.name}新月租
                      </label>
                      <MoneyInput
                        id={`renewal-rent-${room.roomId}`}
                        value={rent}
                        unit="元/月"
                        onChange={(fen) => setRents(new Map(rents).set(room.roomId, fen ?? 0))}
                      />
                    </td>
                    <td className="num">{riseText(room.rent, rent)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <p className="sub">
        月租金合计 {yuan(before)} → {yuan(sum)} {riseText(before, sum)}
      </p>
      {form.errors["rents"] && (
        <p className="fi__msg" role="alert">
          {form.errors["rents"]}
        </p>
      )}
    </div>
  );
}

/** What it comes to as it is being typed. */
function Live({ typed }: { typed: Partial<Asked> }) {
  const parsed = renewalAsk.safeParse(useDeferredValue({ ...typed, reason: typed.reason || "试算" }));
  const { data, error } = useQuery({
    ...ask(weighRenewals, { body: { rows: parsed.success ? [parsed.data] : [] } }),
    enabled: parsed.success,
    placeholderData: (before) => before,
  });
  const [row] = data?.rows ?? [];
  if (error) return <p className="tinted fs-13 s-red">{error.message}</p>;
  if (!row) return null;
  if (!row.preview)
    return (
      <p className="tinted fs-13 s-red" role="alert">
        {row.refusal}
      </p>
    );
  return <RenewalPreview preview={row.preview} />;
}

/** The usual year, or what the tenant asked for, with his words. */
const startOf = ({ endDate, wanted, asked }: Desk): Partial<Asked> => ({
  end: endOfTerm(addDays(endDate, 1), wanted ?? 12),
  ...(asked && { reason: `租客申请${asked}` }),
});

/** 续租: for how long, at which rents, what becomes of the deposit. The draft that it makes is edited in the contract's form. */
export function RenewForm({
  contractId,
  onDone,
  onClose,
}: {
  contractId: number;
  onDone: (made: Stepped) => void;
  onClose: () => void;
}) {
  const { data: desk, error, refetch } = useQuery(ask(getRenewal, { params: { id: contractId } }));
  return (
    <FormDrawer
      // what it starts with is known once the lease is
      key={desk ? "lease" : "waiting"}
      call={renewals.ask}
      title={`续租 ${desk?.contractNo ?? ""}`}
      ok="保存并核对"
      done="续租已登记"
      onDone={(made) =>
        onDone({ actId: made.id, actNo: made.actNo, actVersion: made.version, kind: desk!.kind })
      }
      onClose={onClose}
      cols={2}
      width={960}
      initial={{ contractId, rents: [], deposit: "carry", rest: "refund", ...(desk && startOf(desk)) }}
      fields={(set, form) =>
        error
          ? [{ show: () => <Broken error={error} retry={refetch} /> }]
          : !desk
            ? [{ show: () => <RowsSkeleton rows={6} /> }]
            : [
                { section: "新租期" },
                { show: () => <Quick form={form} desk={desk} /> },
                "end",
                { key: "reason", placeholder: "如：租客申请续租一年" },
                { section: "新月租", note: "不修改则沿用到期日的月租金" },
                { show: () => <Rents form={form} desk={desk} /> },
                { section: "押金" },
                { key: "deposit", help: "按新押金多退少补" },
                { key: "rest", when: (now: Partial<Asked>) => now.deposit === "carry" },
                { section: "续租试算" },
                { show: (now) => <Live typed={now} /> },
              ]
      }
    />
  );
}
