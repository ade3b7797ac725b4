import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Facts } from "../../../platform/console/detail/facts.tsx";
import { ConfirmDialog } from "../../../platform/console/form/confirm-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { PartyKind } from "../bill/bill.rules.ts";
import { Allotment, effectsOf } from "../flow-list/allotment.panel.tsx";
import { OwedTable } from "../flow-list/owed.panel.tsx";
import { type Choice, laidOn, NOTHING, owedBills, whyNotLaid } from "../flow-list/owed.rules.ts";
import { PapersInput } from "../flow-list/payment.form.tsx";
import { openOfParty, payers } from "../payer/payer.contract.ts";
import { PayerSelect } from "../payer/payer.panel.tsx";
import { keyOf } from "../allocation/allocation.rules.ts";
import { isOther } from "./claim.rules.ts";
import * as calls from "./corporate.contract.ts";

type Line = Pick<
  calls.LineRow,
  | "id"
  | "day"
  | "counterName"
  | "counterAccount"
  | "summary"
  | "accountName"
  | "amount"
  | "free"
  | "suggestion"
>;
type Props = { line: Line; onClose: () => void };
type Suggested = Exclude<Line["suggestion"], null>;

/** 认领: whose money a line is and what it pays; looked at once more before it is sent. */
export function ClaimForm({ line, onClose }: Props) {
  const best = line.suggestion;
  const form = useForm<calls.ClaimInput>(calls.claimInput, {
    amount: line.free,
    restToPrepaid: false,
    ...(best && { villageId: best.villageId, partyId: best.partyId }),
  });
  const [touched, setTouched] = useState<Choice>();
  const [billIds, setBillIds] = useState(best?.bills.map((bill) => bill.id) ?? []);
  const [asked, setAsked] = useState<Asked>();
  const { villageId, partyId, amount = 0, fileIds } = form.values;
  const suggested = useQuery(ask(calls.suggestLine, { params: { id: line.id } }));
  const who = useQuery({
    ...ask(payers, { query: { ids: String(partyId ?? 0), villageIds: String(villageId ?? 0) } }),
    enabled: partyId !== undefined && villageId !== undefined,
  });
  const payer = who.data?.[0];
  const open = useQuery({
    ...ask(openOfParty, {
      params: { type: (payer?.kind ?? "renter") as PartyKind, id: payer?.id ?? 0 },
      query: { villageId: villageId ?? 0, asOf: line.day },
    }),
    enabled: payer !== undefined && villageId !== undefined,
  });
  const at = payer && open.data?.villages.find((v) => v.villageId === villageId);
  const bills = at ? owedBills(at.lines, at.bills) : [];
  const choice = touched ?? firstOf(bills, billIds, line.day);
  const laid = laidOn(at?.lines ?? [], bills, choice, Number.isSafeInteger(amount) ? amount : 0);
  const other = payer !== undefined && isOther(line.counterName, payer.name);
  const why =
    (!villageId && "请选择门店") ||
    (!partyId && "请选择客户") ||
    (amount > line.free && "认领金额超过流水未认领余额") ||
    whyNotLaid(laid, amount, "账单合计超过认领金额") ||
    (other && !fileIds?.length && "付款人与客户不一致，请上传证明") ||
    undefined;
  const take = (s: Suggested) => {
    form.set("villageId", s.villageId);
    form.set("partyId", s.partyId);
    setBillIds(s.bills.map((bill) => bill.id));
    setTouched(undefined);
  };
  return (
    <Drawer
      title="认领对公流水"
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <span className="sub">
              {[
                laid.total > 0 && `支付账单 ${yuan(laid.total)}`,
                amount > laid.total && `转入预存款 ${yuan(amount - laid.total)}`,
              ]
                .filter(Boolean)
                .join("，")}
            </span>
          }
        >
          <Button
            look="main"
            why={why}
            run={() =>
              form.submit(async (body) => setAsked({ ...body, lineId: line.id, wants: laid.wants } as Asked))
            }
          >
            试算认领
          </Button>
        </Foot>
      }
    >
      <div className="stack gap-6">
        <Facts
          call={calls.getBankLine}
          data={line as never}
          facts={[
            "counterName",
            "counterAccount",
            { title: "到账日", show: () => line.day },
            "accountName",
            "amount",
            "free",
            { key: "summary", wide: true },
          ]}
        />
        {(suggested.data?.length ?? 0) > 0 && (
          <ul className="stack gap-2" aria-label="认领建议">
            {suggested.data!.map((s) => (
              <li key={`${s.partyId} ${s.villageId}`} className="row between wrap gap-4">
                <span>
                  <b>{s.partyName}</b> <span className="sub">{s.villageName}</span>{" "}
                  <span className="dim fs-13">
                    {s.reason}（{s.score}）
                  </span>
                </span>
                <Button run={() => take(s)}>采用</Button>
              </li>
            ))}
          </ul>
        )}
        <FormFields
          form={form}
          label={96}
          cols={2}
          fields={[
            { key: "villageId", input: (p) => <VillageSelect {...p} /> },
            { key: "partyId", input: (p, v) => <PayerSelect {...p} villageId={v.villageId} /> },
            "amount",
          ]}
        />
        {!partyId || !villageId ? (
          <Empty text="选择门店和客户后，这里列出未收的费用" />
        ) : open.error ? (
          <Broken error={open.error} retry={open.refetch} />
        ) : !at ? (
          open.isLoading || who.isLoading ? (
            <RowsSkeleton rows={4} />
          ) : (
            <Empty text="没有未收的费用，认领款项将全部转入预存款" />
          )
        ) : (
          <div className="box allocating">
            <OwedTable
              bills={bills}
              choice={choice}
              onChoice={setTouched}
              pays={laid.pays}
              asOf={line.day}
              villageName={at.villageName}
            />
          </div>
        )}
        <FormFields
          form={form}
          label={96}
          fields={[
            {
              key: "fileIds",
              must: other,
              help: other ? `付款人 ${line.counterName} 与客户不一致，请上传证明` : undefined,
              input: (p) => <PapersInput {...p} />,
            },
            { key: "restToPrepaid", help: "审批时账单已收款或作废的部分转入预存款；选否则不能通过" },
            "reason",
          ]}
        />
      </div>
      {asked && <Confirm asked={asked} line={line} onBack={() => setAsked(undefined)} onDone={onClose} />}
    </Drawer>
  );
}

/** The bills that were thought of, else what was due when the money came. */
function firstOf(bills: ReturnType<typeof owedBills>, ids: readonly number[], day: string): Choice {
  const meant = bills.filter((b) => (ids.length ? ids.includes(b.id) : b.dueDate <= day && !b.disputed));
  return meant.length ? { ...NOTHING, chosen: new Set(meant.flatMap((b) => b.lines.map(keyOf))) } : NOTHING;
}

type Asked = Required<calls.ClaimInput> & {
  lineId: number;
  wants: { billId: number; lineId: number | null; amount: number }[];
};
type ConfirmProps = { asked: Asked; line: Line; onBack: () => void; onDone: () => void };

/** What the claim will do, as it is sent. */
const Confirm = ({
  asked: { restToPrepaid, reason, fileIds, ...of },
  line,
  onBack,
  onDone,
}: ConfirmProps) => (
  <ConfirmDialog
    title="确认认领"
    ok={`认领 ${yuan(of.amount)}`}
    of={ask(calls.previewClaim, { body: of })}
    take={async ({ hash }, idempotencyKey) => {
      const body = { ...of, restToPrepaid, reason, fileIds, previewHash: hash };
      const { claimNo, waiting } = await send(calls.addClaim, { body }, { idempotencyKey });
      return waiting ? `${claimNo} 已提交，等待审批 ${waiting}` : `已认领 ${yuan(of.amount)} 元`;
    }}
    onClose={onBack}
    onDone={onDone}
  >
    {(preview) => {
      // the money's own day decides on late fees; the books have it from the day that it is claimed
      const effects = [...effectsOf(preview, undefined), `记账日 ${preview.postedOn}，款项日期 ${line.day}`];
      return (
        <div className="stack gap-6">
          <Allotment preview={preview} />
          <p className="sub fs-13">
            流水未认领 {yuan(preview.free)}，认领后剩余 {yuan(preview.rest)}
          </p>
          <p className="dim fs-12">{effects.join("；")}</p>
        </div>
      );
    }}
  </ConfirmDialog>
);
