import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { useForm } from "../../../platform/console/form/form.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress, useGo, useOutcome } from "../../../platform/console/screens/page.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { PARTY_KIND } from "../bill/bill.rules.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { OwedTable } from "../flow-list/owed.panel.tsx";
import { NOTHING, comesTo, firstChoice, owedBills } from "../flow-list/owed.rules.ts";
import { type CounterInput, counterInput } from "../flow/receive.contract.ts";
import { Slip, type SlipOf } from "../flow-list/slip.panel.tsx";
import { openOfParty, payers } from "../payer/payer.contract.ts";
import { PayerSelect, partyPath } from "../payer/payer.panel.tsx";
import { type Standing, TakeForm, type Taken, paidDay, useReceipt } from "./take.form.tsx";

const id = (text: string | null) => Number(text) || undefined;
const ids = (text: string | null): number[] => text?.split(",").map(Number).filter(Boolean) ?? [];

/** Who is meant by the address: a party, or the party of a bill. */
function usePayer(partyId: number | undefined, billId: number | undefined) {
  const query = partyId ? { ids: String(partyId) } : { billId };
  const { data, isFetching, error, refetch } = useQuery({
    ...ask(payers, { query }),
    enabled: Boolean(partyId ?? billId),
  });
  return {
    payer: partyId || billId ? data?.[0] : undefined,
    none: data?.length === 0,
    isFetching,
    error,
    refetch,
  };
}

/** The counter: left what is owed, right the money. */
export function TakePanel() {
  const [address, set] = useAddress();
  const [done, setDone] = useOutcome<Done>(["partyId", "billId", "billIds", "villageId"]);
  const asked = address.get("billIds") ?? address.get("billId");
  const billIds = useMemo(() => ids(asked), [asked]);
  const partyId = id(address.get("partyId"));
  // another person starts anew; what was said before anybody was chosen stays
  const whose = partyId ? `party ${partyId}` : billIds.length ? `bill ${billIds.join(",")}` : "";
  const [taking, setTaking] = useState({ whose, turn: 0 });
  if (taking.whose !== whose) setTaking({ whose, turn: taking.turn + (taking.whose ? 1 : 0) });
  if (done) return <TakenPanel done={done} onNext={() => setDone(undefined)} />;
  return (
    <Taking
      key={taking.turn}
      partyId={partyId}
      billIds={billIds}
      villageId={id(address.get("villageId"))}
      set={set}
      onDone={setDone}
    />
  );
}

type Props = {
  partyId: number | undefined;
  /** One or more of a party in a store. */
  billIds: readonly number[];
  villageId: number | undefined;
  set: ReturnType<typeof useAddress>[1];
  onDone: (done: Done) => void;
};

function Taking({ partyId, billIds, villageId, set, onDone }: Props) {
  const form = useForm<CounterInput>(counterInput, {});
  const [usePrepaid, setUsePrepaid] = useState(false);
  const [choice, setChoice] = useState(NOTHING);
  const asOf = paidDay(form.values.paidAt);
  const who = usePayer(partyId, billIds[0]);
  const { payer } = who;
  const open = useQuery({
    ...ask(openOfParty, { params: { type: payer?.kind ?? "renter", id: payer?.id ?? 0 }, query: { asOf } }),
    enabled: payer !== undefined,
    placeholderData: (before) => before,
  });
  const villages = payer ? (open.data?.villages ?? []) : [];
  const at =
    villages.find((v) => v.villageId === villageId) ??
    villages.find((v) => v.lines.some((l) => billIds.includes(l.billId))) ??
    villages.find((v) => v.lines.length > 0) ??
    villages[0];
  const bills = useMemo(() => (at ? owedBills(at.lines, at.bills) : []), [at]);
  const place = at && `${payer?.id} ${at.villageId}`;
  const chosenAt = useRef<string>(undefined);
  useEffect(() => {
    // what is remembered of an earlier visit may be paid, or owed again, by now
    if (!place || open.isFetching || chosenAt.current === place) return;
    chosenAt.current = place;
    setChoice(firstChoice(bills, asOf, billIds));
    // a new person or store starts anew; a later reading of the same must not undo what was ticked
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [place, open.isFetching]);
  const standing: Standing = {
    partyId: at ? payer!.id : 0,
    partyName: payer?.name ?? "",
    villageId: at?.villageId ?? 0,
    prepaid: at?.prepaid ?? 0,
    unconfirmed: at?.unconfirmed ?? 0,
    bills,
    choice,
  };
  const receipt = useReceipt(standing, { ...form.values, usePrepaid }, open);
  const failed = who.error ?? open.error;
  const due = bills.filter((b) => b.dueDate <= asOf).reduce((sum, b) => sum + b.owed, 0);
  const to = payer && partyPath(payer.kind, payer.id);
  return (
    <div className="counter__cols grid gap-6 fill">
      <section className="card counter__owed stack">
        <header className="counter__who row fs-13">
          <span className="counter__find">
            <PayerSelect
              label="付款人"
              value={payer?.id}
              onChange={(next) =>
                set({ partyId: next, billId: undefined, billIds: undefined, villageId: undefined })
              }
            />
          </span>
          {payer && (
            <>
              <WordTag words={PARTY_KIND} code={payer.kind} dot={false} />
              {payer.mergedInto && <span className="sub">已并入{payer.mergedInto}</span>}
              <span className="sub">{payer.phone}</span>
              <span className="sub cut">{payer.rooms}</span>
              {to && <Link to={to}>查看档案</Link>}
              <span className="grow" />
              {villages.length > 1 && (
                <ChoiceInput
                  value={String(at?.villageId)}
                  words={Object.fromEntries(villages.map((v) => [v.villageId, [v.villageName, "grey"]]))}
                  onChange={(next) => set({ villageId: next })}
                />
              )}
            </>
          )}
        </header>
        <div className="counter__list stack scroll">
          {failed && !open.data ? (
            <Broken error={failed} retry={who.error ? who.refetch : open.refetch} />
          ) : who.none ? (
            <Empty text="客户不存在或无权查看" />
          ) : !payer && !who.isFetching ? (
            <Empty text="按姓名、手机号或房间找到客户，勾选要收的费用" />
          ) : !open.data ? (
            <RowsSkeleton rows={8} />
          ) : (
            <OwedTable
              bills={bills}
              choice={choice}
              onChoice={setChoice}
              pays={receipt.pays}
              asOf={asOf}
              villageName={at?.villageName ?? ""}
            />
          )}
        </div>
        {bills.length > 0 && (
          <footer className="counter__sum row gap-0 fs-13 sub">
            <span>
              到期未收 <Money fen={due} />
            </span>
            <span className="grow" />
            <span>
              已选 {choice.chosen.size} 项 <Money fen={comesTo(bills, choice)} strong />
            </span>
          </footer>
        )}
      </section>
      <TakeForm
        standing={standing}
        form={form}
        receipt={receipt}
        usePrepaid={usePrepaid}
        onUsePrepaid={setUsePrepaid}
        onTaken={(taken) =>
          onDone({ taken, payer: payer!, villageName: at!.villageName, values: form.values, paidOn: asOf })
        }
      />
    </div>
  );
}

export type Done = {
  taken: Taken;
  payer: { name: string; rooms: string };
  villageName: string;
  values: Partial<CounterInput>;
  paidOn: string;
};

/** After the money is taken: what happened, the receipt to print, and what comes next. */
export function TakenPanel({ done, onNext }: { done: Done; onNext: () => void }) {
  const { taken, payer, values } = done;
  const go = useGo();
  const me = useOperator();
  const waits = taken.state === "pending";
  const { preview } = taken;
  const slip: SlipOf = {
    flowNo: taken.flowNo,
    villageName: done.villageName,
    partyName: payer.name,
    payerName: values.payerName || payer.name,
    rooms: payer.rooms,
    paidOn: done.paidOn,
    channel: values.channel ?? null,
    amount: preview.amount || preview.prepaidUsed,
    lines: preview.rows.filter((row) => row.pay > 0).map((row) => ({ ...row, amount: row.pay })),
    prepaid: preview.toPrepaid,
    fromPrepaid: preview.prepaidUsed,
    operator: me?.name ?? "",
    remark: values.remark ?? "",
  };
  return (
    <div className="taken grid gap-6 scroll">
      <section className="card taken__head row wrap">
        <span className={`taken__icon grid ${waits ? "s-gold" : "s-green"}`}>
          <Icon name={waits ? "clock" : "check"} size={20} />
        </span>
        <div className="grow">
          <h2>
            {waits
              ? "已登记，待另一人确认到账"
              : preview.amount
                ? `已收款 ${yuan(preview.amount)} 元`
                : `已用预存款支付 ${yuan(preview.prepaidUsed)} 元`}
          </h2>
          <p className="sub fs-13">
            {taken.flowNo && `流水号 ${taken.flowNo}`}
            {waits && "，确认后按试算分配账单，届时可打印收据"}
          </p>
        </div>
        {!waits && taken.id !== null && (
          <Button icon="print" run={() => print()}>
            打印收据
          </Button>
        )}
        {taken.id !== null && <Button run={() => go(FLOWS, { id: taken.id })}>查看流水</Button>}
        <Button look="main" run={onNext}>
          继续记账
        </Button>
      </section>
      <Slip of={slip} />
    </div>
  );
}
