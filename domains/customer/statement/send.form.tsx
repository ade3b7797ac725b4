import { useQuery } from "@tanstack/react-query";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { NOBODY_GETS } from "./mail.rules.ts";
import { sendStatementMail, statementReceivers } from "./statement.contract.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Props = {
  company: { id: number; name: string };
  period: { from: Day; to: Day; villageIds: number[] };
  closing: number;
  onClose: () => void;
};

/** 邮件发送对账单: whom it reaches is said before. */
export function SendForm({ company, period, closing, onClose }: Props) {
  const refresh = useRefresh();
  const params = { id: company.id };
  const { data, error, refetch } = useQuery(ask(statementReceivers, { params }));
  const reached = data?.receivers.some((c) => c.email);
  const go = async () => {
    const { sent } = await send(sendStatementMail, { params, body: period });
    toast(sent ? `对账单已发送给 ${sent} 个邮箱` : "今天已发送过同一份对账单，没有重复发送");
    onClose();
    void refresh();
  };
  return (
    <Dialog
      title="邮件发送对账单"
      width={460}
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" why={data ? (reached ? undefined : NOBODY_GETS) : "正在读取收件人"} run={go}>
            发送
          </Button>
        </Foot>
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={3} />
      ) : (
        <>
          <p>
            {company.name} {period.from} 至 {period.to}，期末欠款 {yuan(closing)} 元，以 PDF 附件发送
          </p>
          <ul className="party__mail" aria-label="收件人">
            {data.receivers.map((c) => (
              <li key={`${c.name} ${c.email}`}>
                <b>{c.name}</b>
                <span className={c.email ? "" : "dim"}>{c.email || "没有填写邮箱，不发送"}</span>
              </li>
            ))}
          </ul>
          {!reached && <p className="notice s-gold">{NOBODY_GETS}</p>}
          {data.kept && reached && <p className="dim">邮件未接入服务商，仅记录在发件箱，不会实际发出</p>}
        </>
      )}
    </Dialog>
  );
}
