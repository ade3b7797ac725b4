import { useState } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { FileUpload, type FileRef } from "../../../platform/console/files/upload.tsx";
import { UPLOADS } from "../../system/file/file.contract.ts";

/** What belongs to a follow-up, such as a chat or a sketch; the form keeps the ids. */
export function PapersInput({
  onChange,
  id,
  disabled,
  hint = "图片或PDF，最多5个",
}: InputProps<number[]> & { hint?: string }) {
  const [files, setFiles] = useState<FileRef[]>([]);
  return (
    <FileUpload
      id={id}
      disabled={disabled}
      value={files}
      call={UPLOADS.paper10M}
      accept=".jpg,.jpeg,.png,.pdf"
      hint={hint}
      onChange={(next = []) => {
        setFiles(next);
        onChange(next.map((f) => f.id));
      }}
    />
  );
}
