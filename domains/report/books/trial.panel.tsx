import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Looks, TabRight } from "../../../platform/console/list/tab-page.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import { Locks } from "../lock/lock.panel.tsx";
import { exportTrialBalance, trialBalance, trialParts } from "./books.contract.ts";
import { type Account, DIMENSIONS, type Dimension, TRIAL_KEYS } from "./books.rules.ts";
import { entriesOf, queryOf, RANGE_FILTERS } from "./statement.panel.tsx";

/** 科目余额表: each account as it opened, moved and closed; a row opens into stores, accounts, subjects or customers. */
export function Trial() {
  const [address] = useAddress();
  const month = monthOf(useToday());
  const shown = {
    villageIds: address.get("villageIds"),
    from: address.get("from") ?? firstOf(month),
    to: address.get("to") ?? lastOf(month),
  };
  return (
    <>
      <TabRight>
        <Locks beside {...shown} />
      </TabRight>
      <ListPage
        call={trialBalance}
        unit="个科目"
        filters={RANGE_FILTERS}
        columns={[
          {
            key: "account",
            width: 88,
            to: (r) => entriesOf(r.account, { ...shown, head: address.get("head") }),
          },
          "name",
          ...TRIAL_KEYS.map((key) => ({ key })),
        ]}
        card={{
          title: "name",
          right: "account",
          lines: [
            ["openDebit", "openCredit"],
            ["debit", "credit"],
            ["closeDebit", "closeCredit"],
          ],
          sums: ["closeDebit", "closeCredit"],
        }}
        expand={(row) => <Parts account={row.account as Account} query={queryOf(address)} />}
        exportCall={exportTrialBalance}
        emptyText="这段时间及以前没有凭证"
      />
    </>
  );
}

function Parts({ account, query }: { account: Account; query: Record<string, string> }) {
  const [by, setBy] = useState<Dimension>("village");
  const { data, error, refetch } = useQuery(
    ask(trialParts, { params: { account }, query: { ...query, by } as never }),
  );
  return (
    <div className="stack gap-4">
      <Looks
        label="展开维度"
        items={Object.entries(DIMENSIONS).map(([key, [title]]) => [key, title])}
        on={by}
        onChange={(to) => setBy(to as Dimension)}
      />
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={4} />
      ) : (
        <RowTable
          flat
          schema={trialParts.reply}
          rows={data}
          columns={["name", ...TRIAL_KEYS.map((key) => ({ key }))]}
          emptyText="没有余额和发生额"
        />
      )}
    </div>
  );
}
