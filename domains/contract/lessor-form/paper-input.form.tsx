import { useState } from "react";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import type { Call } from "../../../platform/kernel/call.ts";

type PapersProps = { call: Call; known?: readonly FileRef[]; accept?: string; most?: number; hint?: string };
const PICTURES = ".jpg,.jpeg,.png";

/** Files of a form, kept as their numbers. `known`: those that it begins with, by their names. */
export function PapersInput({
  value,
  onChange,
  known = [],
  most = 5,
  accept = PICTURES,
  id,
  disabled,
  ...rest
}: InputProps<number[]> & PapersProps) {
  const [files, setFiles] = useState<readonly FileRef[]>(known);
  return (
    <FileUpload
      {...rest}
      id={id}
      disabled={disabled}
      accept={accept}
      maxFiles={most}
      value={files.filter((file) => value?.includes(file.id))}
      onChange={(next = []) => {
        setFiles((all) => [...all, ...next]);
        onChange(next.map((file) => file.id));
      }}
    />
  );
}

/** The same for one file. */
export const PaperInput = ({ value, onChange, ...rest }: InputProps<number> & PapersProps) => (
  <PapersInput
    {...rest}
    most={1}
    value={value === undefined ? [] : [value]}
    onChange={(next = []) => onChange(next[0])}
  />
);
