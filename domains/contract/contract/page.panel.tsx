import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { PageSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import { useContractActs } from "./acts.panel.tsx";
import { packPapers, type listContracts } from "./contract.contract.ts";
import { type ContractKind, KINDS, type State, permitOf, whyNotKeeper } from "./contract.rules.ts";
import { KeeperForm } from "./keeper.form.tsx";
import "./contract.css";

const Drafting = lazy(() => import("../drafting/drafting.form.tsx").then((m) => ({ default: m.Drafting })));

type Shown = Row<typeof listContracts>;
type Acts = ReturnType<typeof useContractActs>[0];

/** What a new contract was opened with; a form that closes leaves nothing of it in the address. */
const BEGUN = ["draft", "villageId", "roomId", "partyId", "start", "end", "rent", "unitPrice", "payPlan"];

/** What the pages of all three kinds do alike: the form over the list (?draft=), and the acts on its rows. */
export function useContractPage(kind: ContractKind): {
  /** Stands instead of the list while a contract is drawn up. */
  drafting: ReactNode;
  sign: Action;
  actsOf: Acts;
  batch: Batch<Shown>[];
  layer: ReactNode;
} {
  const [address, set] = useAddress();
  const [actsOf, layer] = useContractActs(true);
  const [keeping, setKeeping] = useState<readonly { id: number; contractNo: string }[]>();
  const draft = address.get("draft");
  return {
    drafting: draft && (
      <Suspense fallback={<PageSkeleton />}>
        <Drafting
          key={draft}
          kind={kind}
          id={Number(draft) || undefined}
          onClose={(openId) =>
            set({ ...Object.fromEntries(BEGUN.map((key) => [key, undefined])), id: openId })
          }
        />
      </Suspense>
    ),
    sign: {
      label: kind === "renter" ? "新签合同" : `新签${KINDS[kind].title}`,
      icon: "plus",
      main: true,
      need: permitOf(kind, "add"),
      run: () => set({ draft: "new" }, { push: true }),
    },
    actsOf,
    batch: [
      {
        label: "换管家",
        need: permitOf(kind, "edit"),
        why: (rows) => tooMany(rows) ?? allRefused(rows),
        run: (rows) => setKeeping([...rows]),
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
        {layer}
      </>
    ),
  };
}

const tooMany = (rows: readonly unknown[]) => (rows.length > 200 ? "一次最多处理200份" : undefined);
/** What stands in the way of some is said of each afterwards; in the way of all, at once. */
const allRefused = (rows: readonly { state: State }[]) =>
  rows.every((c) => whyNotKeeper(c.state)) ? whyNotKeeper(rows[0]?.state ?? "voided") : undefined;
