import { type ReactNode, useState } from "react";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import type { WrongFields } from "../../../platform/console/form/confirm-drawer.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { uploadFile } from "../../system/file/file.contract.ts";

/** What both have signed on paper: the scans of it, and the day. */
export function useSignedPaper(today: string) {
  const [files, setFiles] = useState<FileRef[]>([]);
  const [signedOn, setSignedOn] = useState<string | undefined>(today);
  return {
    sent: () => ({ fileIds: files.map((f) => f.id), signedOn: signedOn! }),
    missing: (): WrongFields => ({
      ...(files.length ? {} : { fileIds: "请上传扫描件" }),
      ...(signedOn ? {} : { signedOn: "请选择签署日期" }),
    }),
    fields: { files, setFiles, signedOn, setSignedOn },
  };
}

type Props = ReturnType<typeof useSignedPaper>["fields"] & {
  wrong: WrongFields;
  /** Which paper, in front of what may be uploaded. */
  of?: string;
  /** Beside the day. */
  children?: ReactNode;
};

export const SignedPaper = ({ files, setFiles, signedOn, setSignedOn, wrong, of, children }: Props) => (
  <section className="stack gap-6">
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
        hint={`${of ? `${of}，` : ""}pdf、jpg、png，每个不超过 30M，最多 20 个`}
      />
      {wrong["fileIds"] && <p className="fi__msg">{wrong["fileIds"]}</p>}
    </div>
    <div className={`fi ${wrong["signedOn"] ? "fi--bad" : ""}`}>
      <label className="fi__label fi__label--must" htmlFor="signed-on">
        签署日期
      </label>
      <span className="row">
        <DayInput id="signed-on" value={signedOn} onChange={setSignedOn} />
        {children}
      </span>
      {wrong["signedOn"] && <p className="fi__msg">{wrong["signedOn"]}</p>}
    </div>
  </section>
);
