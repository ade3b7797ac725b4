import { ask, send } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { SignedPaper, useSignedPaper } from "../act/signed-paper.form.tsx";
import { BillTable } from "../preview/bill-table.panel.tsx";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract } from "./signing.contract.ts";

type Props = { id: number; contractNo: string; today: string; onClose: () => void };

/** Both have signed the paper: the scans go in, the bills are looked at once more, and the contract comes into force. */
export function SignDrawer({ id, contractNo, today, onClose }: Props) {
  const paper = useSignedPaper(today);
  return (
    <ConfirmDrawer
      title={`确认线下签署 ${contractNo}`}
      ok="确认签署"
      note={() => "签署后生成全部账单，房间转为租用"}
      changed="账单试算已变化，请核对标出的账单后重新确认"
      of={ask(previewContract, { body: { id } })}
      missing={paper.missing}
      take={async ({ previewHash }, idempotencyKey) => {
        const body = { ...paper.sent(), previewHash };
        const done = await send(signOfflineContract, { params: { id }, body }, { idempotencyKey });
        return done.examineNo
          ? `签署件已提交审批 ${done.examineNo}，通过后合同生效`
          : `${contractNo} 已签署，生成账单 ${done.bills} 张`;
      }}
      onClose={onClose}
    >
      {(preview, { before, wrong }) => (
        <>
          <MoneyStrip
            items={[
              { title: "签约应收", fen: preview.totals.atSigning },
              { title: "押金", fen: preview.totals.deposit },
              { title: "合同总额", fen: preview.totals.contractTotal },
              { title: "折后月租", fen: preview.totals.netMonthlyRent },
            ]}
          />
          <SignedPaper {...paper.fields} wrong={wrong}>
            <Button icon="file" run={() => openFile(`/contract/api/v3/contract/${id}/paper`)}>
              打印待签稿
            </Button>
          </SignedPaper>
          <section>
            <h3>签署后生成的账单</h3>
            <BillTable preview={preview} before={before} />
          </section>
        </>
      )}
    </ConfirmDrawer>
  );
}
