import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { type ReactNode, useState } from "react";
import { send } from "../../../platform/console/calls/request.ts";
import { exportList } from "../../../platform/console/list/exporting.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { type listContracts, packPapers } from "../contract/contract.contract.ts";
import { type State, whyNotKeeper } from "../contract/contract.rules.ts";
import { resendSigning } from "../esign/esign.contract.ts";
import { useInvite } from "../renewal/invite.panel.tsx";
import { inviteRenewals } from "../renewal/renewal.contract.ts";
import { sendSelfLink } from "../self-service/self.contract.ts";
import { sendRefusal } from "../self-service/self.rules.ts";
import { type ContractKind, KINDS, permitOf } from "../terms/kind.rules.ts";
import { useContractActs } from "./acts.panel.tsx";
import { KeeperForm } from "./keeper.form.tsx";
import { SendMany } from "../contract/send-many.form.tsx";

const OpeningImport = lazily(() =>
  import("../import/import.form.tsx").then((m) => ({ default: m.OpeningImport })),
);
const Drafting = lazily(() => import("../drafting/drafting.form.tsx").then((m) => ({ default: m.Drafting })));

type Shown = Row<typeof listContracts>;
type Acts = ReturnType<typeof useContractActs>[0];

/** What a new contract was opened with; a form that closes leaves nothing of it in the address. */
const BEGUN = ["draft", "villageId", "roomId", "partyId", "start", "end", "rent", "unitPrice", "payPlan"];

/** What the pages of all three kinds do alike: the form over the list (?draft=), and the acts on its rows. */
export function useContractPage(kind: ContractKind): {
  /** Stands instead of the list while a contract is drawn up. */
  drafting: ReactNode;
  sign: Action;
  bring: Action;
  actsOf: Acts;
  batch: Batch<Shown>[];
  layer: ReactNode;
} {
  const [address, set] = useAddress();
  const [actsOf, layer] = useContractActs(true);
  const [keeping, setKeeping] = useState<readonly { id: number; contractNo: string }[]>();
  const [sending, setSending] = useState<{ what: keyof typeof SENDING; of: readonly Shown[] }>();
  const [invite, invited] = useInvite();
  const [bringing, setBringing] = useState(false);
  const draft = address.get("draft");
  return {
    drafting: draft && (
      <Arriving fallback={<PageSkeleton />}>
        <Drafting
          key={draft}
          kind={kind}
          id={Number(draft) || undefined}
          onClose={(openId) =>
            set({ ...Object.fromEntries(BEGUN.map((key) => [key, undefined])), id: openId })
          }
        />
      </Arriving>
    ),
    sign: {
      label: kind === "renter" ? "新签合同" : `新签${KINDS[kind].title}`,
      icon: "plus",
      main: true,
      need: permitOf(kind, "add"),
      run: () => set({ draft: "new" }, { push: true }),
    },
    bring: { label: "导入", icon: "upload", need: permitOf(kind, "import"), run: () => setBringing(true) },
    actsOf,
    batch: [
      {
        label: "换管家",
        need: permitOf(kind, "edit"),
        why: (rows) => tooMany(rows) ?? allRefused(rows),
        run: (rows) => setKeeping([...rows]),
      },
      {
        label: "重新发送签署链接",
        need: permitOf(kind, "sign"),
        why: (rows) =>
          tooMany(rows) ??
          (rows.some((c) => c.state === "signing" && c.signMode === "electronic")
            ? undefined
            : "所选合同都不在电子签署中"),
        run: (of) => setSending({ what: "signing", of }),
      },
      {
        label: "续租邀请",
        does: inviteRenewals,
        why: (rows) => tooMany(rows) ?? noneLet(rows),
        run: invite,
      },
      {
        label: "发送自助链接",
        need: permitOf(kind, "edit"),
        why: (rows) => tooMany(rows) ?? noneLet(rows),
        run: (of) => setSending({ what: "self", of }),
      },
      {
        label: "下载合同",
        need: permitOf(kind, "get"),
        why: (rows) => tooMany(rows) ?? (rows.some((c) => c.signedOn) ? undefined : "所选合同都还没有签署"),
        run: (rows) => exportList(packPapers, { query: { kind, ids: rows.map((c) => c.id).join(",") } }, []),
      },
    ],
    layer: (
      <>
        {keeping && <KeeperForm of={keeping} onClose={() => setKeeping(undefined)} />}
        {sending && (
          <SendMany {...SENDING[sending.what]} of={sending.of} onClose={() => setSending(undefined)} />
        )}
        {invited}
        {layer}
        {bringing && (
          <Arriving onClose={() => setBringing(false)}>
            <OpeningImport kind={kind} onClose={() => setBringing(false)} />
          </Arriving>
        )}
      </>
    ),
  };
}

/** What is sent to many parties. */
const SENDING = {
  signing: {
    title: "重新发送签署链接",
    note: "客户会收到新的签署短信，原链接立即失效。",
    sendOne: (id: number) => send(resendSigning, { params: { id } }),
  },
  self: {
    title: "发送自助链接",
    note: "租客会收到短信，在手机上查看合同和账单，提交退房、续租或换房申请；原链接立即失效。",
    sendOne: (contractId: number) => send(sendSelfLink, { body: { contractId } }),
  },
};
const noneLet = (rows: readonly { state: State }[]) =>
  rows.some((c) => !sendRefusal(c.state)) ? undefined : "所选合同都不在租";
const tooMany = (rows: readonly unknown[]) => (rows.length > 200 ? "一次最多处理200份" : undefined);
/** What stands in the way of some is said of each afterwards; in the way of all, at once. */
const allRefused = (rows: readonly { state: State }[]) =>
  rows.every((c) => whyNotKeeper(c.state)) ? whyNotKeeper(rows[0]?.state ?? "voided") : undefined;
