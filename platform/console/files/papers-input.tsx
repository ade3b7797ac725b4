import { useState } from "react";
import type { Call } from "../../kernel/call.ts";
import type { InputProps } from "../inputs/inputs.tsx";
import { type FileRef, FileUpload } from "./upload.tsx";

type PapersProps = {
  /** Takes one file. */
  call: Call;
  /** What the file is for, where the call takes files for more than one thing. */
  purpose?: string;
  /** Files that the form begins with, by their names. */
  known?: readonly FileRef[] | undefined;
  accept?: string;
  maxBytes?: number;
  maxFiles?: number;
  hint?: string;
};

/** Papers that belong to what is written down, such as a chat, a slip or a licence; the form keeps their ids. */
export function PapersInput({
  value = [],
  onChange,
  known = [],
  accept = ".jpg,.jpeg,.png,.pdf",
  ...rest
}: InputProps<number[]> & PapersProps) {
  const [named, setNamed] = useState(known);
  return (
    <FileUpload
      {...rest}
      accept={accept}
      value={value.map((id) => named.find((file) => file.id === id) ?? { id, name: "已上传的文件" })}
      onChange={(files = []) => {
        setNamed((before) => [...before, ...files]);
        onChange(files.map((file) => file.id));
      }}
    />
  );
}

/** The same for one file. */
export const PaperInput = ({
  value,
  onChange,
  ...rest
}: InputProps<number> & Omit<PapersProps, "maxFiles">) => (
  <PapersInput {...rest} maxFiles={1} value={value ? [value] : []} onChange={(ids) => onChange(ids?.[0])} />
);
