import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { SignedPaper, useSignedPaper } from "../act/signed-paper.form.tsx";
import { BillTable } from "../preview/bill-table.panel.tsx";
import { Notices } from "../recut/changes.panel.tsx";
import { renewals } from "../successor/successor.contract.ts";
import { type ContractKind, permitOf } from "../terms/kind.rules.ts";
import type { RenewalRow } from "./renewal.contract.ts";

export type Previewed = Reply<typeof renewals.preview>;

/** 原押金 3,500.00 → 新押金 3,675.00，补交 175.00 */
export function depositText({ held, deposit, carried, back }: Previewed): string {
  const more = deposit - carried;
  const rest = [more > 0 && `补交 ${yuan(more)}`, back > 0 && `退还 ${yuan(back)}`].filter(Boolean);
  return `原押金 ${yuan(held)} → 新押金 ${yuan(deposit)}，${rest.length ? rest.join("，") : "无需补退"}`;
}

/** What the server will refuse it for; what needs a reason of its own is handed in by the contract's form. */
export function blockedBy(
  { obstacles }: Pick<Previewed, "obstacles">,
  kind: ContractKind,
): string | undefined {
  const no = obstacles.find((o) => o.code !== "belowLowest" || !may(permitOf(kind, "belowLowest")));
  if (!no) return undefined;
  return ["blackListed", "overCredit"].includes(no.code) ? `${no.msg}；请在合同表单中填写原因后提交` : no.msg;
}

/** What a renewal comes to: the deposit, what the old lease still owes, and every new bill. */
export function RenewalPreview({ preview: p }: { preview: Previewed }) {
  return (
    <div className="stack gap-8">
      <Notices obstacles={p.obstacles} warnings={p.contract.warnings} />
      {p.arrears > 0 && (
        <p className="notice s-orange">原合同欠费 {yuan(p.arrears)} 元，续租后仍留在原合同</p>
      )}
      <MoneyStrip
        items={[
          { title: "签约应付", fen: p.due, key: true },
          { title: "新押金", fen: p.deposit },
          { title: "租金合计", fen: p.contract.totals.rent },
          { title: "折后月租", fen: p.contract.totals.netMonthlyRent },
        ]}
      />
      <p>{depositText(p)}</p>
      <h3>新合同账单</h3>
      <BillTable preview={p.contract} />
    </div>
  );
}

/** A renewal as its steps need it. */
export type Stepped = Pick<RenewalRow, "actNo" | "kind"> & { actId: number; actVersion: number };
const STEPS = {
  look: { title: "试算续租", ok: "", done: "" },
  submit: { title: "提交续租", ok: "提交", done: "续租已提交，新租期的房间已占用" },
  confirm: { title: "确认续租", ok: "确认续租", done: "续租已确认，新合同生效" },
} as const;
export type Step = keyof typeof STEPS;

/** Looks at the renewal once more and takes the step with the hash of what is shown; a confirmation brings the signed paper. */
export function StepDrawer({
  of,
  step,
  today,
  onClose,
}: {
  of: Stepped;
  step: Step;
  today: string;
  onClose: () => void;
}) {
  const { title, ok, done } = STEPS[step];
  const paper = useSignedPaper(today);
  const signs = step === "confirm";
  const params = { id: of.actId };
  return (
    <ConfirmDrawer<Previewed>
      title={`${title} ${of.actNo}`}
      ok={ok}
      why={(p) => blockedBy(p, of.kind)}
      note={depositText}
      of={ask(renewals.preview, { params, body: {} })}
      missing={signs ? paper.missing : undefined}
      take={async ({ previewHash }, idempotencyKey) => {
        const body = { version: of.actVersion, previewHash, ...(signs && paper.sent()) };
        await sendWire(signs ? renewals.confirm : renewals.submit, { params, body }, { idempotencyKey });
        return done;
      }}
      onClose={onClose}
    >
      {(preview, { wrong }) => (
        <>
          {signs && <SignedPaper {...paper.fields} wrong={wrong} of="双方签字的续租合同" />}
          <RenewalPreview preview={preview} />
        </>
      )}
    </ConfirmDrawer>
  );
}
