import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { BillTable, YearTable, type Previewed } from "../preview/bill-table.panel.tsx";
import { previewContract } from "../preview/preview.contract.ts";
import type { Draft, Saved } from "./draft.form.tsx";
import { stepOf } from "./drafting.rules.ts";

type Props = { draft: Draft; go: (step: number) => Promise<void> };

/** The server's own preview of the saved draft. Wrong fields open their step; what else stands in the way is listed. */
export function usePreview({ draft, go }: Props) {
  const [saved, setSaved] = useState<Saved>();
  const [trouble, setTrouble] = useState<unknown>();
  const save = useEffectEvent(() => void draft.save().then(setSaved, setTrouble));
  useEffect(() => save(), []);
  const query = useQuery<Previewed>({
    ...ask(previewContract, { body: { id: saved?.id ?? 0 } }),
    queryKey: [previewContract.path, saved?.id, saved?.version],
    enabled: saved !== undefined,
    retry: false,
    staleTime: 0,
  });
  const failed = query.error ?? trouble;
  const lead = useEffectEvent((failure: unknown) => {
    if (!(failure instanceof Failure) || !failure.fields.length) return;
    draft.lay(failure.fields);
    void go(stepOf(failure.fields[0]!.field));
  });
  useEffect(() => lead(failed), [failed]);
  return { saved, preview: query.data, failed, refetch: query.refetch };
}

/** Step 5: every bill that signing makes, as the server computes it. */
export function PreviewStep({ draft, go }: Props) {
  const { preview, failed, refetch } = usePreview({ draft, go });
  if (failed)
    return failed instanceof Failure && failed.status === 400 ? (
      <p className="form__alert">{sentence(failed)}</p>
    ) : (
      <Broken error={failed} retry={refetch} />
    );
  if (!preview) return <RowsSkeleton rows={10} />;
  return (
    <div className="pstep">
      <Notices preview={preview} />
      <BillTable preview={preview} />
      <h3>按年与科目</h3>
      <YearTable preview={preview} />
    </div>
  );
}

/** What will refuse the contract as things stand, then what is only worth a look. */
export const Notices = ({ preview }: { preview: Previewed }) => (
  <>
    {preview.obstacles.map((o) => (
      <p key={o.msg} className="party__bar s-red" role="alert">
        <Icon name="warn" size={14} />
        {o.msg}
      </p>
    ))}
    {preview.warnings.map((text) => (
      <p key={text} className="party__bar s-orange">
        <Icon name="warn" size={14} />
        {text}
      </p>
    ))}
  </>
);
