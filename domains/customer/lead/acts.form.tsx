import { useState } from "react";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { type InputProps, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { assignLeads, followLead, loseLead } from "./acts.contract.ts";
import { LostReasonInput, OwnerInput } from "./funnel.panel.tsx";

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

type One = { id: number; name: string; version: number };

/** 跟进: what was said, and when to speak again. */
export const FollowForm = ({ lead, onClose }: { lead: One; onClose: () => void }) => (
  <FormDialog
    call={followLead}
    title={`跟进 ${lead.name}`}
    ok="保存"
    done="跟进已记录"
    params={{ id: lead.id }}
    initial={{ kind: "call" }}
    onClose={onClose}
    fields={[
      "kind",
      {
        key: "content",
        input: (p) => <TextInput {...p} rows={4} max={500} placeholder="沟通内容和下一步计划" />,
      },
      "nextFollowDay",
      { key: "fileIds", input: (p) => <PapersInput {...p} /> },
    ]}
  />
);

/** 流失: why nothing came of it. */
export const LoseForm = ({ lead, onClose }: { lead: One; onClose: () => void }) => (
  <FormDialog
    call={loseLead}
    title={`流失 ${lead.name}`}
    ok="确认流失"
    done="已登记流失"
    params={{ id: lead.id }}
    initial={{ version: lead.version }}
    onClose={onClose}
    fields={[{ key: "lostReason", input: (p) => <LostReasonInput {...p} /> }, "lostNote"]}
  />
);

/** 分配: to somebody who works in one of the wished stores. */
export const AssignForm = ({ leads, onClose }: { leads: readonly One[]; onClose: () => void }) => (
  <FormDialog
    call={assignLeads}
    title={leads.length === 1 ? `分配 ${leads[0]!.name}` : `分配 ${leads.length} 条客源`}
    ok="分配"
    done="客源已分配"
    initial={{ ids: leads.map((lead) => lead.id) }}
    onClose={onClose}
    fields={[{ key: "ownerId", input: (p) => <OwnerInput {...p} /> }]}
  />
);
