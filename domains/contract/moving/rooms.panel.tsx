import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays, daysBetween, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { numberOf } from "../../../platform/kernel/texts/names.ts";
import { ContractSheets } from "../inspection/sheets.panel.tsx";
import type { getChange } from "./moving.contract.ts";

type Shown = Reply<typeof getChange>;

const AROUND_DAYS = 60;

/** The rooms below each other, two months around the day: the lease ends in one and begins in the other. */
export function Timelines({ of }: { of: Shown }) {
  const [from, to] = [addDays(of.effectiveOn, -AROUND_DAYS), addDays(of.effectiveOn, AROUND_DAYS)];
  const days = daysBetween(from, to) + 1;
  const part = (n: number) => `${(n / days) * 100}%`;
  return (
    <div className="stack">
      {of.rooms.map((room) => (
        <div key={room.roomId} className="rs grid gap-6 fs-12">
          <span data-whole title={room.name}>
            {numberOf(room.name)}
          </span>
          <div
            className="rs__bar"
            role="img"
            aria-label={`${room.name} ${
              room.taken.map((t) => `${t.from} 至 ${t.to ?? "未定"} ${t.label}`).join("，") || "空闲"
            }`}
          >
            {room.taken.map((t) => {
              const [a, b] = [maxDay(t.from, from), minDay(t.to ?? to, to)];
              return (
                <i
                  key={`${t.from} ${t.label}`}
                  className={t.own ? "rs__want" : "rs__taken"}
                  style={{ left: part(daysBetween(from, a)), width: part(daysBetween(a, b) + 1) }}
                  title={`${t.from} 至 ${t.to ?? "未定"}（${t.label}）`}
                />
              );
            })}
            <i className="rs__cut" style={{ left: part(AROUND_DAYS) }} />
          </div>
          <span className="sub">
            {room.taken
              .filter((t) => t.own)
              .map((t) =>
                t.label === of.contractNo
                  ? `${of.contractNo} 至 ${t.to ?? "未定"}`
                  : `${t.label} 自 ${t.from}`,
              )
              .join("，") || "空闲"}
          </span>
        </div>
      ))}
      <p className="dim fs-12">
        {from} ~ {to}，生效日 {of.effectiveOn}
      </p>
    </div>
  );
}

/** Both rooms as their keys change hands: the meters of the first are read on leaving, those of the other on moving in. */
export const Sheets = ({ of: r }: { of: Shown }) => {
  const started = r.state === "handling" || r.state === "signing" || r.state === "done";
  return (
    <div className="stack gap-8">
      <h3>原合同 {r.contractNo}</h3>
      <ContractSheets contractId={r.contractId} partyName={r.partyName} writes={started ? ["out"] : []} />
      {r.nextId !== null && (
        <>
          <h3>新合同 {r.nextNo}</h3>
          {r.state === "done" ? (
            <ContractSheets
              contractId={r.nextId}
              partyName={r.nextPartyName ?? r.partyName}
              writes={["in"]}
            />
          ) : (
            <p className="sub">新合同签署后登记入住交接单。</p>
          )}
        </>
      )}
    </div>
  );
};
