import { useState } from "react";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { previewRemind, remindBills, remindedParty, type Whom } from "./remind.contract.ts";

/** Where what a debtor promised is written down. */
const OWING = "/report/owingReport";
type Shown = Reply<typeof remindBills>;
type Props = { title: string; whom: Whom; onClose: () => void };

/** 催缴: who is written to about what, before and after. */
export const RemindForm = ({ title, whom, onClose }: Props) => (
  <Dialog title={title} width={760} onClose={onClose}>
    <Loaded call={previewRemind} sent={{ body: whom }} lines={6}>
      {(found) => <Reminding found={found} whom={whom} onClose={onClose} />}
    </Loaded>
  </Dialog>
);

function Reminding({ found, whom, onClose }: { found: Shown; whom: Whom; onClose: () => void }) {
  const act = useAct();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<Shown>();
  const run = async () => {
    setBusy(true);
    const answer = await act(remindBills, { body: whom });
    setBusy(false);
    if (answer) setSent(answer);
  };
  const { parties, messages, amount, at } = sent ?? found;
  const when = at ? `，${timeInZone(at).slice(5, 16)} 发出` : "";
  return (
    <div className="stack gap-8">
      <p className="asked" role="status">
        {sent
          ? `已催缴 ${messages} 位客户${when}，${parties.length - messages} 位没有发送。`
          : `将向 ${messages} 位客户各发一条短信，逾期未收合计 ${yuan(amount)} 元${when}。同一门店每位客户每天最多催缴一次。`}
      </p>
      <RowTable
        schema={remindedParty}
        rows={parties}
        emptyText="没有逾期的账单"
        columns={[
          "partyName",
          "villageName",
          "bills",
          { key: "amount", strong: true },
          "since",
          "phone",
          {
            own: "result",
            title: sent ? "结果" : "说明",
            show: (r) =>
              r.refusal !== null ? (
                <span className="bad">{r.refusal}</span>
              ) : (
                <StatusTag tone={sent ? "green" : "blue"}>{sent ? "已催缴" : "将发送"}</StatusTag>
              ),
          },
          ...(may("114.edit") && reach(OWING)
            ? [
                {
                  own: "follow",
                  title: "跟进",
                  show: (r: { partyId: number }) => (
                    <Link to={reach(OWING, { id: r.partyId })!} onClick={onClose}>
                      登记跟进
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
      <div className="row gap-4 wrap">
        {sent ? (
          <Button look="main" run={onClose}>
            知道了
          </Button>
        ) : (
          <Button look="main" busy={busy} why={messages ? undefined : "没有可以催缴的客户"} run={run}>
            发送 {messages} 条短信
          </Button>
        )}
      </div>
    </div>
  );
}
