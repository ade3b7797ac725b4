import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { type Asked, ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ListContext } from "../../../platform/console/list/list-context.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Broken } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Permit, Reply } from "../../../platform/kernel/call.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { AGREED_BY, type ActCalls } from "../act/act.contract.ts";
import { ACT_KIND_WORDS, ACT_STATES, type ActMove, CHANGE_MOVES } from "../act/act.rules.ts";
import { actPlace } from "../chain/chain.rules.ts";
import { type ContractDetail, getContract } from "../contract/detail.contract.ts";
import { startActSigning } from "../esign/esign.contract.ts";
import {
  ACT_SIGNING_NOTE,
  type Links,
  SigningBar,
  Signings,
  useActSigning,
} from "../esign/signings.panel.tsx";
import { ChangeMoney, ChangedBills, type Preview, resultText } from "../recut/changes.panel.tsx";
import { addRoomsActs, exchangeRoomsActs, returnRoomsActs } from "../room-change/room-change.contract.ts";
import { AddRoomsForm, ExchangeRoomsForm, ReturnRoomsForm } from "../room-change/room-change.form.tsx";
import { permitOf } from "../terms/kind.rules.ts";
import { amendActs, contractActs, getChange } from "./amendment.contract.ts";
import { AmendForm } from "./amend.form.tsx";

export const CHANGES = {
  amend: { calls: amendActs as unknown as ActCalls, Form: AmendForm },
  addRooms: { calls: addRoomsActs as unknown as ActCalls, Form: AddRoomsForm },
  returnRooms: { calls: returnRoomsActs as unknown as ActCalls, Form: ReturnRoomsForm },
  exchangeRooms: { calls: exchangeRoomsActs as unknown as ActCalls, Form: ExchangeRoomsForm },
} as const;
export type ChangeKind = keyof typeof CHANGES;
type Shown = Reply<typeof getChange>;
const callsOf = (r: Shown): ActCalls => CHANGES[r.kind as ChangeKind].calls;

/** The form of a change over the contract that it is about. */
export const ChangeForm = ({
  kind,
  contractId,
  of,
  onDone,
  onClose,
}: {
  kind: ChangeKind;
  contractId: number;
  of?: Shown | undefined;
  onDone?: (id: number) => void;
  onClose: () => void;
}) => {
  const { data: contract } = useQuery(ask(getContract, { params: { id: contractId } }));
  const { Form } = CHANGES[kind];
  return contract ? <Form contract={contract} of={of} {...(onDone && { onDone })} onClose={onClose} /> : null;
};

/** Everything that was done to a contract, each opening its own detail. */
export function ContractActs({ contract }: { contract: ContractDetail }) {
  const [address, set] = useAddress();
  const change = Number(address.get("change")) || undefined;
  return (
    <>
      <Loaded call={contractActs} sent={{ params: { id: contract.id } }} lines={4}>
        {(rows) => (
          <RowTable
            schema={contractActs.reply}
            rows={rows}
            columns={[
              { key: "actNo", to: (a) => reach(...actPlace(a, contract)) },
              "kind",
              "effectiveOn",
              "state",
              { key: "net", show: (a) => (a.net === null ? NONE : resultText(a.net)) },
              "reason",
              "handlerName",
              "requestedOn",
            ]}
            emptyText="还没有变更、续租、换房或退房"
          />
        )}
      </Loaded>
      {change && <ChangeDrawer id={change} onClose={() => set({ change: undefined })} />}
    </>
  );
}

/** An approval names the act; it is looked at with its contract. */
export function ToChange({ id }: { id: number }) {
  const [, set] = useAddress();
  const { data, error } = useQuery(ask(getChange, { params: { id } }));
  const contractId = data?.contractId;
  useEffect(() => {
    if (contractId) set({ of: undefined, id: contractId, part: "changes", change: id });
  }, [contractId, id, set]);
  return error ? <Broken error={error} retry={() => undefined} /> : null;
}

const whyNot = (move: ActMove, r: Shown) =>
  CHANGE_MOVES.refusal(move, { agreed: r.agreed, frozen: r.frozen, status: r.state });

type Open = "submit" | "sign" | "confirm" | "agree" | "edit";
const sendsIt = (r: Shown): Permit => (r.kind === "amend" ? permitOf(r.contractKind, "amend") : "#1108");

/** What can be done with a change as it stands, with the sentence where it cannot. */
function useSteps(): { of: (r: Shown) => Action[]; layer: ReactNode } {
  const act = useAct();
  const signing = useActSigning();
  const [open, setOpen] = useState<{ what: Open; of: Shown }>();
  const close = () => setOpen(undefined);
  const of = (r: Shown): Action[] => {
    const calls = callsOf(r);
    const on = (...states: readonly Shown["state"][]) => states.includes(r.state);
    const step = (label: string, what: Open, move: ActMove, does: Action["does"], why?: string): Action => ({
      label,
      ...(does && { does }),
      why: whyNot(move, r) ?? why,
      run: () => setOpen({ what, of: r }),
    });
    const withReason = (label: string, move: "cancel" | "undo", text: string): Action => ({
      label,
      does: calls[move],
      danger: true,
      why: whyNot(move, r) ?? (move === "undo" ? (r.paidSince ?? undefined) : undefined),
      run: () =>
        act(calls[move], { params: { id: r.id }, body: { version: r.version } } as never, {
          done: `已${label}`,
          reason: { title: `${label} ${r.actNo}`, text, ok: label },
        }),
    });
    return [
      ...(on("handling") ? [step("提交签署", "submit", "submit", calls.submit)] : []),
      ...(on("signing")
        ? [
            ...(r.signing
              ? signing.of(r, sendsIt(r))
              : [
                  {
                    ...step("发起电子签署", "sign", "present", undefined),
                    need: sendsIt(r),
                  },
                ]),
            step("登记签署", "agree", "agree", calls.agree, r.agreed ? "租客已签署" : undefined),
            step("确认生效", "confirm", "confirm", calls.confirm),
          ]
        : []),
      ...(on("handling", "signing") ? [step("编辑", "edit", "edit", calls.edit)] : []),
      ...(on("rejected", "cancelled")
        ? []
        : [
            {
              label: "打印补充协议",
              run: () => openFile(`/contract/api/v3/amendment/${r.id}/sheet`),
            },
          ]),
      ...(on("handling", "signing", "approving")
        ? [withReason("取消", "cancel", "合同和账单保持不变。")]
        : []),
      ...(on("done")
        ? [
            withReason(
              "撤销",
              "undo",
              "条款、账单、押金和房间恢复到变更之前；变更后新出的账单已收款的不能撤销。",
            ),
          ]
        : []),
    ];
  };
  return {
    of,
    layer: (
      <>
        {open && <Layer {...open} onSent={signing.show} onClose={close} />}
        {signing.layer}
      </>
    ),
  };
}

type LayerProps = { what: Open; of: Shown; onSent: (sent: Links) => void; onClose: () => void };
function Layer({ what, of, onSent, onClose }: LayerProps) {
  if (what === "agree") return <AgreeForm of={of} onClose={onClose} />;
  if (what === "edit")
    return <ChangeForm kind={of.kind as ChangeKind} contractId={of.contractId} of={of} onClose={onClose} />;
  return <StepDrawer of={of} step={what} onSent={onSent} onClose={onClose} />;
}

const AgreeForm = ({ of, onClose }: { of: Shown; onClose: () => void }) => (
  <FormDialog
    call={callsOf(of).agree}
    title={`登记签署 ${of.actNo}`}
    ok="登记"
    done="已登记签署"
    params={{ id: of.id }}
    initial={{ version: of.version, how: "paper", fileIds: [] }}
    onClose={onClose}
    fields={[
      { key: "note", placeholder: "如：双方当面签字" },
      {
        key: "fileIds",
        title: "补充协议",
        input: (p) => (
          <PapersInput {...p} call={UPLOADS.paper10M} hint="双方签字的补充协议，图片或PDF，最多9个" />
        ),
      },
    ]}
  />
);

const STEPS = {
  submit: { title: "提交签署", ok: "提交", done: "已提交，待签署" },
  sign: { title: "发起电子签署", ok: "发起电子签署", done: "已发起电子签署" },
  confirm: { title: "确认生效", ok: "确认生效", done: "变更已生效" },
} as const;

/** Looks at the change once more and takes the step with the hash of what is shown. */
function StepDrawer({ of, step, onSent, onClose }: Omit<LayerProps, "what"> & { step: keyof typeof STEPS }) {
  const calls = callsOf(of);
  const call = step === "sign" ? startActSigning : calls[step];
  const { title, ok, done } = STEPS[step];
  return (
    <ConfirmDrawer<Preview>
      title={`${title} ${of.actNo}`}
      ok={ok}
      why={(p) => p.obstacles[0]?.msg}
      note={(p) => resultText(p.net)}
      of={ask(calls.preview, { params: { id: of.id }, body: {} }) as Asked<Preview>}
      take={async ({ previewHash }, idempotencyKey) => {
        const body = { version: of.version, previewHash };
        const options = call.money ? { idempotencyKey } : {};
        const answer = await sendWire<Links>(call, { params: { id: of.id }, body }, options);
        if (step === "sign") onSent(answer);
        return done;
      }}
      onClose={onClose}
    >
      {(preview) => (
        <>
          {step === "sign" && <p className="sub">{ACT_SIGNING_NOTE}</p>}
          <ChangeMoney preview={preview} />
        </>
      )}
    </ConfirmDrawer>
  );
}

/** One change over its contract: what is agreed, what it does to the bills, what became of it. */
function ChangeDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const steps = useSteps();
  return (
    <ListContext value={{ ids: [], at: id, open: () => undefined, close: onClose }}>
      <Detail
        call={getChange}
        sent={{ params: { id } }}
        width={1000}
        title={(r) => r.actNo}
        tags={(r) => (
          <>
            <WordTag words={ACT_KIND_WORDS} code={r.kind} dot={false} />
            <WordTag words={ACT_STATES} code={r.state} />
          </>
        )}
        facts={[
          "contractNo",
          "partyName",
          "effectiveOn",
          "requestedOn",
          "handlerName",
          "reason",
          {
            title: "约定",
            wide: true,
            show: (r) => r.clauses.map((text) => <div key={text}>{text}</div>),
          },
          {
            title: "签署",
            wide: true,
            show: (r) => (r.agreedHow ? `${AGREED_BY[r.agreedHow][0]}：${r.agreedNote}` : r.endedWhy || NONE),
          },
        ]}
        actions={(r) => steps.of(r).map((a, i) => ({ ...a, main: i === 0 && !a.why && !a.danger }))}
      >
        {(r) => (
          <>
            {r.signing && <SigningBar actId={r.id} />}
            <h3>账单变化</h3>
            {r.preview ? <ChangeMoney preview={r.preview} /> : <ChangedBills rows={r.done ?? []} />}
            <h3>附件</h3>
            <Papers files={r.files} />
            <Signings actId={r.id} />
          </>
        )}
      </Detail>
      {steps.layer}
    </ListContext>
  );
}
