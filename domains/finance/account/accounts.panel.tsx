import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { useAddress, useGo, usePage } from "../../../platform/console/screens/page.ts";
import { AccountList } from "./account.panel.tsx";
import { StoreTable } from "./stores.panel.tsx";
import "./account.css";

const VIEWS = { accounts: ["账户", "grey"], stores: ["门店配置", "grey"] } as const;

/** 收款账户: the accounts themselves, and which store receives through which (?view=stores). */
export default function AccountsPanel() {
  const [address] = useAddress();
  const { path } = usePage();
  const go = useGo();
  const stores = address.get("view") === "stores";
  return (
    <div className="accounts stack full">
      <div className="accounts__views">
        <ChoiceInput
          value={stores ? "stores" : "accounts"}
          words={VIEWS}
          onChange={(view) =>
            go(path, { tab: address.get("tab") ?? undefined, view: view === "stores" ? view : undefined })
          }
        />
      </div>
      {stores ? <StoreTable /> : <AccountList />}
    </div>
  );
}
