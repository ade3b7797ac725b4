import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { doing } from "../../../platform/console/parts/actions.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { durationText } from "../../../platform/kernel/duration.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { DOC_KINDS } from "../archive/archive.rules.ts";
import { setSeal, waitingSeals } from "./esign.contract.ts";

/** So many documents are sealed with one press. */
const MOST = 50;

/** 待盖章: contracts and supplements whose party has signed. */
export default function WaitingSeals() {
  const act = useAct();
  return (
    <ListPage
      call={waitingSeals}
      unit="份"
      filters={["villageIds", "keyword"]}
      columns={[
        { key: "contractNo", to: (r) => pathTo(KINDS[r.kind].path, { id: r.contractId }) },
        "docKind",
        "actNo",
        "villageName",
        "roomNames",
        "partyName",
        "signedAt",
        { key: "waitedMinutes", show: (r) => durationText(r.waitedMinutes * 60) },
        "flowNo",
      ]}
      card={{ title: "contractNo", right: "partyName", lines: [["docKind"], ["roomNames"], ["signedAt"]] }}
      rowActions={(r) => [
        {
          label: "盖章",
          ...doing(setSeal, { params: { id: r.id }, body: {} }, "已盖章", {
            title: "盖章",
            body: `在 ${r.actNo || r.contractNo}（${DOC_KINDS[r.docKind][0]}，${r.partyName}）上盖章后立即生效，确定盖章吗？`,
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
      emptyText="客户签署后，等待盖章的合同和补充协议出现在这里"
    />
  );
}
