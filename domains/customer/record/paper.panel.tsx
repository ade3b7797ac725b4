import { useState } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { FileUpload, type FileRef } from "../../../platform/console/files/upload.tsx";
import { uploadFile } from "../../system/file/file.contract.ts";
import { bytesOf, PURPOSES, type PurposeName } from "../../system/file/purposes.rules.ts";

/** One file, kept as its number. */
export function PaperInput({
  value,
  onChange,
  purpose,
  ...rest
}: InputProps<number> & { purpose: PurposeName }) {
  const [file, setFile] = useState<FileRef>();
  const { cap, kinds } = PURPOSES[purpose];
  const named = file?.id === value ? file : undefined;
  return (
    <FileUpload
      {...rest}
      call={uploadFile}
      purpose={purpose}
      accept={kinds.flatMap((k) => (k === "jpg" ? [".jpg", ".jpeg"] : [`.${k}`])).join(",")}
      maxBytes={bytesOf(cap)}
      maxFiles={1}
      hint={`${kinds.join("、")}，不超过 ${cap}`}
      value={value === undefined ? [] : [named ?? { id: value, name: "已上传的文件" }]}
      onChange={(files = []) => {
        setFile(files[0]);
        onChange(files[0]?.id);
      }}
    />
  );
}
