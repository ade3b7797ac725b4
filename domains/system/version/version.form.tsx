import { DatePicker } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { INSTANT_FORMAT } from "../../../platform/kernel/instant.ts";
import { addVersion, editVersion, type listVersions } from "./version.contract.ts";

const TimeInput = ({ value, onChange, onBlur, id, disabled }: InputProps<string>) => (
  <DatePicker
    showTime
    format={INSTANT_FORMAT}
    id={id ?? ""}
    value={value ? dayjs(value) : null}
    disabled={disabled ?? false}
    placeholder="请选择发布时间"
    onChange={(d: Dayjs | null) => onChange(d?.format(INSTANT_FORMAT))}
    {...(onBlur && { onBlur })}
  />
);

export function VersionForm({ note, onClose }: { note?: Row<typeof listVersions>; onClose: () => void }) {
  const common = {
    onClose,
    width: 520,
    label: 80,
    ok: "确定",
    fields: [
      { key: "releaseTime", input: (p: InputProps<string>) => <TimeInput {...p} /> },
      // too long a word is told, not cut
      { key: "version", input: (p: InputProps<string>) => <TextInput {...p} /> },
      { key: "module", input: (p: InputProps<string>) => <TextInput {...p} /> },
      { key: "type", input: (p: InputProps<string>) => <TextInput {...p} /> },
      { key: "content", input: (p: InputProps<string>) => <TextInput {...p} rows={3} max={200} /> },
    ] as const,
  };
  return note ? (
    <FormDialog {...common} call={editVersion} title="编辑版本" initial={note} done="版本修改成功" />
  ) : (
    <FormDialog {...common} call={addVersion} title="新增版本" done="版本新增成功" />
  );
}
