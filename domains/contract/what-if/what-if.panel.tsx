import { type ReactNode, useMemo, useState } from "react";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { Explain } from "../../../platform/console/detail/explain.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Segments } from "../../../platform/console/parts/segments.tsx";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { roomsLeft } from "../contract/contract.rules.ts";
import { type ContractDetail, getContract } from "../contract/detail.contract.ts";
import { type Picked, RoomPicker } from "../drafting/room-picker.panel.tsx";
import { howOf, subjectOf } from "../preview/preview.rules.ts";
import type { Line } from "../schedule/line.rules.ts";
import type { Agreed } from "../terms/terms.rules.ts";
import { type Change, type ComparedBill, type Comparison, changeError, compare } from "./what-if.rules.ts";

type Kind = Change["kind"];
const KINDS = [
  ["end", "换到期日"],
  ["rent", "调租金"],
  ["room", "换房间"],
] as const satisfies readonly (readonly [Kind, string])[];

type Typed = {
  end: Day;
  from: Day | undefined;
  rent: Fen | undefined;
  roomId: number;
  picked: Picked | undefined;
};

/** The change once enough of it is typed. */
function changeOf(kind: Kind, { end, from, rent, roomId, picked }: Typed): Change | undefined {
  if (kind === "end") return { kind, end };
  if (!from || rent === undefined) return undefined;
  if (kind === "rent") return { kind, roomId, from, rent };
  return picked && { kind, roomId, from, room: { roomId: picked.id, rent } };
}

/** 测算: what the bills would be under another end, rent or room, beside those agreed. Nothing is kept. */
export const WhatIf = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <Drawer title="测算" width={960} modal onClose={onClose}>
    <Loaded call={getContract} sent={{ params: { id } }} lines={8}>
      {(contract) => <Worksheet contract={contract} />}
    </Loaded>
  </Drawer>
);

function Worksheet({ contract: c }: { contract: ContractDetail }) {
  const [kind, setKind] = useState<Kind>("end");
  const [typed, setTyped] = useState<Typed>({
    end: c.endDate!,
    from: c.facts.today > c.startDate! && c.facts.today <= c.endDate! ? c.facts.today : undefined,
    rent: undefined,
    roomId: roomsLeft(c.rooms)[0]!.roomId,
    picked: undefined,
  });
  const set = (some: Partial<Typed>) => setTyped((before) => ({ ...before, ...some }));
  const agreed = useMemo<Agreed>(
    () => ({
      start: c.startDate!,
      end: c.endDate!,
      anchorDate: c.anchorDate,
      terms: c.terms,
      rooms: c.rooms,
    }),
    [c],
  );
  const change = useMemo(() => changeOf(kind, typed), [kind, typed]);
  const error = useMemo(() => change && changeError(agreed, change), [agreed, change]);
  return (
    <div className="stack gap-6">
      <p className="dim fs-13">
        {c.contractNo} {c.partyName}，{c.startDate} ~ {c.endDate}
        。按合同条款试算，不保存，也不改动合同和账单。
      </p>
      <div className="row">
        <Segments label="测算" items={KINDS} on={kind} onChange={setKind} />
      </div>
      <div className="row wrap gap-8">
        {kind === "end" ? (
          <Labelled title="新到期日">
            <DayInput value={typed.end} onChange={(end) => set({ end: end ?? c.endDate! })} />
          </Labelled>
        ) : (
          <Moved kind={kind} contract={c} typed={typed} set={set} />
        )}
      </div>
      {error ? (
        <p className="notice s-orange" role="status">
          {error}
        </p>
      ) : change ? (
        <Compared
          contract={c}
          comparison={compare(agreed, change)}
          move={kind === "room"}
          picked={typed.picked}
        />
      ) : (
        <p className="dim">填写后显示每张账单的变化</p>
      )}
    </div>
  );
}

const Labelled = ({ title, children }: { title: string; children: ReactNode }) => (
  <label className="row gap-3">
    <span className="sub" style={{ whiteSpace: "nowrap" }}>
      {title}
    </span>
    {children}
  </label>
);

type MovedProps = { kind: Kind; contract: ContractDetail; typed: Typed; set: (some: Partial<Typed>) => void };

/** From which day, which room, at what rent. */
function Moved({ kind, contract: c, typed, set }: MovedProps) {
  const [picking, setPicking] = useState(false);
  const { picked } = typed;
  // what was given back costs nothing any more; a company may have two thousand others
  const rooms = roomsLeft(c.rooms);
  return (
    <>
      {rooms.length > 1 && (
        <Labelled title="房间">
          <OptionSelect
            options={rooms.map((r) => ({ value: r.roomId, label: r.name }))}
            value={typed.roomId}
            onChange={(roomId) => set({ roomId: roomId ?? typed.roomId })}
          />
        </Labelled>
      )}
      <Labelled title={kind === "rent" ? "调价日" : "换房日"}>
        <DayInput value={typed.from} onChange={(from) => set({ from })} />
      </Labelled>
      {kind === "room" && (
        <>
          <Button why={typed.from ? undefined : "请先填写换房日"} run={() => setPicking(true)}>
            {picked ? `新房间 ${picked.name}` : "选择房间"}
          </Button>
          {picking && (
            <RoomPicker
              of={c.kind}
              villageId={c.villageId}
              from={typed.from!}
              to={c.endDate!}
              contractId={c.id}
              chosen={picked ? [picked.id] : []}
              onPick={(rooms) => {
                const room = rooms.at(-1);
                set({ picked: room, ...(room?.monthly != null && { rent: room.monthly }) });
                setPicking(false);
              }}
              onClose={() => setPicking(false)}
            />
          )}
        </>
      )}
      <Labelled title="新月租金">
        <MoneyInput value={typed.rent} onChange={(rent) => set({ rent })} />
      </Labelled>
    </>
  );
}

const difference = (fen: Fen) => (
  <span className={fen < 0 ? "neg" : ""}>{fen > 0 ? `+${yuan(fen)}` : yuan(fen)}</span>
);

type ComparedProps = {
  contract: ContractDetail;
  comparison: Comparison;
  move: boolean;
  picked: Picked | undefined;
};

/** The difference in all and bill by bill; a bill opens its lines on either side. */
function Compared({ contract: c, comparison, move, picked }: ComparedProps) {
  const [open, setOpen] = useState("");
  const [onlyChanged, setOnlyChanged] = useState(true);
  const { before, after } = comparison;
  const bills = onlyChanged ? comparison.bills.filter((b) => b.diff !== 0) : comparison.bills;
  const names = new Map(c.rooms.map((r) => [r.roomId, r.name]));
  if (picked) names.set(picked.id, picked.name);
  const item = (title: string, key: keyof typeof before) => ({
    title,
    show: (
      <>
        {difference(after[key] - before[key])}
        <small className="of">
          {" "}
          {yuan(before[key])} → {yuan(after[key])}
        </small>
      </>
    ),
  });
  return (
    <>
      <MoneyStrip
        items={[
          item("租金", "rent"),
          item("费用", "fees"),
          item("押金", "deposit"),
          item("合计差额", "total"),
        ]}
      />
      {move && Boolean(c.terms.discounts?.length) && (
        <p className="notice s-orange">合同的优惠不带到新房间，换房后的租金按没有优惠试算。</p>
      )}
      <div className="row">
        <Segments
          label="账单"
          items={[
            ["changed", "有变化的账单"],
            ["all", `全部 ${comparison.bills.length} 张`],
          ]}
          on={onlyChanged ? "changed" : "all"}
          onChange={(key) => setOnlyChanged(key === "changed")}
        />
      </div>
      {bills.length ? (
        <div className="box">
          <table className="tbl">
            <thead>
              <tr>
                <th aria-label="展开" style={{ width: 36 }} />
                <th>账单</th>
                <th>计费期</th>
                <th className="num">现在</th>
                <th className="num">测算</th>
                <th className="num">差额</th>
              </tr>
            </thead>
            <tbody>
              {bills.map((bill) => [
                <tr key={bill.key}>
                  <td>
                    <IconButton
                      icon={open === bill.key ? "down" : "right"}
                      size={12}
                      small
                      label={`${open === bill.key ? "收起" : "展开"} ${bill.title}`}
                      run={() => setOpen(open === bill.key ? "" : bill.key)}
                    />
                  </td>
                  <td>{bill.title}</td>
                  <td>
                    {bill.from} ~ {bill.to}
                  </td>
                  <td className="num">{bill.before === null ? "—" : <Money fen={bill.before} />}</td>
                  <td className="num">{bill.after === null ? "—" : <Money fen={bill.after} />}</td>
                  <td className="num">{difference(bill.diff)}</td>
                </tr>,
                open === bill.key && (
                  <tr key={`${bill.key} lines`} className="more">
                    <td />
                    <td colSpan={5}>
                      <Sides bill={bill} contract={c} names={names} />
                    </td>
                  </tr>
                ),
              ])}
            </tbody>
            <tfoot>
              <tr className="sum">
                <td colSpan={3}>合计（含押金）</td>
                <td className="num">
                  <Money fen={before.total} />
                </td>
                <td className="num">
                  <Money fen={after.total} />
                </td>
                <td className="num">{difference(after.total - before.total)}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      ) : (
        <p className="dim">账单没有变化</p>
      )}
    </>
  );
}

type SidesProps = { bill: ComparedBill; contract: ContractDetail; names: ReadonlyMap<number, string> };

/** The lines of a bill as agreed and as they would be, each with how it comes about. */
function Sides({ bill, contract: { terms }, names }: SidesProps) {
  // labels are told apart where one comes twice
  const rowsOf = (lines: readonly Line[]) =>
    lines.map((line, i) => {
      const label = [names.get(line.roomId ?? 0), subjectOf(line, terms.fees)].filter(Boolean).join(" ");
      const text = `${line.from} ~ ${line.to}　${yuan(line.amount)}　${howOf(line, terms)}`;
      return [lines.length > 1 ? `${i + 1}. ${label}` : label, text] as const;
    });
  return (
    <div className="stack gap-4">
      <Explain title="现在" rows={rowsOf(bill.lines.before)} />
      <Explain title="测算" rows={rowsOf(bill.lines.after)} />
    </div>
  );
}
