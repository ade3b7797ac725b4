import { QRCodeSVG } from "@rc-component/qrcode";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { copy, toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { sendConfirm, settlementLinks } from "../settle-link/link.contract.ts";
import { LINK_STATES } from "../settle-link/link.rules.ts";
import type { SettleRow } from "../settlement/settlement.contract.ts";

/** The sheet goes to the tenant: by text message, or over the desk. The link is shown once, to be scanned. */
export function PresentForm({ of, onClose }: { of: SettleRow; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm(sendConfirm.body, { version: of.version, how: "sms" });
  const [sent, setSent] = useState<Reply<typeof sendConfirm>>();
  const run = async () => {
    let reply: Reply<typeof sendConfirm> | undefined;
    const done = await form.submit(async (body) => {
      reply = await send(sendConfirm, { params: { id: of.id }, body });
    });
    if (!done || !reply) return;
    await refresh();
    if (reply.path) return setSent(reply);
    toast("已登记送达");
    onClose();
  };
  const link = sent?.path && `${location.origin}${sent.path}`;
  return (
    <Dialog
      title={`送达结算单 ${of.actNo}`}
      width={440}
      onClose={onClose}
      footer={
        link ? (
          <Button look="main" run={onClose}>
            关闭
          </Button>
        ) : (
          <>
            <Button run={onClose}>取消</Button>
            <Button look="main" busy={form.busy} run={run}>
              送达
            </Button>
          </>
        )
      }
    >
      {link ? (
        <div className="stack gap-6">
          <p>链接已发送至 {sent.phone}，7天内有效。租客也可以当面扫码确认：</p>
          <div className="row gap-8 wrap">
            <QRCodeSVG value={link} size={168} marginSize={2} />
            <Button icon="copy" run={() => copy(link)}>
              复制链接
            </Button>
          </div>
          <p className="dim fs-13">打开链接还需要证件号后四位和手机验证码。</p>
        </div>
      ) : (
        <FormFields
          form={form}
          label={80}
          fields={[{ key: "how", help: `送达满${of.silentDays}天租客没有答复的，可以登记为逾期未答复` }]}
        />
      )}
    </Dialog>
  );
}

/** Every link with what proves its answer. */
export const Links = ({ id }: { id: number }) => (
  <Loaded call={settlementLinks} sent={{ params: { id } }} lines={4}>
    {(links) => (
      <RowTable
        schema={settlementLinks.reply}
        rows={links}
        columns={[
          { key: "state", show: (l) => <WordTag words={LINK_STATES} code={l.state} /> },
          "net",
          "phone",
          "sentAt",
          "openedAt",
          "endedAt",
          "reason",
          "ip",
          { key: "device", show: (l) => <span title={l.device}>{l.device.slice(0, 24)}</span> },
          "smsNo",
          {
            key: "documentHash",
            title: "文件 SHA-256",
            show: (l) => <span title={l.documentHash}>{l.documentHash.slice(0, 16)}</span>,
          },
        ]}
        emptyText="还没有发送过确认链接"
      />
    )}
  </Loaded>
);
