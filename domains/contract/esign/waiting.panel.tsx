import { useState } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { durationText } from "../../../platform/kernel/duration.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { SendMany } from "../contract/send-many.form.tsx";
import { KINDS } from "../terms/kind.rules.ts";
import { DOC_KINDS } from "../archive/archive.rules.ts";
import { setSeal, waitingSeals } from "./esign.contract.ts";

/** So many documents are sealed with one press. */
const MOST = 50;

/** Why a file that was sealed has no effect, or nothing. */
const failed = ({ state, failReason }: Reply<typeof setSeal>) =>
  state === "failed" ? `未能生效：${failReason}` : undefined;

async function stamped(id: number): Promise<void> {
  const why = failed(await send(setSeal, { params: { id }, body: {} }));
  if (why) throw new Refusal("notAllowed", why);
}

/** 待盖章: contracts and supplements whose party has signed. */
export default function WaitingSeals() {
  const [many, setMany] = useState<readonly Row<typeof waitingSeals>[]>();
  return (
    <>
      {many && (
        <SendMany
          title="批量盖章"
          note="逐份盖章：客户已签署的立即生效，企业先盖章的向客户发送签署链接。"
          verb="盖章"
          unit="份文件"
          of={many.map((r) => ({ ...r, contractNo: r.actNo || r.contractNo }))}
          sendOne={stamped}
          onClose={() => setMany(undefined)}
        />
      )}
      <ListPage
        call={waitingSeals}
        unit="份"
        filters={["villageIds", "keyword"]}
        columns={[
          { key: "contractNo", to: (r) => reach(KINDS[r.kind].path, { id: r.contractId }) },
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
            does: setSeal,
            run: async (act) => {
              const title = "盖章";
              const then = r.signedAt ? "立即生效" : "向客户发送签署链接";
              const body = `在 ${r.actNo || r.contractNo}（${DOC_KINDS[r.docKind][0]}，${r.partyName}）上盖章后${then}，确定盖章吗？`;
              const sealed = await act(setSeal, { params: { id: r.id }, body: {} }, { ask: { title, body } });
              if (!sealed) return;
              const why = failed(sealed);
              toast(why ?? "已盖章", why ? "error" : "success");
            },
          },
        ]}
        batch={[
          {
            label: "批量盖章",
            does: setSeal,
            why: (rows) => (rows.length > MOST ? `一次最多盖${MOST}份` : undefined),
            run: setMany,
          },
        ]}
        emptyText="客户签署后，等待盖章的合同和补充协议出现在这里"
      />
    </>
  );
}
