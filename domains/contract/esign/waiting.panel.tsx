import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { doing } from "../../../platform/console/parts/actions.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { durationText } from "../../../platform/kernel/duration.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { setSeal, waitingSeals } from "./esign.contract.ts";

/** So many contracts are sealed with one press. */
const MOST = 50;

/** 待盖章: contracts whose party has signed. */
export default function WaitingSeals() {
  const act = useAct();
  return (
    <ListPage
      call={waitingSeals}
      unit="份"
      filters={["villageIds", "keyword"]}
      columns={[
        { key: "contractNo", to: (r) => pathTo(KINDS[r.kind].path, { id: r.contractId }) },
        "villageName",
        "roomNames",
        "partyName",
        "signedAt",
        { key: "waitedMinutes", show: (r) => durationText(r.waitedMinutes * 60) },
        "flowNo",
      ]}
      card={{ title: "contractNo", right: "partyName", lines: [["roomNames"], ["signedAt"]] }}
      rowActions={(r) => [
        {
          label: "盖章",
          ...doing(setSeal, { params: { id: r.id }, body: {} }, "已盖章", {
            title: "盖章",
            body: `在 ${r.contractNo}（${r.partyName}）上盖章后合同立即生效，确定盖章吗？`,
          }),
        },
      ]}
      batch={[
        {
          label: "批量盖章",
          does: setSeal,
          why: (rows) => (rows.length > MOST ? `一次最多盖${MOST}份` : undefined),
          run: async (rows) => {
            for (const r of rows) await act(setSeal, { params: { id: r.id }, body: {} });
          },
        },
      ]}
      emptyText="客户签署后，等待盖章的合同出现在这里"
    />
  );
}
