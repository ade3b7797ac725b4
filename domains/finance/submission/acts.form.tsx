import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { AccountSelect } from "../account/account.form.tsx";
import {
  linesOfSubmission,
  matchSubmission,
  receiveSubmission,
  settleShort,
  type SubmissionRow,
} from "./submission.contract.ts";
import { arrived } from "./submission.rules.ts";

type Props = { of: SubmissionRow; onClose: () => void };

/** What the amount makes of it. */
const outcome = (submitted: number, amount: number | undefined): string => {
  if (amount === undefined) return "";
  const diff = amount - submitted;
  const state = arrived(submitted, amount);
  return state === "received"
    ? "全部到账"
    : state === "short"
      ? `短款 ${yuan(-diff)} 元`
      : `长款 ${yuan(diff)} 元`;
};

/** The bank lines that may be its money, the likeliest first. */
function LineInput({
  of,
  value,
  onChange,
  onAmount,
}: InputProps<number> & { of: SubmissionRow; onAmount: (fen: number) => void }) {
  const { data, error, refetch } = useQuery(ask(linesOfSubmission, { params: { id: of.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={2} />;
  if (!data.length) return <Empty text="转入账户在这几天没有未认领的银行流水" />;
  return (
    <div className="stack gap-3" role="radiogroup" aria-label="银行流水">
      {data.map((line) => (
        <Tick
          key={line.id}
          one="line"
          checked={line.id === value}
          onChange={() => {
            onChange(line.id);
            onAmount(Math.min(line.free, of.submitted));
          }}
        >
          <span className="row wrap fs-13">
            <span>{line.day}</span>
            <span>{line.counterName || line.summary || "—"}</span>
            <Money fen={line.free} strong />
            {line.free !== line.amount && <span className="dim">共 {yuan(line.amount)}</span>}
          </span>
        </Tick>
      ))}
    </div>
  );
}

/** 匹配银行流水: the line that the money came with. */
export const MatchForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={matchSubmission}
    title={`匹配银行流水 ${of.submissionNo}`}
    ok="匹配"
    done="已到账"
    width={600}
    params={{ id: of.id }}
    initial={{ version: of.version }}
    onClose={onClose}
    note={({ amount }) => outcome(of.submitted, amount)}
    fields={(set) => [
      {
        key: "lineId",
        wide: true,
        input: (p) => <LineInput {...p} of={of} onAmount={(fen) => set("amount", fen)} />,
      },
      { key: "amount", help: `实缴 ${yuan(of.submitted)} 元` },
    ]}
  />
);

/** 确认到账: somebody has seen it in the account. */
export const ReceiveForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={receiveSubmission}
    title={`确认到账 ${of.submissionNo}`}
    ok="确认到账"
    done="已确认"
    width={520}
    params={{ id: of.id }}
    initial={{
      version: of.version,
      amount: of.claimed ? 0 : of.submitted,
      receivedOn: today(),
    }}
    onClose={onClose}
    note={({ amount }) => outcome(of.submitted, amount)}
    fields={[
      {
        key: "amount",
        help: of.claimed
          ? "转入账户为对公入账账户，到账须匹配银行流水；确定没有到账时填 0"
          : `实缴 ${yuan(of.submitted)} 元，转入 ${of.toAccountName}`,
      },
      "receivedOn",
      "remark",
    ]}
  />
);

const repaid = (now: Partial<Body<typeof settleShort>>) => now.way === "repay";

/** 短款处理: the store pays it, or it is borne as a loss. */
export const SettleForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={settleShort}
    title={`短款处理 ${of.submissionNo}`}
    ok="处理"
    done="已提交短款处理"
    width={520}
    params={{ id: of.id }}
    initial={{
      version: of.version,
      way: "repay",
      ...(of.kind === "cash" && { merchantAccountId: of.fromAccountId }),
    }}
    onClose={onClose}
    note={({ way }) =>
      `短款 ${yuan(of.submitted - (of.received ?? 0))} 元，${way === "loss" ? "核损按审批配置审批后计入长短款损益" : "补入现金箱后须再次缴款"}`
    }
    fields={[
      "way",
      {
        key: "merchantAccountId",
        must: true,
        when: repaid,
        input: (p) => <AccountSelect {...p} villageId={of.villageId} channel="cash" direction="out" />,
      },
      "reason",
    ]}
  />
);
