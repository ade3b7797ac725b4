import { type ReactNode, useState } from "react";
import { linked } from "../../../platform/console/parts/linked.tsx";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { today } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays, minDay } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { numberOf } from "../../../platform/kernel/texts/names.ts";
import { ACT_SOURCES, ACT_STATES, CHANGE_MOVES, type ActMove } from "../act/act.rules.ts";
import { BILLS, BILL_STATUS, PARTY_PAGE } from "../../finance/bill/bill.rules.ts";
import { SigningBar, Signings, useActSigning } from "../esign/signings.panel.tsx";
import { CHANGE_AHEAD_DAYS, MONEY_WAYS, REST_WAYS } from "../succession/succession.rules.ts";
import { CHANGES, changes } from "../successor/successor.contract.ts";
import { KINDS, permitOf } from "../terms/kind.rules.ts";
import { ChargeForm } from "./charge.form.tsx";
import { CHANGE_PAGE, type ChangeRow, getChange, supplementFile } from "./moving.contract.ts";
import { ChangeForm } from "./moving.form.tsx";
import { Sheets, Timelines } from "./rooms.panel.tsx";
import { BothBills, ChangeMoney, StepDrawer, type Step } from "./worked.panel.tsx";
import "../contract/contract.css";

type Shown = Reply<typeof getChange>;
type Of = Pick<ChangeRow, "id" | "actNo" | "kind" | "version">;

/** A request lies further ahead than a change may: the form begins with the last day that may be chosen. */
const dayOf = ({ effectiveOn }: ChangeRow) => minDay(effectiveOn, addDays(today(), CHANGE_AHEAD_DAYS));

/** Both contracts are on the page of their kind. */
export const contractPath = (r: Pick<ChangeRow, "contractKind">, id: number | null) =>
  id === null ? undefined : reach(KINDS[r.contractKind].path, { id });

/** 3,000.00 → 3,600.00, or the first alone where there is no second yet. */
export const fromTo = (a: ReactNode, b: ReactNode | null) => (
  <>
    {a}
    {b !== null && b !== "" && <> → {b}</>}
  </>
);

/** The tenant, and of a lease that is passed on the next one, each with the way to his record. */
export function partiesOf(r: ChangeRow): ReactNode {
  const one = (id: number | null, name: string | null) =>
    name && linked(id === null ? undefined : reach(PARTY_PAGE[r.contractKind]!, { id }), name);
  return fromTo(
    one(r.partyId, r.partyName),
    r.kind === "tenant" ? one(r.nextPartyId, r.nextPartyName) : null,
  );
}

/** The room, and of a change of room the next one, each with the way to the board. */
function roomsOf(r: ChangeRow, said = (names: string) => names): ReactNode {
  const one = (id: number | null, names: string | null) =>
    names && linked(id === null ? undefined : reach("/configuration/apartment", { room: id }), said(names));
  return fromTo(one(r.roomId, r.roomNames), r.kind === "room" ? one(r.nextRoomId, r.nextRoomNames) : null);
}

/** The numbers on both doors; where they lie is said on pointing at them. */
export const RoomsFromTo = ({ of }: { of: ChangeRow }) => (
  <span
    data-whole
    title={of.kind === "room" && of.nextRoomNames ? `${of.roomNames} → ${of.nextRoomNames}` : of.roomNames}
  >
    {roomsOf(of, doors)}
  </span>
);
const doors = (names: string) => names.split("、").map(numberOf).join("、");

const whyNot = (move: ActMove, r: ChangeRow) =>
  CHANGE_MOVES.refusal(move, { agreed: true, frozen: r.state === "approving", status: r.state });

export type ChangeActs = {
  of: (r: ChangeRow) => Action[];
  /** The preview of one that was just asked for. */
  show: (of: Of) => void;
  layer: ReactNode;
};

/** What can be done with a change as it stands, and the layer that a step has opened. */
export function useChangeActs(): ChangeActs {
  const act = useAct();
  const go = useGo();
  const signing = useActSigning();
  const [open, setOpen] = useState<{ step: Step; of: Of }>();
  const [taking, setTaking] = useState<ChangeRow>();
  const [charging, setCharging] = useState<ChangeRow>();
  const of = (r: ChangeRow & Partial<Pick<Shown, "charged">>): Action[] => {
    const word = CHANGES[r.kind][0];
    const on = (...states: readonly ChangeRow["state"][]) => states.includes(r.state);
    const step = (to: Step) => () => setOpen({ step: to, of: r });
    const confirms = r.kind === "room" ? ("#9601" as const) : ("#9602" as const);
    return [
      ...(on("requested")
        ? [
            { label: "受理", does: changes.ask, why: whyNot("accept", r), run: () => setTaking(r) },
            {
              label: "驳回",
              does: changes.reject,
              danger: true,
              why: whyNot("reject", r),
              run: () =>
                act(
                  changes.reject,
                  { params: { id: r.id }, body: { version: r.version } },
                  {
                    done: "已驳回",
                    reason: {
                      title: `驳回 ${r.actNo}`,
                      text: "驳回的原因会以短信告知租客。",
                      ok: "驳回",
                    },
                  },
                ),
            },
          ]
        : []),
      ...(on("handling")
        ? [
            { label: "提交", does: changes.submit, why: whyNot("submit", r), run: step("submit") },
            {
              label: "编辑",
              need: permitOf(r.contractKind, "edit"),
              why: whyNot("edit", r),
              run: () => go(KINDS[r.contractKind].path, { draft: r.nextId! }),
            },
          ]
        : []),
      ...(on("signing")
        ? [
            {
              label: `确认${word}`,
              need: confirms,
              why: whyNot("confirm", r),
              run: step("confirm"),
            },
            ...(r.electronic
              ? signing.of(r, confirms)
              : [{ label: "发起电子签署", need: confirms, run: step("sign") }]),
          ]
        : []),
      ...(on("done")
        ? [
            {
              label: "结清水电",
              need: confirms,
              why:
                r.effectiveOn > today()
                  ? `生效日 ${r.effectiveOn} 未到`
                  : r.charged && r.charged.status !== "void"
                    ? `已出账 ${r.charged.billNo}`
                    : undefined,
              run: () => setCharging(r),
            },
          ]
        : []),
      ...(on("handling", "approving", "signing")
        ? [{ label: "试算", does: changes.preview, run: step("look") }]
        : []),
      ...(on("requested", "rejected", "cancelled")
        ? []
        : [
            {
              label: "打印补充协议",
              does: supplementFile,
              run: () => openFile(`/contract/api/v3/changeRoom/${r.id}/supplement`),
            },
          ]),
      ...(on("handling", "approving", "signing")
        ? [
            {
              label: `取消${word}`,
              does: changes.cancel,
              danger: true,
              why: whyNot("cancel", r),
              run: () =>
                act(
                  changes.cancel,
                  { params: { id: r.id }, body: { version: r.version } },
                  {
                    done: `已取消${word}`,
                    reason: {
                      title: `取消${word} ${r.actNo}`,
                      text: r.pairedNo
                        ? `与 ${r.pairedNo} 一并取消，双方的原合同照常履行。`
                        : "新合同一并取消，占用的房间立即释放，原合同照常履行。",
                      ok: `取消${word}`,
                    },
                  },
                ),
            },
          ]
        : []),
    ];
  };
  return {
    of,
    show: (of) => setOpen({ step: "submit", of }),
    layer: (
      <>
        {taking && (
          <ChangeForm
            kind={taking.kind}
            contractId={taking.contractId}
            from={{ effectiveOn: dayOf(taking), reason: taking.reason }}
            onAsked={({ id, actNo, version }) =>
              setOpen({ step: "submit", of: { id, actNo, version, kind: taking.kind } })
            }
            onClose={() => setTaking(undefined)}
          />
        )}
        {charging && <ChargeForm of={charging} onClose={() => setCharging(undefined)} />}
        {open && <StepDrawer {...open} onSent={signing.show} onClose={() => setOpen(undefined)} />}
        {signing.layer}
      </>
    ),
  };
}

/** One change of room or tenant: both contracts, both rooms, where the money goes. */
export const ChangeDrawer = ({ id, acts }: { id: number; acts: ChangeActs }) => (
  <Detail
    call={getChange}
    sent={{ params: { id } }}
    width={1080}
    title={(r) => r.actNo}
    tags={(r) => (
      <>
        <WordTag words={ACT_STATES} code={r.state} />
        <WordTag words={CHANGES} code={r.kind} dot={false} />
      </>
    )}
    strip={(r) =>
      r.state === "done"
        ? [
            { title: "月租变化", fen: r.rentChange ?? 0 },
            { title: "押金差", fen: r.depositChange ?? 0 },
            { title: "租金差", fen: r.rentDue ?? 0 },
            { title: "手续费", fen: r.fee ?? 0 },
            { title: "应收", fen: r.due ?? 0, key: true },
            { title: "应退", fen: r.refund ?? 0, key: true },
          ]
        : // the rest is worked out anew below
          [
            { title: "原月租", fen: r.rentBefore },
            ...(r.rentAfter === null
              ? []
              : [
                  { title: "新月租", fen: r.rentAfter },
                  { title: "月租变化", fen: r.rentAfter - r.rentBefore },
                ]),
          ]
    }
    facts={[
      { key: "contractNo", show: (r) => linked(contractPath(r, r.contractId), r.contractNo) },
      { key: "nextNo", show: (r) => (r.nextNo ? linked(contractPath(r, r.nextId), r.nextNo) : NONE) },
      { title: "租客", show: partiesOf },
      { title: "房间", wide: true, show: (r) => roomsOf(r) },
      "effectiveOn",
      { title: "原租期", show: (r) => `${r.start} ~ ${r.end}` },
      "nextEnd",
      {
        title: "月租金",
        show: (r) => fromTo(yuan(r.rentBefore), r.rentAfter === null ? null : yuan(r.rentAfter)),
      },
      { key: "deposit", show: (r) => MONEY_WAYS[r.deposit][0] },
      { key: "rest", show: (r) => (r.deposit === "carry" ? REST_WAYS[r.rest][0] : NONE) },
      {
        key: "pairedNo",
        show: (r) => (r.pairedId ? linked(reach(CHANGE_PAGE, { id: r.pairedId }), r.pairedNo) : NONE),
      },
      {
        key: "credit",
        show: (r) =>
          r.kind === "tenant" && r.credit === "carry" ? "留作原租客预存款" : MONEY_WAYS[r.credit][0],
      },
      {
        title: "同住人",
        show: (r) => r.movers.map((o) => o.name).join("、") || NONE,
      },
      { key: "source", show: (r) => ACT_SOURCES[r.source][0] },
      {
        title: "水电结清",
        show: ({ charged }) => {
          if (!charged) return NONE;
          const to = reach(BILLS, { id: charged.id });
          const text = `${charged.billNo} ${yuan(charged.amount)}`;
          return (
            <>
              {linked(to, text)} <WordTag words={BILL_STATUS} code={charged.status} />
            </>
          );
        },
      },
      "requestedOn",
      "handlerName",
      { key: "reason", wide: true },
      { title: "欠费说明", wide: true, show: (r) => r.arrearsReason || NONE },
    ]}
    actions={(r) => acts.of(r).map((a, i) => ({ ...a, main: i === 0 && !a.why && !a.danger }))}
    tabs={[
      {
        key: "money",
        title: "款项与账单",
        view: (r) =>
          r.state === "done" ? (
            <BothBills
              cut={r.cut}
              added={r.added}
              unused={r.cut.reduce((sum, bill) => sum + bill.credit, 0)}
              used={r.creditUsed ?? 0}
            />
          ) : r.state === "requested" ? (
            <p className="sub">受理后选定新房间，再试算两份合同的账单和款项。</p>
          ) : r.state === "cancelled" || r.state === "rejected" ? (
            <p className="sub">{r.endReason}</p>
          ) : (
            <Loaded call={changes.preview} sent={{ params: { id: r.id }, body: {} }} lines={8}>
              {(weighed) => <ChangeMoney weighed={weighed} />}
            </Loaded>
          ),
      },
      {
        key: "sheets",
        title: "交接与抄表",
        view: (r) => <Sheets of={r} />,
      },
      {
        key: "signing",
        title: "电子签署",
        view: (r) => (
          <>
            {r.state === "signing" && r.electronic && <SigningBar actId={r.id} />}
            <Signings actId={r.id} />
          </>
        ),
      },
      { key: "rooms", title: "房间占用", view: (r) => <Timelines of={r} /> },
    ]}
    log="changeRoom"
  />
);
