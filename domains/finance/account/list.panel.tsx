import { useState } from "react";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { exportAccounts, listAccounts, addMerchantAccount } from "./accounts.contract.ts";
import { useAccountActs } from "./acts.panel.tsx";
import { CertDay } from "./cert.panel.tsx";
import { AccountDrawer } from "./drawer.panel.tsx";
import { AccountForm } from "./edit.form.tsx";
import { KEY_STATE } from "./keys.rules.ts";
import { rateText } from "./kind.rules.ts";

/** 账户: every receiving account in scope. */
export function AccountList() {
  const [adding, setAdding] = useState(false);
  const acts = useAccountActs();
  return (
    <>
      <ListPage
        call={listAccounts}
        unit="个"
        filters={["kind", "holder", "state", "keyword", "villageIds"]}
        columns={[
          { key: "name", width: 150 },
          "kind",
          { key: "enterpriseName", hidden: true },
          "holderName",
          { key: "number", show: (a) => a.number || NONE },
          { key: "feeRate", show: (a) => rateText(a.feeRate) },
          { key: "settleDays", hidden: true },
          { key: "settleToName", show: (a) => a.settleToName || NONE },
          "statementMode",
          { key: "supervised", hidden: true },
          { key: "certExpiresOn", show: (a) => <CertDay day={a.certExpiresOn} /> },
          {
            key: "keys",
            show: (a) => (a.keys === "none" ? NONE : <WordTag words={KEY_STATE} code={a.keys} />),
          },
          "villages",
          "state",
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["kind", "number"],
            ["holderName", "keys"],
          ],
        }}
        toolbar={[
          {
            label: "新增账户",
            icon: "plus",
            main: true,
            does: addMerchantAccount,
            run: () => setAdding(true),
          },
        ]}
        rowActions={acts.of}
        drawer={(id) => <AccountDrawer id={id} acts={acts} />}
        exportCall={exportAccounts}
        emptyText="收款账户是门店收款所用的商户号、银行账户或现金；新增后在“门店配置”中指定给门店"
      />
      {adding && <AccountForm onClose={() => setAdding(false)} onAdded={acts.added} />}
      {acts.layer}
    </>
  );
}
