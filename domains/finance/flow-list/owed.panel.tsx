import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "antd";
import { memo, useState } from "react";
import { Link } from "react-router";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { type Day, dayInZone, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import type { PartyKind } from "../bill/bill.rules.ts";
import { BILLS } from "../bill/bill.rules.ts";
import { type OpenLine, openOfParty } from "../payer/payer.contract.ts";
import { type FlowRow, allocateFlow } from "../flow/flow.contract.ts";
import { spanOf } from "../flow/flow.rules.ts";
import {
  type Choice,
  type Owed,
  firstChoice,
  laidOn,
  owedBills,
  toggled,
  typed,
  whyNotLaid,
} from "./owed.rules.ts";
import "./flow.css";

type Props = {
  bills: readonly Owed[];
  choice: Choice;
  onChoice: (choice: Choice) => void;
  /** What the preview gives each line. */
  pays: ReadonlyMap<string, Fen>;
  asOf: Day;
  /** The store that all of this stands in. */
  villageName: string;
};

/** What somebody owes, bill by bill, to be ticked off. What is not due yet is folded away. Rows are many: what is typed beside them draws none. */
export const OwedTable = memo(function OwedTable({ bills, asOf, ...rest }: Props) {
  const later = bills.filter((b) => b.dueDate > asOf);
  const now = bills.filter((b) => b.dueDate <= asOf);
  const inLater = later.some((b) => b.lines.some((l) => rest.choice.chosen.has(keyOf(l))));
  const [opened, setOpened] = useState<boolean>();
  const open = opened ?? (inLater || now.length === 0);
  if (!bills.length) return <Empty text="没有未收的费用，收款将全部转入预存款" />;
  return (
    <table className="tbl owed">
      <thead>
        <tr>
          <th className="owed__box">
            <Tick
              lines={bills.flatMap((b) => (open || b.dueDate <= asOf ? b.lines : []))}
              {...rest}
              label="全选"
            />
          </th>
          <th>费用</th>
          <th>计费期</th>
          <th className="num">应收</th>
          <th className="num">未收</th>
          <th className="num owed__pay">本次</th>
        </tr>
      </thead>
      {now.map((bill) => (
        <BillRows key={bill.id} bill={bill} asOf={asOf} {...rest} />
      ))}
      {later.length > 0 && (
        <tbody>
          <tr className="owed__later">
            <td colSpan={6}>
              <button type="button" className="row sub" aria-expanded={open} onClick={() => setOpened(!open)}>
                <Icon name={open ? "down" : "right"} size={12} />
                未到期 {later.length} 笔
                <Money fen={later.reduce((sum, b) => sum + b.owed, 0)} />
              </button>
            </td>
          </tr>
        </tbody>
      )}
      {open && later.map((bill) => <BillRows key={bill.id} bill={bill} asOf={asOf} {...rest} />)}
    </table>
  );
});

type Rest = Omit<Props, "bills">;

function Tick({
  lines,
  choice,
  onChoice,
  label,
}: Pick<Rest, "choice" | "onChoice"> & { lines: readonly OpenLine[]; label: string }) {
  const on = lines.filter((line) => choice.chosen.has(keyOf(line))).length;
  return (
    <Checkbox
      aria-label={label}
      checked={on > 0 && on === lines.length}
      indeterminate={on > 0 && on < lines.length}
      onChange={(event) => onChoice(toggled(choice, lines, event.target.checked))}
    />
  );
}

function BillRows({ bill, asOf, villageName, ...rest }: Rest & { bill: Owed }) {
  const to = reach(BILLS, { tab: "all", id: bill.id });
  return (
    <tbody>
      <tr className="owed__bill">
        <td className="owed__box">
          <Tick lines={bill.lines} {...rest} label={`选择账单 ${bill.billNo}`} />
        </td>
        <td colSpan={5}>
          <div className="row gap-5 owed__head">
            <b className="cut">{bill.title}</b>
            {bill.roomName && <Rooms names={bill.roomName} beside={villageName} />}
            {to ? <Link to={to}>{bill.billNo}</Link> : <span className="dim">{bill.billNo}</span>}
            <span className="grow" />
            {bill.disputed && <StatusTag tone="purple">争议</StatusTag>}
            {!bill.issued && (
              <StatusTag tone="grey" dot={false}>
                未出账
              </StatusTag>
            )}
            <Due day={bill.dueDate} asOf={asOf} />
          </div>
        </td>
      </tr>
      {bill.lines.map((line) => (
        <LineRow key={keyOf(line)} line={line} {...rest} />
      ))}
    </tbody>
  );
}

function Due({ day, asOf }: { day: Day; asOf: Day }) {
  const late = daysBetween(day, asOf);
  return (
    <span className="owed__due">
      <span className="dim">应收 </span>
      {day}
      {late > 0 && <em className="bad">逾期 {late} 天</em>}
      {late === 0 && <em className="dim">今天</em>}
      {late < 0 && <em className="dim">{-late} 天后</em>}
    </span>
  );
}

function LineRow({ line, choice, onChoice, pays }: Omit<Rest, "asOf" | "villageName"> & { line: OpenLine }) {
  const key = keyOf(line);
  const on = choice.chosen.has(key);
  const own = choice.amounts.get(key);
  return (
    <tr className={on ? "" : "owed__off"}>
      <td className="owed__box">
        <Tick lines={[line]} choice={choice} onChoice={onChoice} label={`选择 ${line.subject}`} />
      </td>
      <td>
        {line.subject}
        {line.lineId === null && (
          <>
            {" "}
            <StatusTag tone="orange" dot={false}>
              预计
            </StatusTag>
          </>
        )}
      </td>
      <td className="sub">
        {line.periodStart && line.periodEnd && spanOf(line.periodStart, line.periodEnd)}
      </td>
      <td className="num sub">
        <Money fen={line.amount} />
      </td>
      <td className="num">
        <Money fen={line.owed} strong />
      </td>
      <td className="num owed__pay">
        {on ? (
          <span className={own === undefined ? "owed__auto" : "owed__own"}>
            <MoneyInput
              unit=""
              value={own ?? pays.get(key) ?? 0}
              onChange={(amount) => onChoice(typed(choice, line, amount))}
            />
          </span>
        ) : (
          <span className="dim">—</span>
        )}
      </td>
    </tr>
  );
}

/** 分配: what is left of a flow is laid on what the customer owes; the rule proposes, every amount can be changed. */
export function AllocateForm({ flow, onClose }: { flow: FlowRow; onClose: () => void }) {
  const refresh = useRefresh();
  const today = useToday();
  const [touched, setTouched] = useState<Choice>();
  const [alert, setAlert] = useState<string>();
  const [key] = useState(freshKey);
  // late fees are worked out for the day the money came
  const asOf = dayInZone(new Date(flow.paidAt));
  const open = useQuery(
    ask(openOfParty, {
      params: { type: (flow.partyKind ?? "renter") as PartyKind, id: flow.partyId ?? 0 },
      query: { villageId: flow.villageId, asOf },
    }),
  );
  const [at] = open.data?.villages ?? [];
  const bills = at ? owedBills(at.lines, at.bills) : [];
  const choice = touched ?? firstChoice(bills, today, []);
  const laid = laidOn(at?.lines ?? [], bills, choice, flow.unallocated);
  const { pays, wants, total } = laid;
  const why =
    whyNotLaid(laid, flow.unallocated, "分配金额超过未分配余额") ??
    (total === 0 ? "请选择要分配的费用" : undefined);
  const save = async () => {
    setAlert(undefined);
    try {
      await send(allocateFlow, { params: { id: flow.id }, body: { wants } }, { idempotencyKey: key });
      toast(`已分配 ${yuan(total)}`);
      onClose();
    } catch (error) {
      setAlert(sentence(error));
    }
    await refresh();
  };
  return (
    <Drawer
      title={`分配 ${flow.flowNo}`}
      width={800}
      modal
      onClose={onClose}
      footer={
        <Foot
          form={{ alert }}
          cancel={onClose}
          note={
            <span className={why && total > 0 ? "form__note" : "sub"}>
              {why && total > 0
                ? why
                : `未分配 ${yuan(flow.unallocated)}，分配后剩余 ${yuan(flow.unallocated - total)}`}
            </span>
          }
        >
          <Button look="main" why={why} run={save}>
            分配 {total > 0 && Number.isSafeInteger(total) && yuan(total)}
          </Button>
        </Foot>
      }
    >
      <FormAlert text={alert} />
      {at ? (
        <div className="box allocating">
          <OwedTable
            bills={bills}
            choice={choice}
            onChoice={setTouched}
            pays={pays}
            asOf={today}
            villageName={at.villageName}
          />
        </div>
      ) : open.error ? (
        <Broken error={open.error} retry={open.refetch} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Drawer>
  );
}
