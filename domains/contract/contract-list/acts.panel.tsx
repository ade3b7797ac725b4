import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { askReason } from "../../../platform/console/form/reason.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { COUNTER } from "../../finance/bill/bill.rules.ts";
import { type listContracts, packPapers } from "../contract/contract.contract.ts";
import {
  type Facts,
  type MoveName,
  type State,
  contractMoves,
  whyNotKeeper,
  isInForce,
} from "../contract/contract.rules.ts";
import { type ContractAct, permitOf } from "../terms/kind.rules.ts";
import type { ChangeKind } from "../amendment/change.panel.tsx";
import { companyActs } from "./company-acts.panel.tsx";
import { HandoverDialog } from "./handover.form.tsx";
import { KeeperForm } from "./keeper.form.tsx";
import { deleteContract } from "../drafting/draft.contract.ts";
import { cancelSigning, resendSigning, startSigning } from "../esign/esign.contract.ts";
import { LinkDialog, type Links } from "../esign/signings.panel.tsx";
import { CHANGE_PAGE } from "../moving/moving.contract.ts";
import { SentLink } from "../../../platform/console/parts/sent-link.tsx";
import { sendSelfLink } from "../self-service/self.contract.ts";
import { windowRefusal } from "../succession/succession.rules.ts";
import { SignDrawer } from "../signing/sign.panel.tsx";
import { undoHandover, voidContract, withdrawContract } from "../signing/signing.contract.ts";
import "../contract/contract.css";

const WhatIf = lazily(() => import("../what-if/what-if.panel.tsx").then((m) => ({ default: m.WhatIf })));

const OccupantImport = lazily(() =>
  import("../occupant/import.form.tsx").then((m) => ({ default: m.OccupantImport })),
);

type Acted = Pick<
  Row<typeof listContracts>,
  | "id"
  | "kind"
  | "contractNo"
  | "version"
  | "state"
  | "villageId"
  | "partyId"
  | "partyName"
  | "roomNames"
  | "overdue"
  | "signedOn"
  | "startDate"
  | "endDate"
  | "windowDays"
  | "facts"
  | "signMode"
>;
type Open = { kind: "sign" | "handover" | "keeper" | "whatIf" | "occupants" | ChangeKind; row: Acted };

const EDIT = "编辑";
const SIGN = "确认签署";
const START = "发起电子签署";
const PAY = "收款";
export const MOVE_IN = "办理入住";
const LEAVE = "退房";
export const VOID = "作废";
const CHANGES = [
  { label: "换房", move: "changeRoom", kind: "room" },
  { label: "转租", move: "changeTenant", kind: "tenant" },
] as const;
const LEAVING = "/contract/SettleRoomApplicationPage";
const STAYING = "/contract/RenewalApplicationPage";
const ARCHIVE = "/contract/ArchiveManagePage";
const factsOf = (row: Acted): Facts & { status: State } => ({ ...row.facts, status: row.state });

/** What is owed now: late bills, and before moving in what is due on signing. */
const owedNow = (row: Acted): number => row.overdue || (row.facts.handoverOn ? 0 : row.facts.firstOpen);

/** The one next step of a contract as it stands, or nothing. */
function nextOf(row: Acted): string | undefined {
  if (row.state === "draft") return EDIT;
  if (row.facts.frozen) return undefined;
  if (row.state === "signing") return row.signMode === "electronic" ? undefined : SIGN;
  if (!isInForce(row.state)) return undefined;
  if (owedNow(row) > 0) return PAY;
  return row.facts.handoverOn ? undefined : MOVE_IN;
}

/** What can be done with a contract, its next step first, with the reason where it cannot, and the layer that an act has opened. */
export function useContractActs(inList = false): [of: (row: Acted) => Action[], layer: ReactNode] {
  const act = useAct();
  const go = useGo();
  const [, set] = useAddress();
  const [open, setOpen] = useState<Open>();
  const [sent, setSent] = useState<Links>();
  const [self, setSelf] = useState<Reply<typeof sendSelfLink>>();
  const close = () => setOpen(undefined);

  const of = (row: Acted): Action[] => {
    const params = { id: row.id };
    const permit = (act: ContractAct) => permitOf(row.kind, act);
    const drawing = [permit("edit"), permit("add")];
    const why = (move: MoveName) => contractMoves.refusal(move, factsOf(row));
    const all: Action[] = [
      ...(inList
        ? [{ label: "详情", need: permit("get"), run: () => set({ id: row.id }, { push: true }) }]
        : []),
      {
        label: EDIT,
        need: drawing,
        why: why("edit"),
        run: () => set({ id: undefined, draft: row.id }, { push: true }),
      },
      { label: SIGN, need: permit("sign"), why: why("sign"), run: () => setOpen({ kind: "sign", row }) },
      ...signingActs(row),
      ...(owedNow(row) > 0 && isInForce(row.state)
        ? [
            {
              label: PAY,
              need: "102.add" as const,
              run: () => go(COUNTER, { partyId: row.partyId, villageId: row.villageId }),
            },
          ]
        : []),
      // done once and for all
      ...(row.facts.handoverOn
        ? row.state === "effective" && row.facts.handoverOn >= addDays(row.facts.today, -1)
          ? [
              {
                label: "撤销入住",
                need: permit("edit"),
                danger: true,
                run: () =>
                  act(undoHandover, { params, body: { version: row.version } } as never, {
                    done: "已撤销入住",
                    reason: {
                      title: `撤销入住 ${row.contractNo}`,
                      text: "办理后 24 小时内可以撤销。",
                      ok: "撤销入住",
                    },
                  }),
              },
            ]
          : []
        : [
            {
              label: MOVE_IN,
              need: permit("edit"),
              why: why("handover"),
              run: () => setOpen({ kind: "handover", row }),
            },
          ]),
      {
        label: "打印合同",
        need: permit("get"),
        run: () => openFile(`/contract/api/v3/contract/${row.id}/paper`),
      },
      ...(row.signedOn
        ? [
            {
              label: "下载合同",
              need: permit("get"),
              run: () => exportList(packPapers, { query: { kind: row.kind, ids: String(row.id) } }, []),
            },
            {
              label: "归档",
              need: "226.add" as const,
              run: () => go(ARCHIVE, { contractId: row.id }),
            },
          ]
        : []),
      ...companyActs(row, () => setOpen({ kind: "occupants", row })),
      {
        label: "测算",
        need: permit("get"),
        why: row.roomNames && row.startDate && row.endDate ? undefined : "选定房间和租期后才能测算",
        run: () => setOpen({ kind: "whatIf", row }),
      },
      ...(whyNotKeeper(row.state)
        ? []
        : [{ label: "换管家", need: permit("edit"), run: () => setOpen({ kind: "keeper", row }) }]),
      ...(row.overdue > 0
        ? [
            {
              label: "催缴函",
              need: permit("get"),
              run: () => openFile(`/contract/api/v3/contract/${row.id}/dunningLetter`),
            },
          ]
        : []),
      ...(isInForce(row.state)
        ? [
            {
              label: "发送自助链接",
              need: permit("edit"),
              run: async () =>
                setSelf(
                  await act(sendSelfLink, { body: { contractId: row.id } }, { done: "自助链接已发送" }),
                ),
            },
            {
              label: LEAVE,
              need: "72.add" as const,
              why: why("settle"),
              run: () => go(LEAVING, { action: 1, leaving: row.id }),
            },
            {
              label: "续租",
              need: "73.add" as const,
              why: windowRefusal(row.endDate!, row.facts.today, row.windowDays),
              run: () => go(STAYING, { renewing: row.id }),
            },
            {
              label: "变更条款",
              need: permit("amend"),
              why: why("amend"),
              run: () => setOpen({ kind: "amend", row }),
            },
            ...(row.kind === "company"
              ? (
                  [
                    ["addRooms", "加房"],
                    ["returnRooms", "退部分房"],
                    ["exchangeRooms", "调换房间"],
                  ] as const
                ).map(([kind, label]) => ({
                  label,
                  need: "#1108" as const,
                  why: why(kind),
                  run: () => setOpen({ kind, row }),
                }))
              : []),
          ]
        : []),
      ...(row.kind === "company" || !isInForce(row.state)
        ? []
        : CHANGES.map(({ label, move, kind }) => ({
            label,
            need: "96.add" as const,
            why: why(move),
            run: () => go(CHANGE_PAGE, { kind, action: 1, moving: row.id }),
          }))),
      {
        label: "撤回",
        need: drawing,
        why: why("withdraw"),
        run: () =>
          askReason(
            { title: `撤回 ${row.contractNo}`, text: "撤回后退回草稿，占用的房间立即释放。", ok: "撤回" },
            (reason) => act(withdrawContract, { params, body: { reason } }, { done: "已撤回到草稿" }),
          ),
      },
      {
        label: VOID,
        need: permit("void"),
        danger: true,
        why: why("void"),
        run: () =>
          askReason(
            {
              title: `作废 ${row.contractNo}`,
              text: `${row.partyName} ${row.roomNames}：未收款的账单一并作废，房间立即释放。`,
              ok: "作废",
            },
            async (reason) => {
              const done = await act(voidContract, {
                params,
                body: { reason, version: row.version },
              });
              toast(done?.examineNo ? `作废已提交审批 ${done.examineNo}，通过后生效` : "合同已作废");
            },
          ),
      },
      {
        label: "删除",
        need: permit("delete"),
        danger: true,
        why: why("remove"),
        run: () =>
          act(
            deleteContract,
            { params },
            {
              done: "草稿已删除",
              ask: { title: "删除草稿", body: `确定删除 ${row.contractNo} 吗？`, ok: "删除" },
            },
          ),
      },
    ];
    // what can be done now stands where the eye is, the next step before the rest
    const next = nextOf(row);
    const place = (a: Action) => (a.why ? 2 : a.label === next ? 0 : 1);
    return all
      .map((a) => ({ ...a, main: !inList && !a.why && a.label === next }))
      .toSorted((a, b) => place(a) - place(b));
  };

  /** What is done about signing electronically: begun once, then sent again or taken back. */
  function signingActs(row: Acted): Action[] {
    const params = { id: row.id };
    const shared = {
      need: permitOf(row.kind, "sign"),
      why: contractMoves.refusal("sign", factsOf(row)),
    };
    if (row.signMode !== "electronic")
      return [
        {
          label: START,
          ...shared,
          run: async () => setSent(await act(startSigning, { params }, { done: "已发起电子签署" })),
        },
      ];
    if (row.state !== "signing") return [];
    return [
      {
        label: "重新发送",
        ...shared,
        run: async () =>
          setSent(
            await act(
              resendSigning,
              { params },
              {
                done: "签署链接已重新发送",
                ask: {
                  title: "重新发送签署链接",
                  body: "请客户使用新链接签署，确定重新发送吗？",
                  ok: "重新发送",
                },
              },
            ),
          ),
      },
      {
        label: "撤销签署",
        ...shared,
        run: () =>
          askReason(
            {
              title: `撤销签署 ${row.contractNo}`,
              text: "已发送的链接立即失效，合同仍待签署。",
              ok: "撤销签署",
            },
            (reason) => act(cancelSigning, { params, body: { reason } }, { done: "已撤销签署" }),
          ),
      },
    ];
  }

  const layer = self ? (
    <SentLink title="自助链接" sent={self} onClose={() => setSelf(undefined)} />
  ) : sent ? (
    <LinkDialog sent={sent} onClose={() => setSent(undefined)} />
  ) : open?.kind === "sign" ? (
    <SignDrawer
      id={open.row.id}
      contractNo={open.row.contractNo}
      today={open.row.facts.today}
      onClose={close}
    />
  ) : open?.kind === "keeper" ? (
    <KeeperForm of={[open.row]} onClose={close} />
  ) : open?.kind === "whatIf" ? (
    <Arriving onClose={close}>
      <WhatIf id={open.row.id} onClose={close} />
    </Arriving>
  ) : open?.kind === "occupants" ? (
    <Arriving onClose={close}>
      <OccupantImport contract={open.row} onClose={close} />
    </Arriving>
  ) : open?.kind === "handover" ? (
    <HandoverDialog row={open.row} onClose={close} />
  ) : open ? (
    <Arriving onClose={close}>
      <ChangeForm
        kind={open.kind}
        contractId={open.row.id}
        onDone={(change) => set({ id: open.row.id, part: "changes", change }, { push: true })}
        onClose={close}
      />
    </Arriving>
  ) : null;
  return [of, layer];
}

const ChangeForm = lazily(() =>
  import("../amendment/change.panel.tsx").then((m) => ({ default: m.ChangeForm })),
);
