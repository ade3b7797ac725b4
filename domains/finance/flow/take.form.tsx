import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ask } from "../../../platform/console/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/states.tsx";
import { Done } from "./done.panel.tsx";
import { payers } from "./payer.contract.ts";
import { nowText, PayerSelect } from "./payment.panel.tsx";
import { openOfParty, type receiveFlow } from "./receive.contract.ts";
import { TakeMoney } from "./take-money.form.tsx";

type Booked = Reply<typeof receiveFlow>;

/** 收款: whose money it is, then what it pays. */
export function TakeForm({ partyId, billId }: { partyId?: number | undefined; billId?: number | undefined }) {
  const [party, setParty] = useState(partyId);
  const [villageId, setVillageId] = useState<number>();
  const [paidAt, setPaidAt] = useState(nowText);
  const [done, setDone] = useState<Booked>();
  const payer = useQuery({
    ...ask(payers, { query: { ids: String(party) } }),
    enabled: party !== undefined,
  });
  const who = payer.data?.find((p) => p.id === party);
  const open = useQuery({
    ...ask(openOfParty, {
      params: { type: who?.kind ?? "renter", id: party ?? 0 },
      query: { asOf: paidAt.slice(0, 10) },
    }),
    enabled: who !== undefined,
  });
  const villages = open.data?.villages ?? [];
  const village =
    villages.find((v) => v.villageId === villageId) ??
    villages.find((v) => v.lines.some((l) => l.billId === billId)) ??
    villages.find((v) => v.lines.length) ??
    villages[0];

  if (done)
    return (
      <Done
        title={done.state === "pending" ? "已录入，等待他人确认到账" : "收款成功"}
        flowId={done.id}
        again={() => {
          setDone(undefined);
          setParty(undefined);
        }}
      >
        {done.flowNo} 分配 {yuan(done.preview.paid)}
        {done.preview.toPrepaid > 0 && `，转入预存款 ${yuan(done.preview.toPrepaid)}`}
      </Done>
    );
  return (
    <>
      <section className="card counter__card" style={{ marginBottom: 16 }}>
        <label className="fi">
          <span className="fi__label fi__label--must">客户/房间</span>
          <div className="fi__in">
            <PayerSelect value={party} onChange={(id) => (setParty(id), setVillageId(undefined))} />
          </div>
        </label>
        {villages.length > 1 && (
          <div className="fi" style={{ marginTop: 16 }}>
            <span className="fi__label">门店</span>
            <div className="seg" role="radiogroup" aria-label="门店">
              {villages.map((v) => (
                <button
                  key={v.villageId}
                  type="button"
                  role="radio"
                  aria-checked={v === village}
                  className={v === village ? "on" : ""}
                  onClick={() => setVillageId(v.villageId)}
                >
                  {v.villageName}
                </button>
              ))}
            </div>
          </div>
        )}
      </section>
      {party === undefined ? (
        <Empty text="选择客户后列出未收的费用" />
      ) : open.error ? (
        <Broken error={open.error} retry={open.refetch} />
      ) : village ? (
        <TakeMoney
          key={`${party} ${village.villageId}`}
          partyId={party}
          village={village}
          billId={billId}
          paidAt={paidAt}
          onPaidAt={setPaidAt}
          onDone={setDone}
        />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </>
  );
}
