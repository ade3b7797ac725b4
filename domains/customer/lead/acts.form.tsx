import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { assignLeads, followLead, loseLead } from "./acts.contract.ts";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { LostReasonInput, OwnerInput } from "./funnel.panel.tsx";
import { LEAD_MOVES, type LeadState, notYours } from "./lead.rules.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";

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
      {
        key: "fileIds",
        input: (p) => <PapersInput {...p} call={UPLOADS.paper10M} hint="图片或PDF，最多5个" />,
      },
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

type Lead = { id: number; ownerId: number | null; ownerName: string; state: LeadState };
type Typed = Body<typeof followLead>;

function Fields({ id, onDone }: { id: number; onDone: () => void }) {
  const refresh = useRefresh();
  const form = useForm<Typed>(followLead.body!, { kind: "call" });
  const say = async () => {
    const sent = await form.submit((body) => send(followLead, { params: { id }, body }));
    if (!sent) return;
    toast("跟进已记录");
    onDone();
    await refresh();
  };
  return (
    <form
      noValidate
      className="lead__say"
      aria-label="写跟进"
      onSubmit={(event) => {
        event.preventDefault();
        void say();
      }}
    >
      <FormFields
        form={form}
        cols={2}
        fields={[
          {
            key: "content",
            wide: true,
            input: (p) => <TextInput {...p} rows={2} max={500} placeholder="沟通内容和下一步计划" />,
          },
          "kind",
          "nextFollowDay",
          {
            key: "fileIds",
            wide: true,
            input: (p) => <PapersInput {...p} call={UPLOADS.paper10M} hint="图片或PDF，最多5个" />,
          },
        ]}
      />
      <Button busy={form.busy} run={say}>
        记录跟进
      </Button>
    </form>
  );
}

/** What was said is written down where it is read; for whoever may work on the lead. */
export function Composer({ lead }: { lead: Lead }) {
  const me = useOperator()?.operatorId ?? 0;
  const [round, setRound] = useState(0);
  const why =
    notYours(lead, me, may("#1501")) ?? LEAD_MOVES.refusal("follow", { ...lead, status: lead.state });
  if (why || !may(followLead.needs)) return null;
  return <Fields key={round} id={lead.id} onDone={() => setRound(round + 1)} />;
}
