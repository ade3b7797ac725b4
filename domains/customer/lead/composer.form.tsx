import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { followLead } from "./acts.contract.ts";
import { LEAD_MOVES, notYours, type LeadState } from "./lead.rules.ts";
import { PapersInput } from "./acts.form.tsx";

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
          { key: "fileIds", wide: true, input: (p) => <PapersInput {...p} /> },
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
