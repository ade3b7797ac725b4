import { useQuery } from "@tanstack/react-query";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Compared } from "../record/merge-choices.form.tsx";
import { MergeDrawer, useMerging, type Merging } from "../record/merge.form.tsx";
import type { FirmCalls } from "../firm/firm.contract.ts";
import { FIRM_TITLE, MERGEABLE, mergeableOf, type Mergeable } from "../firm/words.rules.ts";

type Props = Merging & {
  calls: FirmCalls;
  source: Source;
  /** Reads a record as the form compares it. */
  read: (id: number) => Promise<Compared<Mergeable>>;
};

/** 合并: two records of one firm; first it says what comes along. */
export function MergeForm({ calls, source, read, ...start }: Props) {
  const act = useAct();
  const fields = Object.fromEntries(mergeableOf(calls.kind).map((field) => [field, MERGEABLE[field]]));
  const merging = useMerging<Mergeable, Compared<Mergeable>>({ fields, read }, start);
  const { ids } = merging;
  const preview = useQuery({
    queryKey: [calls.mergePreview.path, ids],
    queryFn: ({ signal }) =>
      send(calls.mergePreview, { body: { keepId: ids.keep, goneId: ids.gone! } }, { signal }),
    enabled: ids.gone !== undefined,
  });
  return (
    <MergeDrawer
      title={`合并${FIRM_TITLE[calls.kind]}`}
      merging={merging}
      source={source}
      placeholder="按名称、完整信用代码、联系人搜索"
      refusal={preview.data?.refusal ?? undefined}
      error={preview.error}
      merge={(body) => act(calls.merge, { body }, { done: "已合并" })}
    >
      {preview.data && <Along found={preview.data} />}
    </MergeDrawer>
  );
}

/** What of the record that goes will be found under the one kept. */
const Along = ({ found }: { found: Reply<FirmCalls["mergePreview"]> }) => (
  <p className="fi--wide" role="status">
    合并后可在保留的记录下查到：合同 {found.contracts} 份、账单 {found.bills} 笔、流水 {found.flows}{" "}
    笔；联系人 {found.contacts} 个、发票抬头 {found.titles} 个、银行账户 {found.accounts} 个、附件{" "}
    {found.papers} 个一并转入，重复的不转。
  </p>
);
