import { useState } from "react";
import type { Call } from "../../kernel/call.ts";
import { type FileRef, FileUpload } from "./upload.tsx";
import type { InputProps } from "../inputs/inputs.tsx";

/** Papers that belong to what is written down, such as a chat, a slip or a licence; the form keeps their ids. */
export function PapersInput({
  call,
  start = [],
  hint,
  maxFiles,
  onChange,
  id,
  disabled,
}: InputProps<number[]> & { call: Call; start?: readonly FileRef[]; hint: string; maxFiles?: number }) {
  const [files, setFiles] = useState<FileRef[]>([...start]);
  return (
    <FileUpload
      id={id}
      disabled={disabled}
      value={files}
      call={call}
      accept=".jpg,.jpeg,.png,.pdf"
      hint={hint}
      {...(maxFiles && { maxFiles })}
      onChange={(next = []) => {
        setFiles(next);
        onChange(next.map((f) => f.id));
      }}
    />
  );
}
