import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Failure } from "../../../platform/console/calls/failure.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { FileUpload, openFile, type FileRef } from "../../../platform/console/files/upload.tsx";
import { uploadFile } from "../../system/file/file.contract.ts";
import { BillTable, type Previewed } from "../preview/bill-table.panel.tsx";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract } from "./signing.contract.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Props = { id: number; contractNo: string; today: string; onClose: () => void };

/** Both have signed the paper: the scans go in, the bills are looked at once more, and the contract comes into force. */
export function SignDrawer({ id, contractNo, today, onClose }: Props) {
  const refresh = useRefresh();
  const client = useQueryClient();
  const [key] = useState(freshKey);
  const [files, setFiles] = useState<FileRef[]>([]);
  const [signedOn, setSignedOn] = useState<string | undefined>(today);
  const [before, setBefore] = useState<Previewed>();
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const query = ask(previewContract, { body: { id } });
  const { data: preview, error, refetch } = useQuery(query);
  const sign = async () => {
    const missing = {
      ...(files.length ? {} : { fileIds: "请上传扫描件" }),
      ...(signedOn ? {} : { signedOn: "请选择签署日期" }),
    };
    setWrong(missing);
    if (Object.keys(missing).length || !preview || !signedOn) return;
    try {
      const body = { fileIds: files.map((f) => f.id), signedOn, previewHash: preview.previewHash };
      const done = await send(signOfflineContract, { params: { id }, body }, { idempotencyKey: key });
      toast(
        done.examineNo
          ? `签署件已提交审批 ${done.examineNo}，通过后合同生效`
          : `${contractNo} 已签署，生成账单 ${done.bills} 张`,
      );
      onClose();
      await refresh();
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "previewChanged") {
        setBefore(preview);
        client.setQueryData(query.queryKey, failure.data as Previewed);
      }
      if (failure instanceof Failure && failure.fields.length)
        setWrong(Object.fromEntries(failure.fields.map((f) => [f.field, f.msg])));
      throw failure;
    }
  };
  return (
    <Drawer
      title={`确认线下签署 ${contractNo}`}
      width={960}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose} note={<span className="dim">签署后生成全部账单，房间转为租用</span>}>
          <Button look="main" why={preview ? undefined : "账单试算中"} run={sign}>
            确认签署
          </Button>
        </Foot>
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !preview ? (
        <RowsSkeleton rows={8} />
      ) : (
        <div className="record">
          {before && (
            <div className="form__alert" role="alert">
              账单试算已变化，请核对标出的账单后重新确认
            </div>
          )}
          <MoneyStrip
            items={[
              { title: "签约应收", fen: preview.totals.atSigning },
              { title: "押金", fen: preview.totals.deposit },
              { title: "合同总额", fen: preview.totals.contractTotal },
              { title: "折后月租", fen: preview.totals.netMonthlyRent },
            ]}
          />
          <h3>签署件</h3>
          <div className={`fi ${wrong["fileIds"] ? "fi--bad" : ""}`}>
            <label className="fi__label fi__label--must">扫描件</label>
            <FileUpload
              value={files}
              onChange={(next) => setFiles(next ?? [])}
              call={uploadFile}
              purpose="paper30M"
              accept=".pdf,.jpg,.jpeg,.png"
              maxFiles={20}
              hint="pdf、jpg、png，每个不超过 30M，最多 20 个"
            />
            {wrong["fileIds"] && <p className="fi__msg">{wrong["fileIds"]}</p>}
          </div>
          <div className={`fi sign__on ${wrong["signedOn"] ? "fi--bad" : ""}`}>
            <label className="fi__label fi__label--must" htmlFor="signed-on">
              签署日期
            </label>
            <span className="row">
              <DayInput id="signed-on" value={signedOn} onChange={setSignedOn} />
              <Button icon="file" run={() => openFile(`/contract/api/v3/contract/${id}/paper`)}>
                打印待签稿
              </Button>
            </span>
            {wrong["signedOn"] && <p className="fi__msg">{wrong["signedOn"]}</p>}
          </div>
          <h3>签署后生成的账单</h3>
          <BillTable preview={preview} before={before} />
        </div>
      )}
    </Drawer>
  );
}
